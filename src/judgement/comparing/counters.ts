import type { FilePlace } from "../../files/json/errors.ts";
import { MEASURES, type Baseline, type Case, type CaseSet } from "../cases/case-set.ts";
import type { Counter, Rule, RuleFilter } from "../gates/rule.ts";
import type { CaseLists, ListedCase } from "../judgement.ts";
import { isInPart } from "./part.ts";
import { valuesOf } from "./values.ts";

/** What is counted. */
export interface Counted {
  readonly now: CaseSet;
  readonly baseline: Baseline | undefined;
  readonly lists: CaseLists;
  /** A case of a list, by its key: that of now, else that of the baseline. */
  readonly caseOf: (key: string) => Case | undefined;
  /** Where the first rows stand that broke a rule. */
  readonly placesOf: (rule: Rule) => readonly FilePlace[];
}

/** A count over the cases that the rule's filters choose; undefined for one that needs a baseline, without it. */
export function countOf(
  { filters }: Rule,
  counter: Counter,
  { now, baseline, lists, caseOf }: Counted,
): number | undefined {
  const cases = now.cases.filter((one) => isInPart(one, filters));
  const listed = (...found: readonly (readonly ListedCase[])[]) =>
    baseline === undefined ? undefined : casesOf(found.flat(), filters, caseOf);
  switch (counter) {
    case "rows":
      return rowsOf(cases);
    case "errors":
      return errorsOf(cases);
    case "error_rate":
      return cases.length === 0 ? 0 : errorsOf(cases) / rowsOf(cases);
    case "missing_scores":
      return missingScores(now, cases);
    case "newly_failing":
      return listed(lists.newlyFailing);
    case "newly_flaky":
      return listed(lists.newlyFlaky);
    case "unmatched":
      return listed(lists.added, lists.removed, lists.changed);
  }
}

/** Each case once, though several metrics list it. */
function casesOf(listed: readonly ListedCase[], filters: readonly RuleFilter[], caseOf: Counted["caseOf"]): number {
  const keys = new Set(listed.map(({ key }) => key));
  return [...keys].filter((key) => {
    const one = caseOf(key);
    return one !== undefined && isInPart(one, filters);
  }).length;
}

export function rowsOf(cases: readonly Case[]): number {
  return cases.reduce((sum, { trials }) => sum + trials.length, 0);
}

export function errorsOf(cases: readonly Case[]): number {
  return cases.reduce((sum, { trials }) => sum + trials.filter(({ hasError }) => hasError).length, 0);
}

/** Rows without a score that other rows have. Times, costs and tokens are no scores. */
function missingScores(now: CaseSet, cases: readonly Case[]): number {
  let missing = 0;
  for (const metric of now.metrics.keys()) {
    if (MEASURES.has(metric)) continue;
    for (const one of cases) missing += one.trials.length - valuesOf(now, one, metric).length;
  }
  return missing;
}
