import type { FormatContext, ResultFormat } from "./shared/format.ts";
import { isJsonList, isJsonObject } from "../../files/json-object.ts";
import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import type { ResultFile } from "../rows/result-file.ts";
import type { SourceRow } from "../rows/source-row.ts";
import { cellDialect, csvObjects } from "./table/csv-table.ts";
import { jsonDialect } from "./table/columns.ts";
import { recordList } from "./table/container-records.ts";
import { readLiteral } from "./table/cell-literal.ts";
import { ColumnRoles } from "./table/column-roles.ts";
import { TableReader } from "./table/reader.ts";
import { toolNames } from "./table/tool-record.ts";

/**
 * What `evaluate_dataframe()` of phoenix.evals gives, as pandas writes it: the columns of the user's own table, and for
 * each evaluator its score as an object, and how it went.
 */
export const phoenixEvals: ResultFormat = {
  name: "phoenix-evals",
  detect: (file) => {
    const names = toolNames(file);
    return names.some((name) => evaluatorOf(name, names) !== undefined);
  },
  rows: (file, context) => {
    context.describeRun({ tool: "phoenix-evals" });
    return file.json === undefined ? cellRows(file, context) : objectRows(file, context);
  },
};

const SCORE = "_score";
const DETAILS = "_execution_details";

/** The evaluator whose score a column is. */
function evaluatorOf(name: string, names: readonly string[]): string | undefined {
  if (!name.endsWith(SCORE)) return undefined;
  const evaluator = name.slice(0, -SCORE.length);
  return names.includes(`${evaluator}${DETAILS}`) ? evaluator : undefined;
}

async function* cellRows(file: ResultFile, context: FormatContext): AsyncGenerator<SourceRow, void, undefined> {
  const dialect = cellDialect({ decide: (samples) => new ColumnRoles(samples) });
  const reader = new TableReader({ file: file.name, dialect, context });
  for await (const { record, place, size } of csvObjects(file, context)) {
    yield* reader.take(withScores(record), place, size);
  }
  yield* reader.end();
}

function* objectRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  const reader = new TableReader({ file: file.name, dialect: jsonDialect, context });
  for (const { record, place, bytes } of recordList(file, context)) {
    yield* reader.take(withScores(record), place, bytes);
  }
  yield* reader.end();
}

/** The record with one list of scores, in place of all columns of evaluators, and why some of them broke. */
function withScores(record: JsonObject): JsonObject {
  const names = Object.keys(record);
  const scores: JsonValue[] = [];
  const errors: [string, JsonValue][] = [];
  const others: [string, JsonValue][] = [];
  for (const [name, cell] of Object.entries(record)) {
    const evaluator = evaluatorOf(name, names);
    if (evaluator !== undefined) {
      const score = objectOf(cell);
      scores.push({ score: null, ...score, name: evaluator });
    } else if (name.endsWith(DETAILS)) {
      const { exceptions } = objectOf(cell) ?? {};
      if (isJsonList(exceptions) && exceptions.length > 0) errors.push([name.slice(0, -DETAILS.length), exceptions]);
    } else others.push([name, cell]);
  }
  const broken = errors.length === 0 ? {} : { evaluator_errors: Object.fromEntries(errors) };
  return { ...Object.fromEntries(others), scores, ...broken };
}

function objectOf(cell: JsonValue): JsonObject | undefined {
  const value = typeof cell === "string" ? readLiteral(cell) : cell;
  return isJsonObject(value) ? value : undefined;
}
