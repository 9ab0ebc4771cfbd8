import { placeText } from "../../../files/json/errors.ts";
import { countOf } from "../../../text/number.ts";
import { listed, quotedName } from "../../../text/quoted.ts";
import type { FormatContext } from "../shared/format.ts";
import type { JsonRecord } from "../shared/json-records.ts";
import type { RecordNames } from "./record-names.ts";

/**
 * The records that are rows. Before the first row and behind the last one there may be others, such as a line with the
 * means: they have no part of a row, and keys that no row has. They are reported, and not taken as rows.
 */
export function* rowRecords(
  records: Iterable<JsonRecord>,
  names: RecordNames,
  context: FormatContext,
): Generator<JsonRecord, void, undefined> {
  const rows = new RowKeys(names);
  const apart: JsonRecord[] = [];
  let held: JsonRecord[] = [];
  for (const each of records) {
    const keys = Object.keys(each.record);
    if (rows.haveParts(keys)) {
      rows.add(keys);
      // What stands before the first row is looked at again, beside a row; between two rows it is one.
      const isFirst = rows.count === 1;
      for (const other of held) {
        if (isFirst && rows.areForeign(Object.keys(other.record))) apart.push(other);
        else yield other;
      }
      held = [];
      yield each;
    } else if (held.length < MOST_HELD && (rows.count === 0 || rows.areForeign(keys))) held.push(each);
    else {
      yield* held;
      held = [];
      yield each;
    }
  }
  // Without any row, reading the records reports what is missing.
  if (rows.count === 0) yield* held;
  else report([...apart, ...held], context);
}

const MOST_HELD = 100;
const MOST_KEYS = 10_000;
const MOST_SHOWN = 5;

/** The keys of the rows that were seen. */
class RowKeys {
  count = 0;
  readonly #names: RecordNames;
  readonly #seen = new Set<string>();
  readonly #parts = new Map<string, boolean>();

  constructor(names: RecordNames) {
    this.#names = names;
  }

  haveParts(keys: readonly string[]): boolean {
    return keys.some((key) => this.#isPart(key));
  }

  add(keys: readonly string[]): void {
    this.count += 1;
    if (this.#seen.size < MOST_KEYS) for (const key of keys) this.#seen.add(key);
  }

  /** True where at least one key is of no row. */
  areForeign(keys: readonly string[]): boolean {
    return this.#seen.size < MOST_KEYS && keys.some((key) => !this.#seen.has(key));
  }

  #isPart(key: string): boolean {
    const known = this.#parts.get(key);
    if (known !== undefined) return known;
    const isPart = this.#names.isPart(key);
    if (this.#parts.size < MOST_KEYS) this.#parts.set(key, isPart);
    return isPart;
  }
}

function report(records: readonly JsonRecord[], context: FormatContext): void {
  const [first] = records;
  if (first === undefined) return;
  const keys = Object.keys(first.record).map(quotedName);
  const what = `a record with ${listed(keys, { conjunction: "and", most: MOST_SHOWN })} has no inputs`;
  const all = records.length === 1 ? "" : `; ${countOf(records.length, "record")} are left out`;
  const advice = "Scores of the whole belong in the summary scores.";
  context.warn(`${placeText(first.place)}: ${what} and is not taken as a row${all}. ${advice}`);
}
