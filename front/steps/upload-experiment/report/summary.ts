import { bytesText } from "../../../../src/text/bytes.ts";
import { durationText } from "../../../../src/text/duration.ts";
import { ForeignText } from "../../../../src/text/foreign-text.ts";
import { countOf, countText, numberText } from "../../../../src/text/number.ts";
import { MarkdownPen } from "../../../account/markdown-pen.ts";
import { failureParts, summaryText, warningsPart, type SummaryOptions } from "../../../account/summary.ts";
import { NO_FILES } from "../../../account/upload-report.ts";
import { datasetOf, subjectOf, type UploadFacts } from "./facts.ts";
import { keptText, uploadFailure } from "./failure.ts";
import { columnsText, rowNotes, rowRemarks } from "../../../account/results-words.ts";
import { placeText } from "../../../../src/files/json/errors.ts";
import type { ResultsRead, UploadStatus } from "../../../../src/experiments/events.ts";
import type { Sign, RunBrief } from "../../../account/brief.ts";
import { runBrief } from "../../../account/brief.ts";

// A summary is worth a look, the log has the line of each file.
const MOST_READINGS = 20;

/**
 * The job summary of an upload as markdown: did it work and where to look, what to check, the scores, the experiments
 * and the files. It ends with a line break.
 */
export function summaryOf(
  facts: UploadFacts,
  { redact, rehearsal = false, runUrl, limitBytes }: SummaryOptions = {},
): string {
  const pen = new MarkdownPen(new ForeignText(redact));
  return summaryText(
    [
      ...headParts(facts, { rehearsal, runUrl }, pen),
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

/** Did it work, and where to look; of a failure why, and what to do next. */
function headParts(
  facts: UploadFacts,
  { rehearsal = false, runUrl }: Pick<SummaryOptions, "rehearsal" | "runUrl">,
  pen: MarkdownPen,
): readonly string[] {
  const error = facts.ended?.error;
  const parts =
    error === undefined
      ? [`### ${headline(facts, pen)}${rehearsal ? " (rehearsal)" : ""}`]
      : [...failureParts(uploadFailure(error), subjectOf(facts), pen), keptPart(facts, pen)];
  return [...parts, lead(facts, runUrl, pen)];
}

function headline(facts: UploadFacts, pen: MarkdownPen): string {
  const subject = pen.text(subjectOf(facts) ?? "The upload");
  const verb = facts.planned.length > 1 ? "are" : "is";
  switch (facts.ended?.status) {
    case "uploaded":
      return `✅ ${subject} ${verb} uploaded`;
    case "dry-run":
      return `Dry run: ${subject} would be uploaded`;
    case "no-files":
      return `Results: ${NO_FILES}`;
    default:
      return `${subject}: the run did not finish`;
  }
}

function lead(facts: UploadFacts, runUrl: string | undefined, pen: MarkdownPen): string {
  const { sent, sendingTook, written, ended } = facts;
  const page = sent.length === 1 ? sent[0]?.page : undefined;
  const bytes = sent.reduce((sum, experiment) => sum + (experiment.wasSent ? experiment.bytes : 0), 0);
  return [
    ...(page === undefined ? [] : [`**${pen.link(page)}**`]),
    ...(sent.length > 0 && bytes === 0 ? ["stored by an earlier attempt of this run, nothing was sent"] : []),
    ...(bytes === 0 ? [] : [`${bytesText(bytes)} in ${durationText(sendingTook)}`]),
    ...(written.length > 0 || ended?.status === "dry-run" ? ["Nothing was sent"] : []),
    ...(runUrl === undefined ? [] : [`workflow run ${pen.link(runUrl)}`]),
  ].join(" · ");
}

function keptPart(facts: UploadFacts, pen: MarkdownPen): string {
  const kept = keptText(facts);
  return kept === "" ? "" : `**Uploaded:** ${pen.sentence(kept)}`;
}

/** How many rows, with what is remarkable about them. */
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

/** The scores in their order; all of a long list stand in a part that is closed at first. */
function scoresTable({ results }: UploadFacts, pen: MarkdownPen): string {
  if (results === undefined) return "";
  const head = ["Score", "Mean", "Rows", "Missing"];
  const { parts } = results;
  if (parts === undefined) return pen.longTable("scores", head, scoreRows(results, pen));
  const rows = parts.flatMap(({ value, results: part }) => {
    const of = pen.text(value);
    return scoreRows(part, pen).map((cells) => [of, ...cells]);
  });
  return pen.longTable("scores", ["Rows with", ...head], rows);
}

function scoreRows({ scores, words, rows: all }: ResultsRead, pen: MarkdownPen): readonly (readonly string[])[] {
  const rowOf = (key: string, mean: string, n: number) => {
    return [pen.text(key), mean, countText(n), countText(Math.max(0, all - n))];
  };
  return [
    ...[...scores].map(([key, { mean, n }]) => rowOf(key, numberText(mean), n + (words.get(key) ?? 0))),
    ...[...words].filter(([key]) => !scores.has(key)).map(([key, n]) => rowOf(key, "in words", n)),
  ];
}

/** The experiments that were sent, or that would be, with their ids. */
function experimentsTable({ sent, planned, ended }: UploadFacts, pen: MarkdownPen): string {
  if (sent.length === 0 && ended?.status !== "dry-run") return "";
  const rows =
    sent.length > 0
      ? sent.map(({ name, rows, bytes, id, page }) => [
          pen.text(name),
          id === undefined ? "not known" : pen.code(id),
          countText(rows),
          bytesText(bytes),
          // The page of the only one stands at the top.
          page === undefined || sent.length === 1 ? "" : pen.link(page),
        ])
      : planned.map(({ name, rows, bytes }) => [pen.text(name), "", countText(rows), bytesText(bytes), ""]);
  const head = ["Experiment", "Id", "Rows", "Size", ...(rows.some((cells) => cells[4] !== "") ? ["Page"] : [])];
  return pen.longTable("experiments", head, rows);
}

/** The dataset that they are in. */
function datasetLine(facts: UploadFacts, pen: MarkdownPen): string {
  const { id, name } = datasetOf(facts);
  const texts = [...(name === undefined ? [] : [pen.text(name)]), ...(id === undefined ? [] : [pen.code(id)])];
  return texts.length === 0 ? "" : `Dataset: ${texts.join(" ")}`;
}

/** The files that hold what was not sent. */
function requestList({ written }: UploadFacts, pen: MarkdownPen): string {
  const rows = written.map(({ path, bytes }) => [pen.code(path), bytesText(bytes)]);
  return pen.longTable("requests", ["Request", "Size"], rows);
}

/** The files that were read. */
function filesTable({ results }: UploadFacts, pen: MarkdownPen): string {
  const rows = (results?.files ?? []).map(({ name, format, rows, size }) => [
    pen.code(name),
    pen.text(format),
    countText(rows),
    bytesText(size),
  ]);
  return pen.longTable("files", ["File", "Format", "Rows", "Size"], rows);
}

/** How the columns of the files were read, closed at first; files that were read alike share a line. */
function columnsPart({ results }: UploadFacts, pen: MarkdownPen): string {
  const files = (results?.files ?? []).flatMap(({ name, columns }) => {
    return columns === undefined ? [] : [{ name, text: columnsText(columns), by: columns.by }];
  });
  const alike = [...Map.groupBy(files, ({ by, text }) => `${by === "mapping" ? "by mapping: " : ""}${text}`)];
  const shown = alike.slice(0, MOST_READINGS).map(([text, [first, ...others]]) => {
    const more = others.length === 0 ? "" : ` and ${countOf(others.length, "more file")}`;
    return `- ${pen.code(first?.name ?? "")}${more}: ${pen.sentence(text)}`;
  });
  if (shown.length === 0) return "";
  const rest = alike.length - shown.length;
  return pen.details(
    "How the columns were read",
    [...shown, ...(rest > 0 ? [`- and ${countText(rest)} more`] : [])].join("\n"),
  );
}

const ENDS: Readonly<Record<UploadStatus, readonly [sign: Sign, state: string]>> = {
  uploaded: ["good", "uploaded"],
  uncertain: ["bad", "not confirmed"],
  "dry-run": ["neutral", "dry run"],
  "no-files": ["neutral", "no files"],
  failed: ["bad", "failed"],
};

/** The section of an upload in the comment of a pull request: the scores, and which rows have an error. */
export function uploadBrief(facts: UploadFacts, { redact, rehearsal = false }: SummaryOptions = {}): RunBrief {
  const text = new ForeignText(redact);
  const pen = new MarkdownPen(text);
  const [sign, state] = ENDS[facts.ended?.status ?? "failed"];
  const parts = [
    ...headParts(facts, { rehearsal }, pen),
    warningsPart(facts.warnings, pen),
    rowsLine(facts, pen),
    scoresTable(facts, pen),
    failingPart(facts, pen),
  ];
  const page = facts.sent.length === 1 ? facts.sent[0]?.page : undefined;
  const name = datasetOf(facts).name ?? subjectOf(facts) ?? "results";
  return runBrief({ name, sign, state, page, parts }, { text, rehearsal });
}

/** Where the rows with an error stand, closed at first: their texts stay in the service. */
function failingPart({ results }: UploadFacts, pen: MarkdownPen): string {
  const { failing = [], errors = 0 } = results ?? {};
  if (failing.length === 0) return "";
  const rest = errors - failing.length;
  const lines = failing.map((place) => `- ${pen.code(placeText(place))}`);
  return pen.details(
    `${countOf(errors, "row")} with an error`,
    [...lines, ...(rest > 0 ? [`- and ${countText(rest)} more`] : [])].join("\n"),
  );
}
