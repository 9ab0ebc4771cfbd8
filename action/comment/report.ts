import { ForeignText } from "../../src/text/foreign-text.ts";
import { postedText, type PostedOn } from "../github/comment/post.ts";
import { describeFailure, printFailure, type Failure } from "../report/failure.ts";
import { MarkdownPen } from "../report/markdown-pen.ts";
import { Printer, type LogOptions } from "../report/printer.ts";
import type { Reporter } from "../report/reporters.ts";
import type { StepOutputs } from "../report/step-report.ts";
import { failureParts, summaryText, warningsPart, type SummaryOptions } from "../report/summary.ts";

/** What happens when files are posted. */
export type CommentEvent =
  /** What is to be posted, which is markdown with nothing foreign in it any more. */
  | { readonly type: "section"; readonly text: string }
  | ({ readonly type: "posted" } & PostedOn)
  | { readonly type: "warning"; readonly message: string }
  | { readonly type: "ended"; readonly error: Error | undefined };

/** What is known of the step so far. */
export interface CommentFacts {
  readonly text?: string;
  readonly posted?: PostedOn;
  readonly warnings: readonly string[];
  readonly ended?: { readonly error: Error | undefined };
}

export const NO_FACTS: CommentFacts = { warnings: [] };

/** The facts that an event changes. */
export function learn(event: CommentEvent, facts: CommentFacts): Partial<CommentFacts> {
  switch (event.type) {
    case "section":
      return { text: event.text };
    case "posted":
      return { posted: event };
    case "warning":
      return { warnings: [...facts.warnings, event.message] };
    case "ended":
      return { ended: event };
  }
}

/** The value of every output, as action.yml declares them. */
export function outputsOf({ posted, ended }: CommentFacts): StepOutputs {
  const refused = ended !== undefined && ended.error === undefined ? "refused" : "";
  const outcome = posted === undefined ? refused : (posted.posted?.outcome ?? "none");
  return {
    values: {
      outcome,
      "pull-request": posted?.number === undefined ? "" : String(posted.number),
      "comment-id": posted?.posted?.id === undefined ? "" : String(posted.posted.id),
    },
    warnings: [],
  };
}

/** The log: a line for what became of the comment. */
export class Log implements Reporter<CommentEvent> {
  readonly name = "log";
  readonly #print: Printer;

  constructor(options: LogOptions) {
    this.#print = new Printer(options);
  }

  report(event: CommentEvent): void {
    if (event.type === "posted") this.#print.line("Comment", postedText(event));
    else if (event.type === "warning") this.#print.warning(event.message);
    else if (event.type === "ended" && event.error !== undefined) {
      printFailure(this.#print, failureOf(event.error), () => undefined);
    }
  }
}

/** The job summary: what was posted, and what to check. */
export function summaryOf({ text, posted, warnings, ended }: CommentFacts, { redact }: SummaryOptions = {}): string {
  const pen = new MarkdownPen(new ForeignText(redact));
  if (ended?.error !== undefined) return summaryText([...failureParts(failureOf(ended.error), undefined, pen)]);
  const where = posted === undefined ? "not posted" : postedText(posted);
  return summaryText([text ?? "", `Comment: ${where}`, warningsPart(warnings, pen)]);
}

function failureOf(error: Error): Failure {
  return describeFailure(error, { title: "Comment", table: {} });
}
