import type { FormatContext } from "../shared/format.ts";
import type { FilePlace } from "../../../files/json/errors.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { caseReader, type CaseParts } from "../table/case-parts.ts";
import { csvHead } from "../shared/csv-file.ts";
import { csvObjects } from "../table/csv-table.ts";
import { readPythonLiteral } from "../shared/python-literal.ts";
import { recordList } from "../table/record-list.ts";
import { metadataOf } from "../shared/row-metadata.ts";

/**
 * True for what the page of one experiment exports as CSV or JSON, and the script of the documentation; that of several
 * has their names in its columns.
 */
export function isOpikPage(file: ResultFile): boolean {
  const names = csvHead(file)?.header ?? file.json?.topKeys ?? [];
  const has = (prefix: string) => names.some((name) => name.startsWith(prefix));
  return has(CASE) && (has(OUTPUT) || has(SCORE));
}

const CASE = "dataset.";
const OUTPUT = "evaluation_task.";
const SCORE = "feedback_scores.";
const REASON = "_reason";
// What the page shows where there is nothing.
const NOTHING = "-";

/** The rows of such an export. */
export async function* opikPageRows(
  file: ResultFile,
  context: FormatContext,
): AsyncGenerator<SourceRow, void, undefined> {
  const partsOf = caseReader();
  const records = file.json === undefined ? csvObjects(file, context) : recordList(file, context);
  for await (const { record, place } of records) yield rowOf(record, place, partsOf);
}

function rowOf(record: JsonObject, place: FilePlace, partsOf: (item: JsonObject) => CaseParts): SourceRow {
  const { id, created_at, output, ...named } = record;
  const { duration, comments, ...outputs } = below(named, OUTPUT);
  const scores = below(named, SCORE);
  const isReason = (key: string) => key.endsWith(REASON) && Object.hasOwn(scores, key.slice(0, -REASON.length));
  const seconds = Number(duration ?? Number.NaN);
  const isKnown = (name: string) => [CASE, OUTPUT, SCORE].some((prefix) => name.startsWith(prefix));
  const others = Object.entries(named).filter(([name]) => !isKnown(name));
  return {
    place,
    // The id of the item of the dataset.
    id: typeof id === "string" && id !== "" ? id : undefined,
    ...partsOf(below(named, CASE)),
    outputs: Object.keys(outputs).length === 0 ? valueOf(output) : outputs,
    scores: Object.keys(scores)
      .filter((key) => !isReason(key))
      .map((key) => ({ key, value: scores[key], comment: textOf(scores[`${key}${REASON}`]) })),
    times: Number.isNaN(seconds) ? undefined : { milliseconds: seconds * 1000 },
    metadata: metadataOf(undefined, { created_at, comments, ...Object.fromEntries(others) }),
  };
}

function textOf(reason: JsonValue | undefined): string | undefined {
  return typeof reason === "string" && reason !== "" ? reason : undefined;
}

/** The whole output of a task, as the script of Opik's documentation writes it: an object in Python's words. */
function valueOf(output: JsonValue | undefined): JsonValue | undefined {
  if (typeof output !== "string") return output ?? undefined;
  if (output === "" || output === NOTHING) return undefined;
  return (output.startsWith("{") ? readPythonLiteral(output) : undefined) ?? output;
}

/** The values below a prefix, without those that are missing. */
function below(record: JsonObject, prefix: string): JsonObject {
  return Object.fromEntries(
    Object.entries(record)
      .filter(([name, value]) => name.startsWith(prefix) && value !== NOTHING && value !== null)
      .map(([name, value]): [string, JsonValue] => [name.slice(prefix.length), value]),
  );
}
