import { countText } from "../../text/number.ts";
import { printable } from "../../text/quoted.ts";
import type { Rule } from "../gates/rule.ts";
import type { Gap, ListedCase } from "../judgement.ts";
import type { Allowances } from "./allowances.ts";
import type { EntryList, ListedSides } from "./case-lists.ts";
import { countOnce, shown } from "./shown-cases.ts";
import type { Counted } from "./counted.ts";

/** What may have gaps. */
export interface Looked extends Counted {
  readonly rules: readonly Rule[];
  readonly allowances: Allowances;
}

/** The gap of these cases, with the names of the first; none without a case. */
export function gapOf(
  kind: Gap["kind"],
  list: EntryList,
  sides: ListedSides,
  message: (cases: number) => string,
): readonly Gap[] {
  const cases = countOnce(list, sides);
  return cases === 0 ? [] : [{ kind, message: `${message(cases)}: ${namesOf(list, cases, sides)}.` }];
}

const MOST_NAMES = 5;

/** The first names, and how many more there are. */
function namesOf(list: EntryList, count: number, sides: ListedSides): string {
  const cases: readonly ListedCase[] = shown(list, sides);
  const names = [...new Set(cases.map(({ name }) => printable(name)))].slice(0, MOST_NAMES);
  const more = count - names.length;
  return more > 0 ? `${names.join(", ")} and ${countText(more)} more` : names.join(", ");
}
