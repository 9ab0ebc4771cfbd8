import type { FormatContext, ResultFormat } from "./shared/format.ts";
import { DataFileError } from "../../files/json/errors.ts";
import { NOT_A_NUMBER, type JsonValue } from "../../files/json/value.ts";
import type { ResultFile } from "../rows/result-file.ts";
import { quoted } from "../rows/quoted-name.ts";
import { takeBeside } from "./table/beside-rows.ts";
import { containerRecords } from "./table/container-records.ts";
import { RecordNames } from "./table/record-names.ts";
import { rowRecords } from "./table/summary-records.ts";
import { containerOf, type Container } from "./table/container.ts";
import { ColumnRoles } from "./table/column-roles.ts";
import { kindOfJson } from "./table/column-sample.ts";
import type { TableDialect } from "./table/columns.ts";
import { TableReader } from "./table/reader.ts";

/** Objects of any tool, one a line or in any of the containers of a document, read by a mapping or by the names of their keys. */
export const jsonl: ResultFormat = {
  name: "jsonl",
  isGeneric: true,
  takesMapping: true,
  detect: (file, mapping) => {
    const { json } = file;
    if (json === undefined || (json.kind === "object" && json.fault !== undefined)) return false;
    if (FOREIGN.some((keys) => keys.every((key) => json.topKeys.includes(key)))) return false;
    return json.topKeys.length > 0 && containerOf(file, mapping) !== undefined;
  },
  rows: function* (file, context) {
    const container = containerOf(file, context.mapping) ?? otherwise(file, context);
    if ("beside" in container) takeBeside(container.beside, context);
    const reader = new TableReader({ file: file.name, dialect: jsonDialect, context });
    const records = containerRecords(container, file, context);
    for (const { record, place, bytes } of rowRecords(records, new RecordNames(context.mapping), context)) {
      yield* reader.take(record, place, bytes);
    }
    yield* reader.end();
  },
};

/** What is no container is read line by line, which says where it breaks, where nothing else is asked for. */
function otherwise({ name, json }: ResultFile, { mapping }: FormatContext): Container {
  if (mapping?.rows !== undefined) {
    const fault = `the \`rows\` of the mapping, ${quoted(mapping.rows)}, are no list of objects and no object of them`;
    throw new DataFileError({ file: name }, fault, { advice: "Correct the input `mapping`." });
  }
  return { shape: json?.kind === "object" ? "one" : "lines" };
}

/** Keys by which lines of other tools are known. */
const FOREIGN: readonly (readonly string[])[] = [
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

/** How the values of JSON are read. */
export const jsonDialect: TableDialect = {
  decide: (samples) => new ColumnRoles(samples),
  kindOf: kindOfJson,
  readerOf: () => present,
};

/** As Python writes what is missing, null and NaN are nothing. */
function present(value: JsonValue): JsonValue | undefined {
  return value === null || value === NOT_A_NUMBER ? undefined : value;
}
