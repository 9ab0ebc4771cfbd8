import { bytesText } from "../../../src/text/bytes.ts";
import { durationText } from "../../../src/text/duration.ts";
import { countOf, countText } from "../../../src/text/number.ts";
import { ForeignText } from "../../../src/text/foreign-text.ts";
import { MarkdownPen } from "../../report/markdown-pen.ts";
import { failureParts, summaryText, warningsPart, type SummaryOptions } from "../../report/summary-parts.ts";
import { NO_FILES } from "../../report/reading-text.ts";
import { rowNotes, rowRemarks } from "./experiment-words.ts";
import { keptText, uploadFailure } from "./failure.ts";
import type { UploadFacts } from "./ledger.ts";
import { columnsPart, datasetLine, experimentsTable, filesTable, requestList, scoresTable } from "./summary-tables.ts";
import { subjectOf } from "./upload-subject.ts";

/** What must not be in a summary, how long it may be, and where the run is. */
export interface UploadSummaryOptions extends SummaryOptions {
  /** The page of the workflow run. */
  readonly runUrl?: string | undefined;
}

/**
 * The job summary of an upload as markdown: did it work and where to look, what to check, the scores, the experiments
 * and the files. It ends with a line break.
 */
export function summaryOf(
  facts: UploadFacts,
  { redact, rehearsal = false, runUrl, limitBytes }: UploadSummaryOptions = {},
): string {
  const pen = new MarkdownPen(new ForeignText(redact));
  const error = facts.ended?.error;
  const parts =
    error === undefined
      ? [`### ${headline(facts, pen)}${rehearsal ? " (rehearsal)" : ""}`]
      : [...failureParts(uploadFailure(error), subjectOf(facts), pen), keptPart(facts, pen)];
  return summaryText(
    [
      ...parts,
      lead(facts, runUrl, pen),
      warningsPart(facts.warnings, pen),
      rowsLine(facts, pen),
      scoresTable(facts, pen),
      experimentsTable(facts, pen),
      datasetLine(facts, pen),
      requestList(facts, pen),
      filesTable(facts, pen),
      columnsPart(facts, pen),
    ],
    limitBytes,
  );
}

function headline(facts: UploadFacts, pen: MarkdownPen): string {
  const subject = pen.text(subjectOf(facts) ?? "The upload");
  const verb = facts.planned.length > 1 ? "are" : "is";
  switch (facts.ended?.status) {
    case "uploaded":
      return `✅ ${subject} ${verb} uploaded`;
    case "uncertain":
      return `⚠️ ${subject} ${verb} most likely uploaded`;
    case "dry-run":
      return `Dry run: ${subject} would be uploaded`;
    case "no-files":
      return `Results: ${NO_FILES}`;
    default:
      return `${subject}: the run did not come to its end`;
  }
}

function lead(facts: UploadFacts, runUrl: string | undefined, pen: MarkdownPen): string {
  const { sent, sendingTook, written, ended } = facts;
  const page = sent.length === 1 ? sent[0]?.page : undefined;
  const bytes = sent.reduce((sum, experiment) => sum + experiment.bytes, 0);
  return [
    ...(page === undefined ? [] : [`**${pen.link(page)}**`]),
    ...(sent.length === 0 ? [] : [`${bytesText(bytes)} in ${durationText(sendingTook)}`]),
    ...(written.length > 0 || ended?.status === "dry-run" ? ["Nothing was sent"] : []),
    ...(runUrl === undefined ? [] : [`workflow run ${pen.link(runUrl)}`]),
  ].join(" · ");
}

function keptPart(facts: UploadFacts, pen: MarkdownPen): string {
  const kept = keptText(facts);
  return kept === "" ? "" : `**Uploaded:** ${pen.sentence(kept)}`;
}

function rowsLine({ results }: UploadFacts, pen: MarkdownPen): string {
  if (results === undefined) return "";
  const { rows, latency } = results;
  const of = latency === undefined || latency.n === rows ? "" : ` (${countText(latency.n)} of them)`;
  const times = latency === undefined ? "" : `p50 ${durationText(latency.p50)}, p95 ${durationText(latency.p95)}`;
  const items = [
    countOf(rows, "row"),
    ...rowRemarks(results),
    ...(times === "" ? [] : [`latency ${times}${of}`]),
    ...rowNotes(results),
  ];
  return pen.sentence(items.join(" · "));
}
