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
      if (!arePointed(sample)) return other;
      return (value) => {
        const read = other(value);
        return read === undefined ? undefined : withoutPoint(read);
      };
    case "latency":
    case "cost":
    case "repetition":
      return scoreReader(sample.form ?? "number", sample.pair, sample.areGrouped);
    case "usage":
      return sample.kind === "object" ? other : scoreReader(sample.form ?? "number", sample.pair, sample.areGrouped);
    case "inputs":
    case "expected":
    case "outputs":
      // In CSV an empty cell is a text among texts; in one of several columns of a part, without a text, it is nothing.
      if (role.key === undefined || ["text", "word", "mixed", "notations"].includes(sample.kind)) return other;
      return (value) => (value === "" ? undefined : other(value));
    case "error":
      // The code of each error, of which 0 is none; or of each row whether there was one.
      if (sample.least === undefined && !sample.isBoolean && sample.pair !== "agreement") return other;
      return (value) => {
        const read = other(value);
        if (sample.least !== undefined) return read === 0 || read === "0" ? undefined : read;
        return typeof read === "string" ? (verdictOf(read) ?? read) : read;
      };
    default:
      return other;
  }
}
