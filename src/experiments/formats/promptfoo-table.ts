import type { FormatContext } from "../format.ts";
import { isJsonObject } from "../../files/json-object.ts";
import { decodeJson } from "../../files/json/parsed-value.ts";
import { JsonFault } from "../../files/json/json-fault.ts";
import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import type { ResultFile } from "../result-file.ts";
import type { SourceRow, SourceScore } from "../source-row.ts";
import { csvHead, csvRecords, type CsvRecord } from "./csv-file.ts";
import { UNKNOWN_ERROR } from "./error-text.ts";
import { promptfooId, PromptfooColumns } from "./promptfoo-columns.ts";
import { metadataOf } from "./row-metadata.ts";
import { ScoreKeys } from "./score-keys.ts";

/** True for the CSV of promptfoo: a group of columns for each prompt and provider, under the same names. */
export function isPromptfooTable(file: ResultFile): boolean {
  if (!file.text.includes("Grader Reason")) return false;
  return columnsOf(csvHead(file)?.header ?? []).groups.length > 0;
}

/** A row for each group of columns of each record. */
export async function* promptfooTableRows(
  file: ResultFile,
  context: FormatContext,
): AsyncGenerator<SourceRow, void, undefined> {
  let columns: Columns | undefined;
  for await (const record of csvRecords(file, ",")) {
    if (columns === undefined) {
      columns = columnsOf(record.cells);
      continue;
    }
    const { count, groups } = columns;
    if (record.cells.length !== count) {
      const message = `the row has ${record.cells.length} cells, and the header ${count}`;
      context.fault({ file: file.name, line: record.line }, message);
      continue;
    }
    for (const group of groups) {
      const row = rowOf(record, columns, group, file.name, context);
      if (row !== undefined) yield row;
    }
  }
}

interface Columns {
  readonly count: number;
  readonly hasDescription: boolean;
  readonly vars: readonly Column[];
  readonly groups: readonly Group[];
}

interface Column {
  readonly at: number;
  readonly name: string;
}

/** The columns of one prompt and one provider. */
interface Group {
  readonly prompt: string;
  /** Which prompt of its provider it is, from 0. */
  readonly position: number;
  readonly provider: string;
  readonly output: number;
  readonly status: number;
  /** One less than the first metric. */
  readonly named: number;
  readonly metrics: readonly Column[];
  readonly reason: number;
}

const METRIC = "Metric: ";

function columnsOf(header: readonly string[]): Columns {
  const seen = new PromptfooColumns();
  const groups = header.flatMap((_name, status) => {
    const group = groupAt(header, status);
    if (group === undefined) return [];
    seen.add(group.provider, status);
    return [{ ...group, position: seen.positionOf(group.provider, status) ?? 0 }];
  });
  const names = header.slice(0, groups[0]?.output ?? 0).map((name, at) => ({ at, name }));
  // promptfoo puts it in front where a case has one; a var of the name would follow it.
  const hasDescription = names[0]?.name === "Description";
  return { count: header.length, hasDescription, vars: hasDescription ? names.slice(1) : names, groups };
}

function groupAt(header: readonly string[], status: number): Omit<Group, "position"> | undefined {
  if (header[status] !== "Status" || header[status + 1] !== "Score" || header[status + 2] !== "Named Scores") return;
  const output = header[status - 1] === "Reasoning" ? status - 2 : status - 1;
  const label = header[output];
  const reason = header.indexOf("Grader Reason", status);
  if (label === undefined || reason === -1) return undefined;
  const named = status + 2;
  const metrics = header.slice(named + 1, reason).map((name, index) => ({ at: named + 1 + index, name }));
  if (metrics.some(({ name }) => !name.startsWith(METRIC))) return undefined;
  // `[provider] label`, or the label alone.
  const [, provider = "", prompt = label] = /^\[(.*?)\] (.*)$/s.exec(label) ?? [];
  return { prompt, provider, output, status, named, metrics, reason };
}

const VERDICTS: ReadonlyMap<string, boolean> = new Map([
  ["PASS", true],
  ["FAIL", false],
  ["ERROR", false],
]);

function rowOf(
  { cells, line }: CsvRecord,
  { hasDescription, vars: columns }: Columns,
  group: Group,
  file: string,
  context: FormatContext,
): SourceRow | undefined {
  const cell = (at: number) => cells[at] ?? "";
  const place = { file, line };
  const status = cell(group.status);
  // A prompt that this case was not run with.
  if (cells.slice(group.output, group.reason + 1).every((text) => text === "")) return undefined;
  const pass = VERDICTS.get(status);
  const named = namedOf(group, cell);
  if (pass === undefined) context.fault(place, "`Status` is none of PASS, FAIL and ERROR");
  if (named === undefined) context.fault(place, "`Named Scores` is no JSON object");
  if (pass === undefined || named === undefined) return undefined;
  const vars: JsonObject = Object.fromEntries(columns.map(({ at, name }) => [name, cell(at)]));
  const [prompt, provider, output] = [group.prompt, group.provider, cell(group.output)];
  const description = hasDescription ? cell(0) : undefined;
  const keys = new ScoreKeys(["pass", "score"]);
  return {
    place,
    id: promptfooId({ vars, description, provider, prompt: group.position }),
    inputs: vars,
    outputs: status === "ERROR" && output === "" ? undefined : output,
    scores: [
      { key: "pass", value: pass, comment: cell(group.reason) || undefined },
      { key: "score", value: cell(group.status + 1) },
      ...named.map(({ key, value }) => ({ key: keys.next(key), value })),
    ],
    // The text of an error is not in the table.
    error: status === "ERROR" ? cell(group.reason) || UNKNOWN_ERROR : undefined,
    metadata: metadataOf(undefined, { prompt, provider, description }),
  };
}

/** The named scores of a group, all of them together in one cell or, where that is empty, one in each column. */
function namedOf({ named, metrics }: Group, cell: (at: number) => string): readonly SourceScore[] | undefined {
  if (cell(named) === "") {
    return metrics
      .map(({ at, name }) => ({ key: name.slice(METRIC.length), value: cell(at) }))
      .filter(({ value }) => value !== "");
  }
  const scores = parsedObject(cell(named));
  return scores && Object.entries(scores).map(([key, value]) => ({ key, value }));
}

function parsedObject(text: string): JsonObject | undefined {
  let value: JsonValue;
  try {
    value = decodeJson(Buffer.from(text));
  } catch (error) {
    if (error instanceof JsonFault) return undefined;
    throw error;
  }
  return isJsonObject(value) ? value : undefined;
}
