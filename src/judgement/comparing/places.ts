import type { FilePlace } from "../../files/json/errors.ts";
import type { CaseSet } from "../cases/case-set.ts";
import type { Rule } from "../gates/rule.ts";
import type { CaseLists, ListedCase } from "../judgement.ts";
import { meanOf } from "./values.ts";

// An annotation stands at one of them, and a reader looks at few more.
const MOST_PLACES = 10;

/** Where a rule's cases stand. */
interface Listed {
  readonly now: CaseSet;
  readonly lists: CaseLists;
  /** True for the key of a case that the rule is about. */
  readonly isIn: (key: string) => boolean;
}

/** Where the rows stand that broke a rule, the worst first. */
export function placesOf(rule: Rule, { now, lists, isIn }: Listed): readonly FilePlace[] {
  return casesOf(rule, now, lists)
    .filter(({ key }) => isIn(key))
    .flatMap(({ place }) => place ?? [])
    .slice(0, MOST_PLACES);
}

function casesOf({ value, test }: Rule, now: CaseSet, lists: CaseLists): readonly ListedCase[] {
  if (value.of === "counter") {
    switch (value.counter) {
      case "rows":
        return [];
      case "errors":
      case "error_rate":
        return lists.errors;
      case "missing_scores":
        return lists.missing;
      case "newly_failing":
        return lists.newlyFailing;
      case "newly_flaky":
        return lists.newlyFlaky;
      case "unmatched":
        return [...lists.added, ...lists.changed];
    }
  }
  const { metric } = value;
  if (test.by === "number") return worstCases(now, metric);
  return [...lists.newlyFailing, ...lists.worse].filter((one) => one.metric === metric);
}

/** The cases with the worst values of a metric. */
function worstCases(now: CaseSet, metric: string): readonly ListedCase[] {
  const sign = now.metrics.get(metric)?.direction === "lower" ? -1 : 1;
  return now.cases
    .map((one) => ({ one, mean: sign * meanOf(now, one, metric) }))
    .filter(({ mean }) => !Number.isNaN(mean))
    .sort((a, b) => a.mean - b.mean || (a.one.name < b.one.name ? -1 : 1))
    .slice(0, MOST_PLACES)
    .map(({ one, mean }) => {
      const place = one.trials.find((trial) => trial.place !== undefined)?.place;
      return { key: one.key, name: one.name, metric, now: sign * mean, baseline: undefined, place };
    });
}
