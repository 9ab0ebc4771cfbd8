import { ForeignText } from "../../../src/text/foreign-text.ts";
import { countOf } from "../../../src/text/number.ts";
import { MarkdownPen } from "../../report/markdown-pen.ts";
import { failureParts, summaryText, warningsPart, type SummaryOptions } from "../../report/summary.ts";
import type { RemoveFacts } from "./facts.ts";
import { keptText, removedText, removeFailure } from "./words.ts";

/** The job summary of a removal as markdown: which previews are gone, which are not, and why. It ends with a line break. */
export function summaryOf(
  facts: RemoveFacts,
  { redact, rehearsal = false, dryRun = false, limitBytes }: SummaryOptions & { readonly dryRun?: boolean } = {},
): string {
  const pen = new MarkdownPen(new ForeignText(redact));
  const { name, removed, ended } = facts;
  const what = name === undefined ? "Previews" : `Previews of ${pen.text(name)}`;
  const verb = dryRun ? "would be removed" : "removed";
  const headline =
    ended?.error === undefined
      ? [`### ${what}: ${countOf(removed.length, "preview")} ${verb}${rehearsal ? " (rehearsal)" : ""}`]
      : failureParts(removeFailure(ended.error), name, pen);
  return summaryText([...headline, table(facts, dryRun, pen), warningsPart(facts.warnings, pen)], limitBytes);
}

function table({ removed, kept, failed }: RemoveFacts, dryRun: boolean, pen: MarkdownPen): string {
  const rows = [
    ...failed.map(({ preview, reason }) => ({ preview, state: "❌ failed", reason })),
    ...removed.map(({ preview, why }) => ({
      preview,
      state: dryRun ? "would be removed" : "removed",
      reason: removedText(preview, why),
    })),
    ...kept.map(({ preview, why }) => ({ preview, state: "kept", reason: keptText(preview, why) })),
  ];
  const cells = rows.map(({ preview, state, reason }) => [pen.code(preview.name), state, pen.sentence(reason)]);
  return pen.longTable("previews", ["Preview", "", "Why"], cells);
}
