import type { JsonValue } from "../../../files/json/value.ts";
import type { ColumnRole } from "../../rows/columns.ts";
import type { ColumnSample } from "./column-sample.ts";
import { arePointed, withoutPoint } from "./ids.ts";
import { scoreReader, verdictOf } from "./score-cell.ts";

/** Reads what stands in a column; undefined is nothing. */
export type ReadValue = (value: JsonValue) => JsonValue | undefined;

/** How a column with the values of `sample` is read; `other` reads what is neither a number nor an error. */
export function columnReader(role: ColumnRole, sample: ColumnSample, other: ReadValue): ReadValue {
  switch (role.part) {
    case "score": {
      const read = scoreReader(role.form ?? "number", sample.pair, sample.areGrouped);
      // An empty cell may stand in each row that has no such score; null, NaN and N/A say that one is missing.
      return (value) => (typeof value === "string" && value.trim() === "" ? undefined : read(value));
    }
    case "id":
      return arePointed(sample) ? pointlessReader(other) : other;
    case "latency":
    case "cost":
    case "repetition":
      return scoreReader(sample.form ?? "number", sample.pair, sample.areGrouped);
    case "usage":
      return sample.kind === "object" ? other : scoreReader(sample.form ?? "number", sample.pair, sample.areGrouped);
    case "inputs":
    case "expected":
    case "outputs":
      return isBlankNothing(role.key, sample) ? (value) => (value === "" ? undefined : other(value)) : other;
    case "error":
      if (sample.least !== undefined) return codeReader(other);
      return sample.isBoolean || sample.pair === "agreement" ? flagReader(other) : other;
    default:
      return other;
  }
}

/** In CSV an empty cell is a text among texts; in one of several columns of a part, without a text, it is nothing. */
function isBlankNothing(key: string | undefined, { kind }: ColumnSample): boolean {
  return key !== undefined && kind !== "text" && kind !== "word" && kind !== "mixed" && kind !== "notations";
}

function pointlessReader(other: ReadValue): ReadValue {
  return (value) => {
    const read = other(value);
    return read === undefined ? undefined : withoutPoint(read);
  };
}

/** A column that says of each row whether there was an error. */
function flagReader(other: ReadValue): ReadValue {
  return (value) => {
    const read = other(value);
    return typeof read === "string" ? (verdictOf(read) ?? read) : read;
  };
}

/** A column with the code of each error: 0 is none. */
function codeReader(other: ReadValue): ReadValue {
  return (value) => {
    const read = other(value);
    return read === 0 || read === "0" ? undefined : read;
  };
}
