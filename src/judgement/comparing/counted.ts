import { MEASURES, type CaseSet } from "../cases/case-set.ts";
import type { Counter, Rule, RuleFilter } from "../gates/rule.ts";
import { list, listCases, type Entry, type EntryList, type ListName, type Sides } from "./case-lists.ts";
import { countOnce, shown } from "./shown-cases.ts";
import { columnsOf, measuredRows, rowCounts, unscoredMetrics } from "../cases/stored-case.ts";
import { partOf } from "./part.ts";
import { columnOf } from "./values.ts";
import type { FilePlace } from "../../files/json/errors.ts";

/** A count over the cases that the rule's filters choose; undefined for one that needs a baseline, without it. */
export function countOf({ filters }: Pick<Rule, "filters">, counter: Counter, sides: Sides): number | undefined {
  const { now, baseline } = sides;
  const { hasNow } = partOf(sides, filters);
  const ofRows = OF_ROWS.get(counter);
  if (ofRows) return rowCounts(now, hasNow)[ofRows];
  if (counter === "missing_scores") return missingScores(now, hasNow);
  const entries = listCases(sides);
  const lists = LISTS[counter].map((name) => entries[name]);
  return baseline && countOnce(chosen(lists, isInPartOf(sides, filters)), sides);
}

/** Counters of rows, whatever their scores. */
export const OF_ROWS: ReadonlyMap<Counter, keyof ReturnType<typeof rowCounts>> = new Map([
  ["rows", "rows"],
  ["errors", "errors"],
  ["error_rate", "errorRate"],
  ["unmeasured", "unmeasured"],
]);

export function missingCount({ now }: Sides): number {
  return missingScores(now, () => true);
}

const LISTS: Readonly<Record<Counter, readonly ListName[]>> = {
  rows: [],
  errors: ["errors"],
  error_rate: ["errors"],
  unmeasured: ["unmeasured"],
  missing_scores: ["missing"],
  newly_failing: ["newlyFailing"],
  newly_flaky: ["newlyFlaky"],
  unmatched: ["added", "removed", "changed"],
  changed: ["changed"],
  added: ["added"],
};

function isInPartOf(sides: Sides, filters: readonly RuleFilter[]): (entry: Entry) => boolean {
  const { hasNow, hasBaseline } = partOf(sides, filters);
  return ({ at, isOfBaseline }) => (isOfBaseline ? hasBaseline(at) : hasNow(at));
}

function chosen(lists: readonly EntryList[], isChosen: (entry: Entry) => boolean): EntryList {
  return list(function* () {
    for (const entries of lists) for (const entry of entries) if (isChosen(entry)) yield entry;
  });
}

/** Rows without a score that other rows have, or that they name without a number. Times, costs and tokens are not scores. */
function missingScores(now: CaseSet, isIn: (at: number) => boolean): number {
  const { first, unscored } = columnsOf(now);
  const measured = measuredRows(now);
  let missing = 0;
  for (const metric of now.metrics.keys()) {
    if (MEASURES.has(metric)) continue;
    const { counts } = columnOf(now, metric);
    for (let at = 0; at < now.cases.length; at++) {
      if (isIn(at)) missing += (measured[at] ?? 0) - (counts[at] ?? 0);
    }
  }
  if (unscoredMetrics(now).size === 0) return missing;
  for (let at = 0; at < now.cases.length; at++) {
    for (let trial = first(at); trial < first(at + 1) && isIn(at); trial++) {
      for (const name of unscored(trial) ?? []) missing += Number(!now.metrics.has(name));
    }
  }
  return missing;
}

// An annotation is put at one of them, and a reader looks at few more.
const MOST_PLACES = 10;

/** The places of the rows that broke a rule, the worst first. */
export function placesOf({ filters, value, test }: Rule, sides: Sides): readonly FilePlace[] {
  const entries = listCases(sides);
  let lists: readonly EntryList[];
  // A case that is only in the baseline has no row here.
  if (value.of === "counter")
    lists = LISTS[value.counter].flatMap((name) => (name === "removed" ? [] : [entries[name]]));
  else if (test.by === "number") lists = [worstCases(sides, value.metric)];
  else lists = [entries.newlyFailing, entries.worse];
  const isIn = isInPartOf(sides, filters);
  const isBroken = (entry: Entry) => isIn(entry) && (value.of === "counter" || entry.metric === value.metric);
  return shown(chosen(lists, isBroken), sides, MOST_PLACES).flatMap(({ place }) => place ?? []);
}

/** All cases with a value, as far from the best of them as the list sorts by. */
function worstCases({ now }: Sides, metric: string): EntryList {
  const { means } = columnOf(now, metric);
  const sign = now.metrics.get(metric)?.direction === "lower" ? -1 : 1;
  let best = -Infinity;
  for (const mean of means) if (sign * mean > best) best = sign * mean;
  return list(function* () {
    for (const [at, mean] of means.entries()) {
      const isWorse = !Number.isNaN(mean) && sign * mean < best;
      if (isWorse) yield { at, isOfBaseline: false, metric, now: mean, baseline: sign * best };
    }
  });
}
