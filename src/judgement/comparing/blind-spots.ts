import type { Baseline, CaseSet } from "../cases/case-set.ts";
import type { Rule } from "../gates/rule.ts";
import { unmeasuredErrors, withoutScores } from "./coverage.ts";
import type { Looked } from "./gap.ts";
import { rowWarnings } from "./rows-of-cases.ts";
import { lostParts } from "./survivors.ts";

/** Sentences on what no rule sees: nothing is missing, and yet a green judgement may say less than it seems to. */
export function blindSpots(judging: Looked): readonly string[] {
  const { now, baseline, rules } = judging;
  return [
    ...withoutScores(judging).warnings,
    ...unmeasuredErrors(judging),
    ...(baseline === undefined ? [] : idleRules(now, baseline, rules)),
    ...lostParts(judging, "warning"),
    ...rowWarnings(judging),
  ];
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
