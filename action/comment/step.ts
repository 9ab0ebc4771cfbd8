import { proxyPasswords } from "../../front/options/secrets.ts";
import type { Step } from "../../front/steps/run-step.ts";
import { COMMENT_INPUTS, readOptions, type CommentInputName, type CommentInputs } from "./inputs.ts";
import { commentReporting, type CommentEvent, type CommentFacts } from "./report.ts";

export const commentStep: Step<CommentInputName, CommentInputs, CommentEvent, CommentFacts> = {
  declared: COMMENT_INPUTS,
  secretsIn: ({ env }) => proxyPasswords(env),
  readOptions,
  loadWork: async () => (await import("./work.ts")).carryOut,
  reporting: commentReporting,
};
