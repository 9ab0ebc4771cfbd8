import { placeText } from "../../files/json/errors.ts";
import { countText } from "../../text/number.ts";
import type { CaseLists, Judgement, ListedCase } from "../judgement.ts";
import { valueText } from "./numbers.ts";

export interface NamedList {
  readonly title: string;
  readonly isHarm: boolean;
  /** The first of them, each with one metric. */
  readonly cases: readonly ListedCase[];
  /** How many cases there are, each once. */
  readonly count: number;
}

const LISTS: readonly (readonly [list: keyof CaseLists, title: string, isHarm?: true])[] = [
  ["newlyFailing", "Newly failing", true],
  ["newlyFlaky", "Newly flaky", true],
  ["worse", "Worse", true],
  ["errors", "With an error"],
  ["unmeasured", "Not measured"],
  ["missing", "Without a score now"],
  ["removed", "Only in the baseline"],
  ["fixed", "Fixed"],
  ["changed", "Changed, not compared"],
  ["added", "Only now"],
];

/** The lists that have cases, in the order in which they matter. */
export function listsOf({ cases, counts }: Judgement): readonly NamedList[] {
  return LISTS.map(([list, title, isHarm = false]) => {
    return { title, isHarm, cases: cases[list], count: counts[list] };
  }).filter(({ count }) => count > 0);
}

/** How many cases each list has: `12 newly failing`, `2 fixed`. */
export function countTexts(lists: readonly NamedList[]): readonly string[] {
  return lists.map(({ title, count }) => `${countText(count)} ${title.charAt(0).toLowerCase()}${title.slice(1)}`);
}

/** How many cases of a list are not shown, where each is shown once. */
export function restOf({ cases, count }: NamedList, shown: number): number {
  return count - new Set(cases.slice(0, shown).map(({ key }) => key)).size;
}

/** The values of a case: `1 → 0`; empty for a case as a whole. */
export function valuesText({ metric, now, baseline }: ListedCase): string {
  if (metric === undefined) return "";
  const text = (value: number | undefined) => (value === undefined ? "none" : valueText(metric, value));
  if (baseline === undefined) return text(now);
  return `${text(baseline)} → ${text(now)}`;
}

/** A case in the log: `refund: correct 1 → 0 (results.jsonl, line 12)`. */
export function caseText(listed: ListedCase): string {
  const { name, metric, place } = listed;
  const what = metric === undefined ? "" : `: ${metric} ${valuesText(listed)}`;
  return `${name}${what}${place ? ` (${placeText(place)})` : ""}`;
}
