import { type FilePlace, placeText } from "../../../files/json/errors.ts";
import { countOf } from "../../../text/number.ts";
import { listed, quotedName } from "../../../text/quoted.ts";
import type { ColumnFacts, TableFacts } from "../../rows/column-facts.ts";
import type { NotedColumn, ScoreGrade } from "../../rows/columns.ts";
import type { ColumnSample } from "./column-sample.ts";
import { isCountName, isOutcomeName, isScoreName } from "./column-names.ts";

const MOST_NAMED = 10;

/** The scores that neither a name nor a rule shows to be such, nor all values of the file, and a sentence about them. */
export function numbersOnly(
  file: string,
  columns: Iterable<NotedColumn>,
  facts: TableFacts,
): { readonly keys: readonly string[]; readonly sentence: string | undefined } {
  const found = [...columns].flatMap(({ name, role }) => {
    if (role.part !== "score" || role.grade === undefined) return [];
    const { key, grade } = role;
    const column = facts.columns.get(key);
    const { numbers } = column ?? {};
    // The values of what is the key of another column show nothing.
    if (!column || !numbers || (grade !== "key" && showScores(column))) return [];
    const [least, most] = [String(numbers.least), String(numbers.most)];
    return [{ key, text: `${quotedName(name)} (${least === most ? `always ${least}` : `${least} to ${most}`})` }];
  });
  if (found.length === 0) return { keys: [], sentence: undefined };
  const names = listed(
    found.map(({ text }) => text),
    { conjunction: "and", most: MOST_NAMED },
  );
  const [are, they] = found.length === 1 ? ["is", "it is one"] : ["are", "they are"];
  const what = `${names} ${are} read as ${found.length === 1 ? "a score" : "scores"}, but neither the name nor the values show that ${they}`;
  const cure = "Name the columns of the scores in a mapping.";
  return { keys: found.map(({ key }) => key), sentence: `${file}: ${what}. ${cure}` };
}

/** Counts the texts in columns that held numbers only. */
export class TextsAmongNumbers {
  readonly #columns = new Map<string, { readonly first: FilePlace; count: number }>();

  add(name: string, place: FilePlace): void {
    const known = this.#columns.get(name);
    if (!known) this.#columns.set(name, { first: place, count: 1 });
    else known.count += 1;
  }

  /** A sentence about all of them; undefined where there are none. */
  get sentence(): string | undefined {
    const [first] = this.#columns.values();
    if (!first) return undefined;
    const columns = [...this.#columns].map(([name, { count }]) => `${countOf(count, "value")} of ${quotedName(name)}`);
    const names = listed(columns, { conjunction: "and", most: MOST_NAMED });
    const one = columns.length === 1 && first.count === 1;
    return `${placeText(first.first)}: ${names} ${one ? "is not a number" : "are not numbers"}, unlike those before; ${one ? "it is a missing score" : "they are missing scores"}.`;
  }
}

/** What shows that a column is a score; undefined where its name does. */
export function gradeOf({ name, kind, pair, isBoolean, facts }: ColumnSample): ScoreGrade | undefined {
  const isVerdict = isBoolean || kind === "word";
  if (isScoreName(name) || (isVerdict && isOutcomeName(name, pair))) return undefined;
  // Of few retries, each number is 0 or 1.
  if (isCountName(name) && facts.numbers?.whole === facts.count && !isVerdict) return "key";
  return showScores(facts) ? "values" : "number";
}

/**
 * True for values that only scores have: verdicts, or fractions in [0, 1]. One value in all rows shows nothing, and
 * whole numbers that differ in each row are ids.
 */
function showScores(facts: ColumnFacts): boolean {
  const { count, numbers } = facts;
  if (count === 0 || (facts.isConstant && count > 1)) return false;
  if (!numbers || numbers.count < count) return false;
  if (numbers.whole === count && facts.isUnique && !facts.areBooleans) return false;
  return numbers.fractions === count;
}

/** True where a text may follow: the numbers before it may not have been scores. */
export function isOnlyNumber({ grade }: { readonly grade?: ScoreGrade | undefined }): boolean {
  return grade === "number" || grade === "key";
}
