import { ForeignText } from "../../src/text/foreign-text.ts";
import type { RunBrief } from "./brief.ts";
import { MarkdownPen } from "./markdown-pen.ts";
import type { Part } from "./part.ts";
import type { LogOptions, RunKind } from "./printer.ts";
import type { Reporter } from "./reporters.ts";
import { StepLog, type LogTable } from "./step-log.ts";
import type { Learn, PageLimits } from "./step-report.ts";
import { joined, pageOf, summaryText } from "./summary.ts";

/** The account of a run from what is known of it. */
export type Account<Facts> = (facts: Facts, kind: RunKind, pen: MarkdownPen) => readonly Part[];

/** What a page should know. */
export type PageOptions = PageLimits & RunKind;

/** How a step reports: what it learns from each event, what its log says of it, and the account of the run. */
export function reported<Event extends { readonly type: string }, Facts extends object>({
  facts,
  learn,
  lines,
  account,
}: {
  /** Those before the first event. */
  readonly facts: Facts;
  readonly learn: Learn<Event, Facts>;
  readonly lines: LogTable<Event, Facts>;
  readonly account: Account<Facts>;
}) {
  return {
    facts,
    learn,
    log: (options: LogOptions, known: () => Facts): Reporter<Event> => {
      const pen = new MarkdownPen(new ForeignText(options.redact));
      return new StepLog<Event, Facts>(options, known, lines, (end) => account(end, options, pen));
    },
    summary: (known: Facts, { redact, limitBytes, ...kind }: PageOptions = {}): string => {
      const pen = new MarkdownPen(new ForeignText(redact));
      return summaryText(pageOf(account(known, kind, pen), "summary", pen, kind.rehearsal), limitBytes);
    },
  };
}

/** The section of a run in a comment: the account, shorter, below what `head` says of it. Texts of the head are foreign. */
export function briefBy<Facts>(
  account: Account<Facts>,
  head: (facts: Facts, kind: RunKind) => Omit<RunBrief, "text">,
): (facts: Facts, options?: PageOptions) => RunBrief {
  return (facts, { redact, rehearsal = false } = {}) => {
    const text = new ForeignText(redact);
    const pen = new MarkdownPen(text);
    const { name, sign, state, page } = head(facts, { rehearsal });
    return {
      name: text.line(name),
      sign,
      state: `${state}${rehearsal ? " (rehearsal)" : ""}`,
      page: page === undefined ? undefined : text.line(page),
      text: joined(pageOf(account(facts, { rehearsal }, pen), "comment", pen, rehearsal)),
    };
  };
}
