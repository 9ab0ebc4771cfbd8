import { ForeignText } from "../../../../src/text/foreign-text.ts";
import { MarkdownPen } from "../../../account/markdown-pen.ts";
import { failureParts, summaryText, warningsPart, type SummaryOptions } from "../../../account/summary.ts";
import { accountOf } from "./account.ts";
import type { JudgeFacts } from "./facts.ts";
import { gateFaultLines, judgeFailure } from "./failure.ts";

const NO_END = "### Judgement: the run did not finish";

/**
 * The job summary of a judgement as markdown: what happened and what to do, the metrics, the rules, the cases that changed,
 * closed at first, and what was compared. It ends with a line break.
 */
export function summaryOf(facts: JudgeFacts, { redact, runUrl, limitBytes }: SummaryOptions = {}): string {
  const text = new ForeignText(redact);
  const pen = new MarkdownPen(text);
  const { judged, warnings, ended } = facts;
  if (ended?.error === undefined && judged !== undefined) {
    return summaryText(accountOf("summary", { ...judged, warnings, runUrl, pen }), limitBytes);
  }
  const parts = ended?.error === undefined ? [NO_END] : [...failureParts(judgeFailure(ended.error), undefined, pen)];
  const caret = gateFaultLines(ended?.error).map((line) => text.lines(line).join(" "));
  if (caret.length > 0) parts.push(pen.copied(caret));
  return summaryText([...parts, warningsPart(warnings, pen)], limitBytes);
}
