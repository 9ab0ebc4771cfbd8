import { placeText, type FilePlace } from "../../files/json/errors.ts";
import { closest } from "../../text/closest.ts";
import { countText } from "../../text/number.ts";
import { nameList, quotedName } from "../../text/quoted.ts";
import { columnNames, columnText } from "../rows/row-columns.ts";
import type { SourceRow } from "../rows/source-row.ts";

// Enough to see what is meant, and few enough to be read.
const MOST_NAMES = 50;
const MOST_SHOWN = 5;

/** Rows in which a column does not have what is needed. */
interface Gap {
  readonly kind: "absent" | "empty" | "nested";
  readonly first: FilePlace;
  count: number;
}

/** What a column that the user names holds, while rows stream. */
export class ColumnUse {
  readonly column: string;
  /** The values, as many as can be shown. */
  readonly values = new Set<string>();
  readonly #names = new Set<string>();
  readonly #gaps = new Map<Gap["kind"], Gap>();
  #held = 0;

  constructor(column: string) {
    this.column = column;
  }

  /** The value in a row; undefined where there is none, which is noted. */
  valueOf(source: SourceRow): string | undefined {
    const found = columnText(source, this.column);
    if (found.kind === "text") {
      this.#held += 1;
      if (this.values.size < MOST_NAMES) this.values.add(found.text);
      return found.text;
    }
    // An empty cell of a column is there, unlike a column that no row has.
    if (found.kind !== "absent") this.#held += 1;
    for (const name of columnNames(source)) if (this.#names.size < MOST_NAMES) this.#names.add(name);
    const gap = this.#gaps.get(found.kind);
    if (!gap) this.#gaps.set(found.kind, { kind: found.kind, first: source.place, count: 1 });
    else gap.count += 1;
    return undefined;
  }

  /** True where no row that was seen has the column, not even an empty one. */
  get isUnknown(): boolean {
    return this.#held === 0 && this.#gaps.size > 0;
  }

  get unknownText(): string {
    const { column } = this;
    const names = [...this.#names];
    if (names.length === 0) return `no row has a column ${quotedName(column)}, or any other`;
    const near = closest(column, names);
    const hint = near === undefined ? "" : `; did you mean ${quotedName(near)}?`;
    return `no row has a column ${quotedName(column)}; the columns are ${nameList(names.map(quotedName), 20)}${hint}`;
  }

  /** Where rows have no value, as clauses: one for each way to have none. */
  get gaps(): readonly { readonly place: FilePlace; readonly message: string; readonly count: number }[] {
    const column = quotedName(this.column);
    return [...this.#gaps.values()].map(({ kind, first, count }) => {
      const more = count === 1 ? "" : `; so have ${countText(count - 1)} more rows`;
      const what = {
        absent: `the row has no ${column}`,
        empty: `${column} is empty`,
        nested: `${column} is an object or a list, not a value`,
      }[kind];
      return { place: first, message: `${what}${kind === "absent" ? more : more.replace("so have", "and in")}`, count };
    });
  }

  get valuesText(): string {
    return nameList([...this.values].toSorted().map(quotedName), MOST_SHOWN);
  }
}

/** A sentence about values of a column that differ in case alone; undefined without. */
export function caseWarning(column: string, values: Iterable<string>): string | undefined {
  const byCase = Map.groupBy(values, (value) => value.toLowerCase());
  const alike = [...byCase.values()].find((same) => same.length > 1);
  if (!alike) return undefined;
  return `${quotedName(column)} has values that differ in case alone, which are not the same value: ${nameList(alike.map(quotedName))}.`;
}

/** A sentence about rows without a value; undefined without any. */
export function gapsWarning({ gaps, column }: ColumnUse): string | undefined {
  const [first] = gaps;
  if (!first) return undefined;
  const count = gaps.reduce((sum, gap) => sum + gap.count, 0);
  const rows = count === 1 ? "1 row has" : `${countText(count)} rows have`;
  return `${rows} no value in ${quotedName(column)} and ${count === 1 ? "is" : "are"} left out: the first is ${placeText(first.place)}.`;
}
