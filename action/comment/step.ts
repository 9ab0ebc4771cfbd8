import { quoted } from "../../src/text/quoted.ts";
import { proxyPasswords } from "../../front/options/secrets.ts";
import type { Step } from "../../front/steps/run-step.ts";
import { COMMENT_INPUTS, readOptions, type CommentInputName, type CommentInputs } from "./inputs.ts";
import {
  cancelledComment,
  commentAccount,
  learn,
  LINES,
  NO_FACTS,
  outputsOf,
  type CommentEvent,
  type CommentFacts,
} from "./report.ts";

export const commentStep: Step<CommentInputName, CommentInputs, CommentEvent, CommentFacts> = {
  declared: COMMENT_INPUTS,
  secretsIn: ({ env }) => proxyPasswords(env),
  readOptions,
  loadWork: async () => (await import("./work.ts")).carryOut,
  reporting: {
    work: "comment",
    task: ({ key }) => `section ${quoted(key)} of the comment of a pull request`,
    facts: NO_FACTS,
    learn,
    lines: LINES,
    account: commentAccount,
    kind: () => ({}),
    outputs: outputsOf,
    ended: (error) => ({ type: "ended", error }),
    cancelled: cancelledComment,
    isSuccess: () => true,
  },
};
