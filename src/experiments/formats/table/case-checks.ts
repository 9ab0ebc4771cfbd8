import { countText } from "../../../text/number.ts";
import { listed, quotedName } from "../../../text/quoted.ts";
import { valueKey } from "../../rows/column-facts.ts";
import type { SeenColumn } from "../../rows/columns.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { isAbout, isNeverScore } from "./column-names.ts";
import type { ColumnSample } from "./column-sample.ts";
import { ExactNumber, type JsonValue } from "../../../files/json/value.ts";
import type { FilePlace } from "../../../files/json/errors.ts";
import { UnclearFileError } from "../../errors.ts";

const MOST_NAMED = 5;

/** The columns of texts that became metadata and are another one in each row, as questions are; not ids and remarks. */
export function differingTexts(columns: readonly SeenColumn[], samples: readonly ColumnSample[]): readonly string[] {
  return samples.flatMap(({ name, kind, isNaming, hasGaps }, at) => {
    const isText = columns[at]?.role?.part === "metadata" && kind === "text" && isNaming && !hasGaps;
    return isText && !isAbout(name) && !isNeverScore(name) ? [name] : [];
  });
}

/** Finds out whether all rows have the same inputs, and nothing else says which case each is of. */
export class SameInputs {
  #inputs?: string;
  #rows = 0;
  #differ = false;

  take({ id, repetition, inputs }: SourceRow): void {
    if (this.#differ) return;
    this.#rows += 1;
    const key = inputs === undefined ? "" : valueKey(inputs);
    this.#inputs ??= key;
    this.#differ = key !== this.#inputs || id !== undefined || repetition !== undefined;
  }

  /** A sentence about columns that differ in each row; undefined where the rows are told apart. */
  sentence(file: string, columns: readonly string[]): string | undefined {
    if (this.#differ || this.#rows < 2 || columns.length === 0) return undefined;
    const names = listed(columns.map(quotedName), { conjunction: "and", most: MOST_NAMED });
    const [differ, which] = columns.length === 1 ? ["differs", "it is"] : ["differ", "one of them is"];
    const same = `all ${countText(this.#rows)} rows have the same inputs and are repetitions of one case, but ${names} ${differ} in each`;
    return `${file}: ${same}. If ${which} what was asked, rename it to \`input\`, or name the columns in a mapping.`;
  }
}

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
