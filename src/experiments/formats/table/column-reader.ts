import type { ColumnRole } from "../../rows/columns.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { ColumnSample } from "./column-sample.ts";
import { scoreReader, verdictOf } from "./score-cell.ts";

/** Reads what stands in a column; undefined is nothing. */
export type ReadValue = (value: JsonValue) => JsonValue | undefined;

/** How a column is read that holds what `sample` shows; `other` reads what is no number and no error. */
export function columnReader(role: ColumnRole, sample: ColumnSample, other: ReadValue): ReadValue {
  switch (role.part) {
    case "score":
      return scoreReader(role.form ?? "number", sample.pair);
    case "latency":
    case "cost":
    case "repetition":
      return scoreReader(sample.form ?? "number", sample.pair);
    case "usage":
      return sample.kind === "object" ? other : scoreReader(sample.form ?? "number", sample.pair);
    case "inputs":
    case "expected":
    case "outputs":
      return isBlankNothing(role.key, sample) ? (value) => (value === "" ? undefined : other(value)) : other;
    case "error":
      return sample.isBoolean || sample.pair === "agreement" ? flagReader(other) : other;
    default:
      return other;
  }
}

/** In CSV an empty cell is a text among texts; in one of several columns of a part, without a text, it is nothing. */
function isBlankNothing(key: string | undefined, { kind }: ColumnSample): boolean {
  return key !== undefined && kind !== "text" && kind !== "word" && kind !== "mixed";
}

/** A column that says of each row whether there was an error. */
function flagReader(other: ReadValue): ReadValue {
  return (value) => {
    const read = other(value);
    return typeof read === "string" ? (verdictOf(read) ?? read) : read;
  };
}
