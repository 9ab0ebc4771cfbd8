import { ExactNumber, type JsonValue } from "../../../files/json/value.ts";
import type { FilePlace } from "../../../files/json/errors.ts";
import { UnclearFileError } from "../../errors.ts";
import { valueKey } from "../../rows/column-facts.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import type { ColumnSample } from "./column-sample.ts";

const WITH_POINT = /^([+-]?\d+)\.0+$/;

/** True for ids that are whole numbers, and that a program wrote as it writes others: pandas, where one is missing. */
export function arePointed({ facts }: ColumnSample): boolean {
  const { distinct } = facts;
  return distinct !== undefined && distinct.size > 0 && [...distinct.keys()].every((text) => WITH_POINT.test(text));
}

/** `n` for `n.0`. */
export function withoutPoint(value: JsonValue): JsonValue {
  const text = value instanceof ExactNumber ? value.text : value;
  return typeof text === "string" ? (WITH_POINT.exec(text)?.[1] ?? value) : value;
}

// A spreadsheet shows numbers of 12 digits and more so, and keeps 15 of them.
const ROUNDED = /^\d(?:[.,](\d+))?e\+(\d{2,3})$/i;
const LEAST_EXPONENT = 11;
const MOST_KEPT = 1_000;

/** Finds one rounded id that several cases have: their own ids are lost. */
export class RoundedIds {
  readonly #seen = new Map<string, { readonly inputs: string; readonly place: FilePlace }>();

  /** Throws UnclearFileError for the second case of a rounded id. */
  check({ id, inputs, place }: SourceRow): void {
    if (typeof id !== "string") return;
    const [, digits = "", exponent = "0"] = ROUNDED.exec(id.trim()) ?? [];
    if (Number(exponent) < LEAST_EXPONENT || digits.length >= Number(exponent)) return;
    const key = valueKey(inputs ?? null);
    const seen = this.#seen.get(id);
    if (!seen) {
      if (this.#seen.size < MOST_KEPT) this.#seen.set(id, { inputs: key, place });
      return;
    }
    if (seen.inputs === key) return;
    const { line, row } = seen.place;
    const other = line === undefined ? `row ${String(row ?? 1)}` : `line ${String(line)}`;
    throw new UnclearFileError(place, `the id is rounded, and ${other} has the same with other inputs`, {
      advice: "Write the ids as texts: a spreadsheet rounds long numbers.",
    });
  }
}
