import type { FormatContext } from "../shared/format.ts";
import { isJsonObject, type JsonObject } from "../../../files/json/value.ts";
import { DataFileError, type FilePlace } from "../../../files/json/errors.ts";
import { jsonValueOf } from "../../../files/json/parsed-value.ts";
import { quotedName } from "../../../text/quoted.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { csvHead, csvRecords, raggedFault } from "../shared/csv-file.ts";
import type { CsvRecord } from "../shared/csv-scanner.ts";
import { distinctScores, factsOf, ScoreKeys, UNKNOWN_ERROR } from "../shared/tool-values.ts";
import { promptfooId } from "./columns.ts";
import { AS_JSON, isPromptfooHeader, readHeadings, type Column, type Group, type Headings } from "./headings.ts";

/** True for the CSV of promptfoo: a group of columns for each prompt and provider, under the same names. */
export function isPromptfooTable(file: ResultFile): boolean {
  return isPromptfooHeader(csvHead(file).header);
}

/** A row for each group of columns of each record. Throws DataFileError for headings that are not known. */
export function* promptfooTableRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  if (!isPromptfooTable(file)) refuseOlderTable(file);
  let headings: Headings | undefined;
  const empty = { cells: 0, firstLine: 0 };
  let cells = 0;
  for (const record of csvRecords(file, ",")) {
    const place = { file: file.name, line: record.line };
    if (!headings) {
      headings = readHeadings(record.cells, place);
      continue;
    }
    const { header, groups } = headings;
    const filled = groups.filter(({ output, reason }) =>
      record.cells.slice(output, reason + 1).some((text) => text !== ""),
    );
    if (record.cells.length !== header.length) {
      context.fault(place, raggedFault(record.cells, header));
      continue;
    }
    if (filled.length === 0) context.fault(place, "the row has no result for any prompt");
    cells += groups.length;
    if (filled.length < groups.length && empty.cells === 0) empty.firstLine = record.line;
    empty.cells += groups.length - filled.length;
    for (const group of filled) {
      yield* rowsOf(record, headings, group, place, context);
    }
  }
  if (empty.cells === 0 || context.isFaulty()) return;
  const what = "have no result, perhaps because the case was not run with the prompt; the first is in";
  context.warn(`${file.name}: ${empty.cells} of ${cells} cells ${what} line ${empty.firstLine}.`);
}

/** Refuses the CSV of an earlier promptfoo, whose cells hold a verdict, a score and an output in one text. */
export function refuseOlderTable(file: ResultFile): void {
  const { header, records } = csvHead(file);
  const isOutput = (column: number) => {
    const cells = records.map(({ cells }) => cells[column] ?? "").filter((text) => text !== "");
    return cells.length > 0 && cells.every((text) => OLDER_CELL.test(text));
  };
  const output = header.findIndex((_, column) => isOutput(column));
  if (output === -1) return;
  const what = `the file is a table of an earlier promptfoo, with the verdict in front of the output in ${quotedName(header[output] ?? "")}`;
  throw new DataFileError({ file: file.name, line: 1 }, what, { advice: AS_JSON });
}

const OLDER_CELL = /^\[(?:PASS|FAIL|ERROR)\](?:\s|$)/;

const VERDICTS: ReadonlyMap<string, boolean> = new Map([
  ["PASS", true],
  ["FAIL", false],
  ["ERROR", false],
]);

function rowsOf(
  { cells }: CsvRecord,
  { hasDescription, vars: columns, groups, metadata: columnsOfMetadata }: Headings,
  group: Group,
  place: FilePlace,
  context: FormatContext,
): readonly SourceRow[] {
  const cell = (at: number) => cells[at] ?? "";
  const status = cell(group.status);
  const pass = VERDICTS.get(status);
  const named = namedOf(group, cell);
  if (pass === undefined) context.fault(place, "`Status` must be PASS, FAIL or ERROR");
  if (!named) context.fault(place, "`Named Scores` is not a JSON object");
  if (pass === undefined || !named) return [];
  const vars = entriesOf(columns, cell);
  const [prompt, provider, output] = [group.prompt, group.provider, cell(group.output)];
  const description = hasDescription ? cell(0) : undefined;
  const row = {
    place,
    ...promptfooId({ vars, description, provider, prompt: group.position }),
    inputs: vars,
    outputs: status === "ERROR" && output === "" ? undefined : output,
    scores: [
      { key: "pass", value: pass, comment: cell(group.reason) || undefined },
      { key: "score", value: cell(group.score) },
      ...distinctScores(named, new ScoreKeys(["pass", "score"])),
    ],
    // The text of an error is not in the table.
    error: status === "ERROR" ? cell(group.reason) || UNKNOWN_ERROR : undefined,
    metadata: factsOf({
      prompt,
      provider,
      description,
      ...(group === groups[0] ? entriesOf(columnsOfMetadata, cell) : {}),
    }),
  };
  return [row];
}

function entriesOf(columns: readonly Column[], cell: (at: number) => string): JsonObject {
  return Object.fromEntries(columns.map(({ at, name }) => [name, cell(at)]));
}

/** The named scores of a group, all of them together in one cell or, where that is empty, one in each column. */
function namedOf({ named, metrics }: Group, cell: (at: number) => string): readonly SourceScore[] | undefined {
  if (cell(named) === "") {
    return metrics.map(({ at, name }) => ({ key: name, value: cell(at) })).filter(({ value }) => value !== "");
  }
  const scores = jsonValueOf(cell(named));
  return isJsonObject(scores) ? Object.entries(scores).map(([key, value]) => ({ key, value })) : undefined;
}
