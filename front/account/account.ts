import { ForeignText, type Redact } from "../../src/text/foreign-text.ts";
import type { RunBrief } from "./brief.ts";
import { MarkdownPen } from "./markdown-pen.ts";
import type { Account, RunKind } from "./part.ts";
import { joined, pageOf, summaryText } from "./summary.ts";

/** What a page should know: what kind of run it is, what must not be in it, and the most bytes of UTF-8 that it may have. */
export interface PageOptions extends RunKind {
  readonly redact?: Redact;
  readonly limitBytes?: number;
}

/** The job summary of a run as markdown. It ends with a line break. */
export function summaryOf<Facts>(
  { account }: { readonly account: Account<Facts> },
  facts: Facts,
  { redact, limitBytes, ...kind }: PageOptions = {},
): string {
  const pen = new MarkdownPen(new ForeignText(redact));
  return summaryText(pageOf(account(facts, kind, pen), "summary", pen, kind.rehearsal), limitBytes);
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
