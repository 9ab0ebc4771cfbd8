import { distance } from "fastest-levenshtein";
import { quotedName } from "../../text/quoted.ts";
import { NAMES_OF_PARTS, plainName, type ChosenPart } from "../formats/table/column-names.ts";
import type { ColumnReading } from "../rows/columns.ts";

/** Parts that a file may lack, so that nothing else shows that a name is misspelt. */
const PARTS: ReadonlySet<ChosenPart> = new Set(["expected", "id", "latency", "outputs"]);
// A short name is near to too many others: `stars` is not a misspelt `start`.
const SHORTEST = 6;
// A comparison costs the product of both lengths.
const LONGEST = 40;
const MOST_NAMES = 5;

/** A sentence about columns that are one slip away from the name of a part that the file lacks; undefined without any. */
export function misspeltColumns(file: string, { by, columns }: ColumnReading): string | undefined {
  if (by === "mapping") return undefined;
  const found = new Set<string>(columns.map(({ role }) => role.part));
  const missing = NAMES_OF_PARTS.filter(([part]) => PARTS.has(part) && !found.has(part));
  const known = missing.flatMap(([, lines]) => lines.flat());
  const hints = columns.flatMap(({ name, role: { part } }) => {
    const meant = part === "metadata" || part === "score" ? known.find((each) => isSlip(name, each)) : undefined;
    return meant === undefined ? [] : [`${quotedName(name)} was read as ${partName(part)}: did you mean \`${meant}\`?`];
  });
  return hints.length === 0 ? undefined : `${file}: ${hints.slice(0, MOST_NAMES).join(" ")}`;
}

function partName(part: string): string {
  return part === "score" ? "a score" : "metadata";
}

/** True where a letter is missing, wrong or too many, or two letters are exchanged; the first letter is seldom wrong. */
function isSlip(name: string, known: string): boolean {
  const [written, meant] = [plainName(name), plainName(known)];
  if (meant.length < SHORTEST || written.length > LONGEST || !written.startsWith(meant.charAt(0))) return false;
  // A plural is another word: `answers` beside `answer`.
  if (written === `${meant}s` || meant === `${written}s`) return false;
  const edits = distance(written, meant);
  return edits === 1 || (edits === 2 && sortedLetters(written) === sortedLetters(meant));
}

function sortedLetters(word: string): string {
  return word.split("").toSorted().join("");
}
