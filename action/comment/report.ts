import { CancelledError } from "../../src/deployment/errors.ts";
import { ForeignText } from "../../src/text/foreign-text.ts";
import { countOf } from "../../src/text/number.ts";
import { postedText, type PostedOn } from "../github/comment/pull-request-comments.ts";
import type { Section } from "../github/comment/section.ts";
import { SIGNS } from "../../front/account/brief.ts";
import { describeFailure, printFailure, type Failure } from "../../front/account/failure.ts";
import { MarkdownPen } from "../../front/account/markdown-pen.ts";
import { Printer, type LogOptions } from "../../front/account/printer.ts";
import type { Reporter } from "../../front/account/reporters.ts";
import type { StepOutputs } from "../../front/account/step-report.ts";
import { failureParts, summaryText, warningsPart, type SummaryOptions } from "../../front/account/summary.ts";

/** What happens when files are posted. */
export type CommentEvent =
  /** What is to be posted. Its text is markdown with nothing foreign in it any more. */
  | { readonly type: "section"; readonly section: Section; readonly files: number }
  | ({ readonly type: "posted" } & PostedOn)
  | { readonly type: "warning"; readonly message: string }
  | { readonly type: "ended"; readonly error: Error | undefined };

/** What is known of the step so far. */
export interface CommentFacts {
  readonly section?: Section;
  readonly posted?: PostedOn;
  readonly warnings: readonly string[];
  readonly ended?: { readonly error: Error | undefined };
}

export const NO_FACTS: CommentFacts = { warnings: [] };

/** The facts that an event changes. */
export function learn(event: CommentEvent, facts: CommentFacts): Partial<CommentFacts> {
  switch (event.type) {
    case "section":
      return { section: event.section };
    case "posted":
      return { posted: event };
    case "warning":
      return { warnings: [...facts.warnings, event.message] };
    case "ended":
      return { ended: event };
  }
}

/** The outputs, as action.yml declares them. */
export function outputsOf({ posted, ended }: CommentFacts): StepOutputs {
  const refused = ended !== undefined && ended.error === undefined ? "refused" : undefined;
  const outcome = posted === undefined ? refused : (posted.posted?.outcome ?? "none");
  return {
    values: {
      outcome,
      "pull-request": posted?.number,
      "comment-id": posted?.posted?.id,
    },
  };
}

/** The log: a line for the section, the run that it is about, and what became of the comment. */
export class Log implements Reporter<CommentEvent> {
  readonly name = "log";
  readonly #print: Printer;
  #isPosted = false;

  constructor(options: LogOptions) {
    this.#print = new Printer(options);
  }

  report(event: CommentEvent): void {
    if (event.type === "section") this.#section(event);
    else if (event.type === "posted") {
      this.#isPosted = true;
      this.#print.line("Comment", postedText(event));
    } else if (event.type === "warning") this.#print.warning(event.message);
    else if (event.error !== undefined) printFailure(this.#print, failureOf(event.error), () => undefined);
    else if (!this.#isPosted) this.#print.line("Comment", "not posted");
  }

  #section({ section: { facts, text }, files }: Extract<CommentEvent, { type: "section" }>): void {
    const { key, sign, state, run, attempt, commit } = facts;
    const of = commit === undefined ? "" : `, commit ${commit.slice(0, 7)}`;
    this.#print.line("Files", `${countOf(files, "file")}, ${countOf(text.length, "character")} to post`);
    this.#print.line("Section", `${key}: ${SIGNS[sign]} ${state}`);
    this.#print.line("About", `workflow run ${run}, attempt ${String(attempt)}${of}`);
  }
}

/** The job summary: what was posted, and what to check. */
export function summaryOf({ section, posted, warnings, ended }: CommentFacts, { redact }: SummaryOptions = {}): string {
  const pen = new MarkdownPen(new ForeignText(redact));
  if (ended?.error !== undefined) return summaryText([...failureParts(failureOf(ended.error), undefined, pen)]);
  const where = posted === undefined ? "not posted" : postedText(posted);
  return summaryText([section?.text ?? "", `Comment: ${where}`, warningsPart(warnings, pen)]);
}

/** The error of a run that was cancelled. */
export function cancelledComment(): Error {
  return new CancelledError("The run was cancelled; the comment may have been written.", {
    advice: "Run again: if the section was written, the next run leaves it as it is.",
  });
}

function failureOf(error: Error): Failure {
  return describeFailure(error, { title: "Comment", table: {} });
}
