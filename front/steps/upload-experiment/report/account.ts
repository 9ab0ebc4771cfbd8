import { placeText } from "../../../../src/files/json/errors.ts";
import type { ResultsRead } from "../../../../src/experiments/events.ts";
import { bytesText } from "../../../../src/text/bytes.ts";
import { durationText } from "../../../../src/text/duration.ts";
import { countOf, countText, numberText } from "../../../../src/text/number.ts";
import { briefBy } from "../../../account/account.ts";
import type { MarkdownPen } from "../../../account/markdown-pen.ts";
import { firstOf, inComment, inLog, inSummary, onPages, type Block, type Account } from "../../../account/part.ts";
import { columnsText, rowNotes, rowRemarks } from "../../../account/results-words.ts";
import { uploadEnd, uploadTop } from "../../../account/upload-report.ts";
import { datasetOf, subjectOf, type UploadFacts } from "./facts.ts";
import { keptText, uploadFailure } from "./failure.ts";

/** The account of an upload: did it work and where to look, what to check, the scores, the experiments and the files. */
export const experimentAccount: Account<UploadFacts> = (facts, kind, pen) => {
  const { ended, warnings, sent, sendingTook, written, planned } = facts;
  const name = subjectOf(facts);
  const subject = pen.text(name ?? "The upload");
  const kept = keptText(facts);
  const page = sent.length === 1 ? sent[0]?.page : undefined;
  const bytes = sent.reduce((sum, experiment) => sum + (experiment.wasSent ? experiment.bytes : 0), 0);
  const top = {
    what: "Results",
    subject,
    isSeveral: planned.length > 1,
    unfinished: subject,
    failure: uploadFailure,
    name,
    kept: kept === undefined ? undefined : { label: "Uploaded", text: kept },
    sent: [
      ...(page === undefined ? [] : [`**${pen.link(page)}**`]),
      ...(sent.length > 0 && bytes === 0 ? ["stored by an earlier attempt of this run, nothing was sent"] : []),
      ...(bytes === 0 ? [] : [`${bytesText(bytes)} in ${durationText(sendingTook)}`]),
    ],
    isUnsent: written.length > 0,
  } as const;
  return [
    ...uploadTop(facts, top, kind, pen),
    ...inLog(ended?.status === "dry-run" && written.length === 0 ? { sentence: "Nothing was sent." } : undefined),
    ...onPages({ warnings }, rowsLine(facts), scoresTable(facts, pen)),
    ...inSummary(
      experimentsTable(facts, pen),
      datasetLine(facts, pen),
      {
        rest: "requests",
        head: ["Request", "Size"],
        rows: written.map(({ path, bytes: size }) => [pen.code(path), bytesText(size)]),
      },
      filesTable(facts, pen),
      columnsPart(facts, pen),
    ),
    ...inComment(failingPart(facts, pen)),
  ];
};

/** The section of an upload in the comment of a pull request: the scores, and which rows have an error. */
export const uploadBrief = briefBy(experimentAccount, (facts) => ({
  ...uploadEnd(facts),
  name: datasetOf(facts).name ?? subjectOf(facts) ?? "results",
  page: facts.sent.length === 1 ? facts.sent[0]?.page : undefined,
}));

/** How many rows, with what is remarkable about them. */
function rowsLine({ results }: UploadFacts): Block | undefined {
  if (!results) return undefined;
  const { rows, latency } = results;
  const of = !latency || latency.n === rows ? "" : ` (${countText(latency.n)} of them)`;
  const times = latency ? `p50 ${durationText(latency.p50)}, p95 ${durationText(latency.p95)}` : "";
  const items = [
    countOf(rows, "row"),
    ...rowRemarks(results),
    ...(times === "" ? [] : [`latency ${times}${of}`]),
    ...rowNotes(results),
  ];
  return { sentence: items.join(" · ") };
}

/** The scores in their order; all of a long list stand in a part that is closed at first. */
function scoresTable({ results }: UploadFacts, pen: MarkdownPen): Block | undefined {
  if (!results) return undefined;
  const head = ["Score", "Mean", "Rows", "Missing"];
  const { parts } = results;
  if (!parts) return { rest: "scores", head, rows: scoreRows(results, pen) };
  const rows = parts.flatMap(({ value, results: part }) => {
    const of = pen.text(value);
    return scoreRows(part, pen).map((cells) => [of, ...cells]);
  });
  return { rest: "scores", head: ["Rows with", ...head], rows };
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
function experimentsTable({ sent, planned, ended }: UploadFacts, pen: MarkdownPen): Block | undefined {
  if (sent.length === 0 && ended?.status !== "dry-run") return undefined;
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
  return { rest: "experiments", head, rows };
}

function datasetLine(facts: UploadFacts, pen: MarkdownPen): Block | undefined {
  const { id, name } = datasetOf(facts);
  const texts = [...(name === undefined ? [] : [pen.text(name)]), ...(id === undefined ? [] : [pen.code(id)])];
  return texts.length === 0 ? undefined : { written: `Dataset: ${texts.join(" ")}` };
}

function filesTable({ results }: UploadFacts, pen: MarkdownPen): Block {
  const rows = (results?.files ?? []).map(({ name, format, rows, size }) => [
    pen.code(name),
    pen.text(format),
    countText(rows),
    bytesText(size),
  ]);
  return { rest: "files", head: ["File", "Format", "Rows", "Size"], rows };
}

/** How the columns of the files were read, closed at first; files that were read alike share a line. */
function columnsPart({ results }: UploadFacts, pen: MarkdownPen): Block {
  const files = (results?.files ?? []).flatMap(({ name, columns }) => {
    return columns ? [{ name, text: columnsText(columns), by: columns.by }] : [];
  });
  const alike = [...Map.groupBy(files, ({ by, text }) => `${by === "mapping" ? "by mapping: " : ""}${text}`)];
  const list = alike.map(([text, [first, ...others]]) => {
    const more = others.length === 0 ? "" : ` and ${countOf(others.length, "more file")}`;
    return `${pen.code(first?.name ?? "")}${more}: ${pen.sentence(text)}`;
  });
  return { details: "How the columns were read", body: [{ list: firstOf(list, MOST_READINGS) }] };
}

// A summary is worth a look, the log has the line of each file.
const MOST_READINGS = 20;

/** Where the rows with an error stand, closed at first: their texts stay in the service. */
function failingPart({ results }: UploadFacts, pen: MarkdownPen): Block | undefined {
  const { failing = [], errors = 0 } = results ?? {};
  if (failing.length === 0) return undefined;
  const rest = errors - failing.length;
  const list = [
    ...failing.map((place) => pen.code(placeText(place))),
    ...(rest > 0 ? [`and ${countText(rest)} more`] : []),
  ];
  return { details: `${countOf(errors, "row")} with an error`, body: [{ list }] };
}
