import { countOf } from "../../text/number.ts";
import { nameList } from "../../text/quoted.ts";
import { MEASURES, type Baseline, type CaseSet } from "../cases/case-set.ts";
import { errorCount } from "../cases/stored-case.ts";
import type { Rule } from "../gates/rule.ts";
import type { Looked } from "./gap.ts";
import { rowWarnings } from "./rows-of-cases.ts";

/** Sentences on what no rule sees: nothing is missing, and yet a green judgement may say less than it seems to. */
export function blindSpots(judging: Looked): readonly string[] {
  const { now, baseline, rules } = judging;
  return [
    ...unlimitedErrors(judging),
    ...(baseline === undefined ? [] : idleRules(now, baseline, rules)),
    ...rowWarnings(judging),
  ];
}

/** Rows that failed have no score, and the mean of the others does not show it. */
function* unlimitedErrors({ now, baseline, rules, allowances }: Looked): Generator<string> {
  // With a baseline a score that went missing is a gap.
  if (baseline !== undefined || allowances.allows("errors", "error_rate", "missing_scores")) return;
  const named = rules.flatMap(({ value }) =>
    value.of === "metric" && !MEASURES.has(value.metric) && now.metrics.has(value.metric) ? value.metric : [],
  );
  const metrics = [...new Set(named)];
  if (metrics.length === 0) return;
  const order = [...now.metrics.keys()];
  let rows = 0;
  const lacking = new Set<string>();
  for (const one of now.cases) {
    if (errorCount(one) === 0) continue;
    for (const { hasError, values } of one.trials) {
      const lacks = metrics.filter((metric) => hasError && Number.isNaN(values[order.indexOf(metric)] ?? Number.NaN));
      if (lacks.length > 0) rows += 1;
      for (const metric of lacks) lacking.add(metric);
    }
  }
  if (rows === 0) return;
  yield `${countOf(rows, "row")} with an error ${rows === 1 ? "has" : "have"} no score for ${nameList([...lacking])}, and no rule limits that: add \`errors = 0\` or \`error_rate <= 5%\`.`;
}

/** Only a yes/no score fails. */
function* idleRules(now: CaseSet, baseline: Baseline, rules: readonly Rule[]): Generator<string> {
  const isYesNo = ({ metrics }: CaseSet) => [...metrics.values()].some(({ kind }) => kind === "binary");
  if (isYesNo(now) || isYesNo(baseline)) return;
  for (const { value, text } of rules) {
    const isIdle = value.of === "counter" && (value.counter === "newly_failing" || value.counter === "newly_flaky");
    if (isIdle) yield `The rule \`${text}\` holds for any results: no score has only the values 0 and 1.`;
  }
}
