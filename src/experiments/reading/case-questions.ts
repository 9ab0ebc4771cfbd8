import { Column } from "../../files/column.ts";
import { IdTable } from "../../files/id-table.ts";
import { placeText, type FilePlace } from "../../files/json/errors.ts";
import { isJsonList, isJsonObject, type JsonValue } from "../../files/json/value.ts";
import { canonicalJson } from "../../text/canonical-json.ts";
import { countText } from "../../text/number.ts";
import { textHash } from "../../text/text-hash.ts";
import { wordsOfName } from "../formats/table/column-names.ts";

/**
 * Whether the rows of each case ask the same: keeps a hash of the inputs of each row, in 4 bytes. Different questions
 * under one id would count as repetitions of one case.
 */
export class CaseQuestions {
  readonly #hashes = new Column(Int32Array);
  /** The cases that rows with ids of their own name in their metadata, and the first row of each. */
  #named = new IdTable();
  readonly #namedRows = new Column(Int32Array);
  #count = 0;
  /** Two rows of one case with other inputs. */
  #conflict?: { readonly place: FilePlace; readonly first: FilePlace };

  /** Keeps the inputs of a row, as JSON. */
  keep(row: number, inputs: string): void {
    this.#hashes.set(row, textHash(inputs));
  }

  /** The first row of a case that rows name in their metadata; the row that is given where it is the first one. */
  firstOf(caseKey: string, row: number): number {
    const known = this.#named.get(caseKey);
    if (known !== undefined) return this.#namedRows.get(known);
    this.#namedRows.set(this.#named.count, row);
    this.#named.add(caseKey);
    return row;
  }

  /** True where the inputs of a row may be others than those that were kept: they are written in another way. */
  mayDiffer(row: number, inputs: string): boolean {
    return this.#hashes.get(row) !== textHash(inputs);
  }

  /** Notes a row with other inputs than the first of its case. */
  differ(place: FilePlace, first: FilePlace): void {
    this.#count += 1;
    this.#conflict ??= { place, first };
  }

  /** What is wrong, after the last row; undefined where each case asks one thing. */
  get fault(): { readonly place: FilePlace; readonly message: string } | undefined {
    if (!this.#conflict) return undefined;
    const { place, first } = this.#conflict;
    const more = this.#count === 1 ? "" : `; so have ${countText(this.#count - 1)} more rows`;
    const message = `the row has the same id as ${placeText(first)} but other inputs, and no \`repetition\`${more}`;
    return { place, message };
  }

  /** Frees what only further rows would need. */
  end(): void {
    this.#named = new IdTable();
  }
}

export const QUESTIONS_ADVICE =
  "Give each question an id of its own. If the rows are repetitions of one case, number them in a column `repetition`.";

/** What an agent found or was given while it ran, beside the question: it differs from repetition to repetition. */
const FOUND = /(?:^|_)(?:contexts|retrieved|retrieval|thread|session|trace|timestamp|seed)(?:_|$)/;

/** What inputs ask, the same however they are written: without blanks around texts, and without what was found for it. */
export function questionOf(inputs: JsonValue): string {
  return canonicalJson(asked(inputs));
}

function asked(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.trim();
  if (isJsonList(value)) {
    const last = value.at(-1);
    // A conversation ends with the answer.
    const isAnswered = value.length > 1 && isJsonObject(last) && last["role"] === "assistant";
    return (isAnswered ? value.slice(0, -1) : value).map(asked);
  }
  if (!isJsonObject(value)) return value;
  const all = Object.entries(value);
  const given = all.filter(([name]) => !FOUND.test(wordsOfName(name)));
  return Object.fromEntries((given.length === 0 ? all : given).map(([name, part]) => [name, asked(part)]));
}
