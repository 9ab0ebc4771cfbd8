import { MEASURES, type Case, type CaseSet } from "../cases/case-set.ts";
import type { Counter, Rule, RuleFilter } from "../gates/rule.ts";
import { caseOf, type Entries, type Entry, type ListedSides } from "./case-lists.ts";
import { isInPart } from "./part.ts";
import { columnOf } from "./values.ts";

/** What is counted. */
export interface Counted extends ListedSides {
  readonly entries: Entries;
}

/** A count over the cases that the rule's filters choose; undefined for one that needs a baseline, without it. */
export function countOf({ filters }: Rule, counter: Counter, counted: Counted): number | undefined {
  const { now, baseline, entries } = counted;
  const cases = filters.length === 0 ? now.cases : now.cases.filter((one) => isInPart(one, filters));
  const listed = (...lists: readonly (readonly Entry[])[]) =>
    baseline === undefined ? undefined : casesOf(lists.flat(), filters, counted);
  switch (counter) {
    case "rows":
      return rowsOf(cases);
    case "errors":
      return errorsOf(cases);
    case "error_rate":
      return cases.length === 0 ? 0 : errorsOf(cases) / rowsOf(cases);
    case "missing_scores":
      return missingScores(now, filters);
    case "newly_failing":
      return listed(entries.newlyFailing);
    case "newly_flaky":
      return listed(entries.newlyFlaky);
    case "unmatched":
      return listed(entries.added, entries.removed, entries.changed);
  }
}

/** Each case once, though several metrics list it. */
function casesOf(entries: readonly Entry[], filters: readonly RuleFilter[], sides: ListedSides): number {
  const found = new Set<Case>();
  for (const entry of entries) {
    const one = caseOf(entry, sides);
    if (one !== undefined && isInPart(one, filters)) found.add(one);
  }
  return found.size;
}

export function rowsOf(cases: readonly Case[]): number {
  return cases.reduce((sum, { trials }) => sum + trials.length, 0);
}

export function errorsOf(cases: readonly Case[]): number {
  return cases.reduce((sum, { trials }) => sum + trials.filter(({ hasError }) => hasError).length, 0);
}

/** Rows without a score that other rows have. Times, costs and tokens are no scores. */
function missingScores(now: CaseSet, filters: readonly RuleFilter[]): number {
  let missing = 0;
  for (const metric of now.metrics.keys()) {
    if (MEASURES.has(metric)) continue;
    const { counts } = columnOf(now, metric);
    for (const [at, one] of now.cases.entries()) {
      if (isInPart(one, filters)) missing += one.trials.length - (counts[at] ?? 0);
    }
  }
  return missing;
}
