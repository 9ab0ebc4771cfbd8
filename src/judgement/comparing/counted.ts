import { MEASURES, type Case, type CaseSet } from "../cases/case-set.ts";
import type { Counter, Rule, RuleFilter } from "../gates/rule.ts";
import { caseOf, type Entries, type Entry, type ListedSides, shown } from "./case-lists.ts";
import { isInPart } from "./part.ts";
import { columnOf } from "./values.ts";
import type { FilePlace } from "../../files/json/errors.ts";

/** What rules of counters look at. */
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

// An annotation stands at one of them, and a reader looks at few more.
const MOST_PLACES = 10;

/** Where the rows stand that broke a rule, the worst first. */
export function placesOf(rule: Rule, counted: Counted): readonly FilePlace[] {
  const entries = entriesOf(rule, counted).filter((entry) => {
    const one = caseOf(entry, counted);
    return one !== undefined && isInPart(one, rule.filters);
  });
  return shown(entries, counted, MOST_PLACES).flatMap(({ place }) => place ?? []);
}

function entriesOf({ value, test }: Rule, counted: Counted): readonly Entry[] {
  const { entries } = counted;
  if (value.of === "metric") {
    const { metric } = value;
    if (test.by === "number") return worstCases(counted, metric);
    return [...entries.newlyFailing, ...entries.worse].filter((entry) => entry.metric === metric);
  }
  switch (value.counter) {
    case "rows":
      return [];
    case "errors":
    case "error_rate":
      return entries.errors;
    case "missing_scores":
      return entries.missing;
    case "newly_failing":
      return entries.newlyFailing;
    case "newly_flaky":
      return entries.newlyFlaky;
    case "unmatched":
      return [...entries.added, ...entries.changed];
  }
}

/** All cases with a value, as far from the best of them as the list sorts by. */
function worstCases({ now }: Counted, metric: string): readonly Entry[] {
  const { means } = columnOf(now, metric);
  const sign = now.metrics.get(metric)?.direction === "lower" ? -1 : 1;
  let best = -Infinity;
  for (const mean of means) if (sign * mean > best) best = sign * mean;
  const entries: Entry[] = [];
  for (const [at, mean] of means.entries()) {
    if (!Number.isNaN(mean) && sign * mean < best) {
      entries.push({ at, isOfBaseline: false, metric, now: mean, baseline: sign * best });
    }
  }
  return entries;
}
