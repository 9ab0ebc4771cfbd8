import { CancelledError } from "../../src/deployment/errors.ts";
import { countOf } from "../../src/text/number.ts";
import { postedText, type PostedOn } from "../github/comment/pull-request-comments.ts";
import type { Section } from "../github/comment/section.ts";
import { SIGNS } from "../../front/account/brief.ts";
import { describeFailure } from "../../front/account/failure.ts";
import { COMMON_FACTS, learning } from "../../front/account/event-table.ts";
import { everywhere, inLog, inSummary, type Account } from "../../front/account/part.ts";
import { COMMON_LINES, type LogTable } from "../../front/account/step-log.ts";
import type { Reporting, StepOutputs } from "../../front/account/step-report.ts";
import { quoted } from "../../src/text/quoted.ts";
import type { CommentInputs } from "./inputs.ts";

export type CommentEvent =
  /** What is to be posted. Its text is markdown with nothing foreign in it any more. */
  | { readonly type: "section"; readonly section: Section; readonly files: number }
  | ({ readonly type: "posted" } & PostedOn)
  | { readonly type: "warning"; readonly message: string }
  | { readonly type: "ended"; readonly error: Error | undefined };

export interface CommentFacts {
  readonly section?: Section;
  readonly posted?: PostedOn;
  readonly warnings: readonly string[];
  readonly ended?: { readonly error: Error | undefined };
}

function outputsOf({ posted, ended }: CommentFacts): StepOutputs {
  const refused = ended && !ended.error ? "refused" : undefined;
  const outcome = posted ? (posted.posted?.outcome ?? "none") : refused;
  return { values: { outcome, "pull-request": posted?.number, "comment-id": posted?.posted?.id } };
}

/** What the log says: the section, the run that it is about, and what became of the comment. */
const LINES: LogTable<CommentEvent, CommentFacts> = {
  ...COMMON_LINES,
  section: ({ section: { facts, text }, files }) => {
    const { key, sign, state, run, attempt, commit } = facts;
    const of = commit === undefined ? "" : `, commit ${commit.slice(0, 7)}`;
    return [
      { label: "Files", text: `${countOf(files, "file")}, ${countOf(text.length, "character")} to post` },
      { label: "Section", text: `${key}: ${SIGNS[sign]} ${state}` },
      { label: "About", text: `workflow run ${run}, attempt ${String(attempt)}${of}` },
    ];
  },
  posted: (event) => ({ label: "Comment", text: postedText(event) }),
};

const commentAccount: Account<CommentFacts> = ({ section, posted, warnings, ended }) => {
  if (ended?.error) {
    return everywhere({ failure: describeFailure(ended.error, { title: "Comment", table: {} }) });
  }
  const where = posted ? postedText(posted) : "not posted";
  return [
    ...inLog(posted ? undefined : { label: "Comment", text: where }),
    ...inSummary({ written: section?.text ?? "" }, { written: `Comment: ${where}` }, { warnings }),
  ];
};

export const commentReporting: Reporting<CommentInputs, CommentEvent, CommentFacts> = {
  work: "comment",
  task: ({ key }) => `section ${quoted(key)} of the comment of a pull request`,
  facts: { warnings: [] },
  learn: learning<CommentEvent, CommentFacts>({
    ...COMMON_FACTS,
    section: ({ section }) => ({ section }),
    posted: (posted) => ({ posted }),
  }),
  lines: LINES,
  account: commentAccount,
  kind: () => ({}),
  outputs: outputsOf,
  ended: (error) => ({ type: "ended", error }),
  cancelled: () =>
    new CancelledError("The run was cancelled; the comment may have been written.", {
      advice: "Run again: if the section was written, the next run leaves it as it is.",
    }),
};
