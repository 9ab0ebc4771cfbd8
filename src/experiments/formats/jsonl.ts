import { rolesOfNames, type ColumnRole, type ValueKind } from "../columns.ts";
import type { FormatContext, ResultFormat } from "../format.ts";
import { isJsonObject } from "../../files/json-object.ts";
import type { JsonPeek } from "../../files/json/peek.ts";
import { ExactNumber, NOT_A_NUMBER, type JsonValue } from "../../files/json/value.ts";
import type { ResultFile } from "../result-file.ts";
import { kindOf } from "../../files/json/kind.ts";
import { jsonLines, type JsonRecord } from "./json-records.ts";
import { listedValues } from "./listed-values.ts";
import type { TableDialect } from "./table-columns.ts";
import { TableReader } from "./table-reader.ts";

/** Objects of any tool, one a line or all in a list, read by a mapping or by the names of their keys. */
export const jsonl: ResultFormat = {
  name: "jsonl",
  isGeneric: true,
  takesMapping: true,
  detect: ({ json, text }) => {
    if (json === undefined || FOREIGN.some((keys) => keys.every((key) => json.topKeys.includes(key)))) return false;
    if (json.kind === "lines" || json.kind === "array") return json.topKeys.length > 0;
    return json.kind === "object" && hasInputs(json) && isOneLine(text);
  },
  rows: function* (file, context) {
    const reader = new TableReader({ file: file.name, dialect, context });
    const records = file.json?.kind === "array" ? listedRecords(file, context) : jsonLines(file, context);
    for (const { record, place, bytes } of records) yield* reader.take(record, place, bytes);
    yield* reader.end();
  },
};

/** Keys by which lines of other tools are known. */
const FOREIGN: readonly (readonly string[])[] = [
  ["row_id"],
  ["evaluation_scores"],
  ["type", "experiment_name"],
  ["type", "experiment_start_time"],
  ["promptIdx", "testIdx"],
  ["spec"],
  ["final_report"],
  ["event_id", "sample_id"],
  ["experimentName", "scores"],
  ["experiment_name", "scores"],
  ["ExperimentName", "Scores"],
];

function hasInputs({ topKeys }: JsonPeek): boolean {
  const roleOfName = rolesOfNames(topKeys);
  return topKeys.some((key) => roleOfName(key)?.part === "inputs");
}

function isOneLine(text: string): boolean {
  return !text.trimEnd().includes("\n");
}

const dialect: TableDialect = {
  rolesOfNames,
  kindOf: kindOfValue,
  valueFor: valueForRole,
};

function kindOfValue(value: JsonValue): ValueKind {
  if (value === null) return "nothing";
  if (isJsonObject(value)) return "object";
  const isNumber = typeof value === "number" || typeof value === "boolean";
  return isNumber || value instanceof ExactNumber || value === NOT_A_NUMBER ? "number" : "text";
}

/** As Python writes what is missing, null and NaN are nothing, but where a score has no number. */
function valueForRole({ part }: ColumnRole, value: JsonValue): JsonValue | undefined {
  if (part === "score" || part === "scores") return value;
  return value === null || value === NOT_A_NUMBER ? undefined : value;
}

function* listedRecords(file: ResultFile, context: FormatContext): Generator<JsonRecord, void, undefined> {
  for (const { value, place } of listedValues(file, [], context)) {
    // How long its text is does not tell much here: a guess that lets enough of them be looked at.
    if (isJsonObject(value)) yield { record: value, place, bytes: GUESSED_BYTES };
    else context.fault(place, `an element of the list is ${kindOf(value)}, and should be an object`);
  }
}

const GUESSED_BYTES = 1024;
