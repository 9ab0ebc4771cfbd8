import { bytesText } from "../../../src/text/bytes.ts";
import { countOf, countText, numberText } from "../../../src/text/number.ts";
import { longTable } from "../../report/long-table.ts";
import type { MarkdownPen } from "../../report/markdown-pen.ts";
import { columnsText } from "./column-words.ts";
import type { UploadFacts } from "./ledger.ts";
import { datasetOf } from "./upload-subject.ts";

// A summary is worth a look, the log has the line of each file.
const MOST_READINGS = 20;

/** The scores in their order; all of a long list stand in a part that is closed at first. */
export function scoresTable({ results }: UploadFacts, pen: MarkdownPen): string {
  if (results === undefined) return "";
  const { scores, words } = results;
  const rowOf = (key: string, mean: string, n: number) => {
    return [pen.text(key), mean, countText(n), countText(Math.max(0, results.rows - n))];
  };
  const rows = [
    ...[...scores].map(([key, { mean, n }]) => rowOf(key, numberText(mean), n + (words.get(key) ?? 0))),
    ...[...words].filter(([key]) => !scores.has(key)).map(([key, n]) => rowOf(key, "in words", n)),
  ];
  return longTable("scores", ["Score", "Mean", "Rows", "Missing"], rows, pen);
}

/** The experiments that were sent, or that would be, with their ids. */
export function experimentsTable({ sent, planned, ended }: UploadFacts, pen: MarkdownPen): string {
  if (sent.length === 0 && ended?.status !== "dry-run") return "";
  const rows =
    sent.length > 0
      ? sent.map(({ name, rows, bytes, id, page, status }) => [
          pen.text(name),
          status === "uncertain" ? "most likely uploaded" : pen.code(id ?? ""),
          countText(rows),
          bytesText(bytes),
          // The page of the only one stands at the top.
          page === undefined || sent.length === 1 ? "" : pen.link(page),
        ])
      : planned.map(({ name, rows, bytes }) => [pen.text(name), "", countText(rows), bytesText(bytes), ""]);
  const head = ["Experiment", "Id", "Rows", "Size", ...(rows.some((cells) => cells[4] !== "") ? ["Page"] : [])];
  return longTable("experiments", head, rows, pen);
}

/** The dataset that they are in. */
export function datasetLine(facts: UploadFacts, pen: MarkdownPen): string {
  const { id, name } = datasetOf(facts);
  const texts = [...(name === undefined ? [] : [pen.text(name)]), ...(id === undefined ? [] : [pen.code(id)])];
  return texts.length === 0 ? "" : `Dataset: ${texts.join(" ")}`;
}

/** The files that hold what was not sent. */
export function requestList({ written }: UploadFacts, pen: MarkdownPen): string {
  const rows = written.map(({ path, bytes }) => [pen.code(path), bytesText(bytes)]);
  return longTable("requests", ["Request", "Size"], rows, pen);
}

/** The files that were read. */
export function filesTable({ results }: UploadFacts, pen: MarkdownPen): string {
  const rows = (results?.files ?? []).map(({ name, format, rows, size }) => [
    pen.code(name),
    pen.text(format),
    countText(rows),
    bytesText(size),
  ]);
  return longTable("files", ["File", "Format", "Rows", "Size"], rows, pen);
}

/** How the columns of the files were read, closed at first; files that were read alike share a line. */
export function columnsPart({ results }: UploadFacts, pen: MarkdownPen): string {
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
