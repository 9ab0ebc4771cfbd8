import { ExactNumber, isJsonObject, type JsonValue, NOT_A_NUMBER } from "../../files/json/value.ts";
import { AmbiguousStepError, valueAt } from "./dotted-path.ts";
import type { SourceRow } from "./source-row.ts";

/** What stands in a column of a row: a text, nothing at all, or a value that is none. */
export type ColumnText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "absent" | "empty" | "nested" };

/**
 * What stands in a column, whatever the format: in a column of its table, in its metadata, or at a dotted path such as
 * `inputs.model`. Blanks around it do not count.
 */
export function columnText(source: SourceRow, column: string): ColumnText {
  const value = columnValue(source, column);
  if (value === undefined) return { kind: "absent" };
  const text = plainText(value);
  if (text === undefined) return { kind: "nested" };
  return text === "" ? { kind: "empty" } : { kind: "text", text };
}

function columnValue(source: SourceRow, column: string): JsonValue | undefined {
  const { columns, metadata = {}, inputs = null, runName } = source;
  try {
    const named = { metadata, run_metadata: metadata, inputs, ...(runName === undefined ? {} : { run_name: runName }) };
    for (const place of [columns?.record, metadata, named]) {
      const value = valueAt(place, column);
      if (value !== undefined) return value;
    }
    return undefined;
  } catch (error) {
    if (error instanceof AmbiguousStepError) return undefined;
    throw error;
  }
}

/** The names of the columns that `columnText` finds in a row, without what stands below them. */
export function columnNames({ columns, metadata = {}, runName }: SourceRow): readonly string[] {
  if (columns) return Object.keys(columns.record);
  return [...Object.keys(metadata), ...(runName === undefined ? [] : ["run_name"])];
}

/** What may have been set before the answers were asked for: by the name under which `columnText` finds it. */
export function* settingTexts(source: SourceRow): Generator<readonly [column: string, text: string], void, void> {
  const { columns, metadata, inputs, runName, outcome } = source;
  if (columns) {
    for (const [name, value] of Object.entries(columns.record)) {
      if (!columns.isResult(name)) yield* textsOf(name, value);
    }
    return;
  }
  for (const [name, value] of Object.entries(metadata ?? {})) {
    // What became of a trial is no setting.
    if (name !== "outcome" || outcome === undefined) yield* textsOf(name, value);
  }
  if (isJsonObject(inputs)) yield* textsOf("inputs", inputs);
  if (runName !== undefined) yield ["run_name", runName.trim()];
}

// A setting stands in the row, or in an object of settings in it; what is deeper is what a tool has logged.
function* textsOf(name: string, value: JsonValue): Generator<readonly [string, string], void, void> {
  if (isJsonObject(value)) {
    for (const [key, part] of Object.entries(value)) {
      const text = plainText(part);
      if (text !== undefined && text !== "") yield [`${name}.${key}`, text];
    }
    return;
  }
  const text = plainText(value);
  if (text !== undefined && text !== "") yield [name, text];
}

/** Undefined for an object or a list. */
function plainText(value: JsonValue): string | undefined {
  if (typeof value === "string") return value.trim();
  // Many write NaN where nothing is.
  if (value === null || value === NOT_A_NUMBER) return "";
  if (value instanceof ExactNumber) return value.text;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** What a row states of which repetition of its case it is; undefined where it states nothing. */
export function statedRepetition({ repetition, metadata }: SourceRow): number | undefined {
  const stated = repetition ?? metadata?.["repetition"];
  return typeof stated === "number" ? stated : undefined;
}
