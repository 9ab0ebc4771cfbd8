import { ALPHA } from "../statistics/interval.ts";
import { countOf, countText } from "../text/number.ts";
import { isMostlyLost } from "./comparing/harm-tests.ts";
import { isHarm } from "./comparing/metric.ts";
import { partText } from "./comparing/part.ts";
import type { MetricJudgement, RuleOutcome } from "./judgement.ts";
import { changeText, nameOf, neededText, reachText, valueText } from "./words.ts";

/** The metric of a rule that asks for a proof, where it was compared. */
export function metricOf({ rule }: RuleOutcome, metrics: readonly MetricJudgement[]): MetricJudgement | undefined {
  const { value, filters, test } = rule;
  const part = partText(filters);
  if (value.of !== "metric" || (test.by !== "not-regressed" && test.by !== "not-worse")) return undefined;
  return metrics.find((one) => one.metric === value.metric && one.part === part && one.comparison !== undefined);
}

/** How a metric changed, in one clause: `accuracy went from 0.9 to 0.8 on 100 cases`. */
export function movedText(measured: MetricJudgement): string {
  const { metric, facts, comparison } = measured;
  const name = nameOf(measured);
  if (comparison === undefined) return `${name} was not compared`;
  const { scale, change, baseline, current, cases } = comparison;
  const size = `on ${cases < measured.cases ? `${countText(cases)} of ` : ""}${countOf(measured.cases, "case")}`;
  if (comparison.test === "unchanged") return `${name} is as before ${size}`;
  const [before, now] = [valueText(metric, baseline.mean), valueText(metric, current.mean)];
  if (scale === "difference") {
    // Both means may look the same when they are rounded.
    if (before === now) return `${name} changed by ${changeText(facts, scale, change)} ${size}`;
    return `${name} went from ${before} to ${now} ${size}`;
  }
  const by = changeText(facts, scale, change);
  return `${name} ${by.startsWith("−") ? "fell" : "rose"} by ${by.replace(/^[−+]/, "")} ${size}`;
}

/** What a rule found that does not hold, and what it asks for: without a p. A clause, and sentences. */
export function brokenTexts(outcome: RuleOutcome, metrics: readonly MetricJudgement[]): readonly string[] {
  const { rule, verdict, found, needed, reach, advice } = outcome;
  const measured = metricOf(outcome, metrics);
  const text = `\`${rule.text}\``;
  if (measured !== undefined && advice !== undefined) {
    return [`${movedText(measured)}, and ${text} cannot be judged`, advice];
  }
  if (measured === undefined || (verdict === "incomplete" && reach === undefined))
    return [`${found}, and the rule is ${text}`];
  const moved = movedText(measured);
  if (verdict === "regressed") return [`${moved}, and chance alone rarely does that`];
  const { facts, comparison } = measured;
  if (reach !== undefined && comparison !== undefined && isMostlyLost(comparison))
    return [`${moved}, which ${text} cannot judge: ${reachText(reach, comparison)}`];
  const decide = needed === undefined ? "" : `; ${neededText(needed)} would decide`;
  if (comparison?.bound === undefined) return [moved, `Nothing limits the harm, which ${text} does not allow.`];
  const bad = changeText(facts, comparison.scale, comparison.bound);
  return [moved, `A change as bad as ${bad} cannot be ruled out, which ${text} does not allow${decide}.`];
}

/** True where only the correction for other rules keeps harm from being shown: the first that a reader should know of. */
export function isNearlyShown(outcome: RuleOutcome, metrics: readonly MetricJudgement[]): boolean {
  return (metricOf(outcome, metrics)?.comparison?.p ?? 1) < ALPHA;
}

/** How bad a change may be that is not shown, and how many cases would decide. */
export function openTexts(
  measured: MetricJudgement,
  { needed, reach }: RuleOutcome,
): { readonly clause: string; readonly hidden: string } {
  const { facts, comparison } = measured;
  const { interval, direction, scale } = comparison ?? {};
  const decide = needed === undefined ? "" : `; ${neededText(needed)} would decide`;
  if (comparison?.unitsToLose === 0) return { clause: "and nothing can get worse", hidden: "" };
  if (reach !== undefined) return { clause: "and with so few cases the rule could not have been broken", hidden: "" };
  if (comparison !== undefined && comparison.p < ALPHA) {
    const what = isHarm(comparison) ? "harm" : "a gain";
    return { clause: `which would show ${what} if this were the only rule that compares${decide}`, hidden: "" };
  }
  if (interval === undefined || scale === undefined) {
    return { clause: `too little to tell a change from chance${decide}`, hidden: "" };
  }
  const worst = direction === "lower" ? interval.high : interval.low;
  const hidden = `The true change may be as bad as ${changeText(facts, scale, worst)}${decide}.`;
  return { clause: "which chance alone can explain", hidden };
}
