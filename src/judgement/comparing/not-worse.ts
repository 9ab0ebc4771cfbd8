import { isNotWorse, type Comparison } from "../../statistics/comparison.ts";
import { countOf } from "../../text/number.ts";
import { LATENCY } from "../cases/case-set.ts";
import { written } from "../cases/metric-key.ts";
import { partText, type Rule, type RuleNumber } from "../gates/rule.ts";
import type { RuleOutcome, Verdict } from "../judgement.ts";
import { isShare, nameOf, valueText } from "../words/numbers.ts";
import type { MeasuredMetric } from "./metric.ts";

import { planFor } from "./plan.ts";

/** The verdict on a rule `not worse by`, and what to do where it is open. */
export type Proof = Pick<RuleOutcome, "advice" | "holds" | "verdict"> & Partial<Pick<RuleOutcome, "needed">>;

/** As a number on the scale of the comparison: of a ratio it is a part of one. */
export function marginOf({ value, isRelative }: RuleNumber, { scale, baseline }: Comparison): number {
  return isRelative && scale === "difference" ? value * Math.abs(baseline.mean) : value;
}

/**
 * Whether more harm than the margin is ruled out. Where a loss has no limit, or not even cases that are all as before could
 * show it, the rule is open: no run of so many cases can be green by it. `plain` is the verdict on the change alone.
 */
export function proofOf(
  rule: Rule,
  metric: MeasuredMetric,
  { comparison, plain, factor }: { readonly comparison: Comparison; readonly plain: Verdict; readonly factor: number },
): Proof {
  if (rule.test.by !== "not-worse") throw new TypeError("only a rule that rules out harm has a margin");
  const margin = marginOf(rule.test.margin, comparison);
  if (isNotWorse(comparison, margin) === true) {
    return { holds: true, verdict: "not worse", advice: vacuousAdvice(rule, metric, comparison) };
  }
  if (plain === "regressed") return { holds: false, verdict: plain };
  if (comparison.bound === undefined) {
    return { holds: false, verdict: "incomplete", advice: rangeAdvice(metric, comparison) };
  }
  if (isNotWorse({ ...comparison, bound: comparison.equalBound }, margin) !== true) {
    // How many equal cases could show it, or which margin so many could.
    const of = comparison.units === comparison.cases ? "case" : "cluster";
    const needs = metric.equalUnits(margin);
    const more = needs === undefined ? "" : `use at least ${countOf(needs, of)}, or `;
    const advice = `${countOf(comparison.units, of)} cannot show this, even if nothing changed: ${more}write \`${widerRule(rule, metric, comparison)}\`.`;
    return { holds: false, verdict: "incomplete", advice };
  }
  return { holds: false, verdict: "inconclusive", needed: planFor(metric, comparison, { margin, factor }) };
}

/** That no result could break the rule: the margin is more than a case can lose. Rules about shares are refused before. */
function vacuousAdvice({ test, text }: Rule, { metric }: MeasuredMetric, comparison: Comparison): string | undefined {
  const { worst, scale } = comparison;
  if (worst?.from !== "baseline" || worst.loss === 0 || test.by !== "not-worse" || scale === "ratio") return undefined;
  if (marginOf(test.margin, comparison) <= worst.loss) return undefined;
  const most = valueText(metric, worst.loss);
  return `The rule \`${text}\` can be broken by no result here, as no case of the baseline has more than ${most}: write a smaller margin.`;
}

/** The rule with the narrowest margin that equal cases can show, rounded up. */
function widerRule(
  { filters, test, isWarning }: Rule,
  { metric, facts }: MeasuredMetric,
  { equalBound = 0, scale, direction, baseline }: Comparison,
): string {
  const least = (direction === "higher" ? -1 : 1) * (scale === "ratio" ? equalBound - 1 : equalBound);
  const isRelative = scale === "difference" && test.by === "not-worse" && test.margin.isRelative;
  let [margin, unit] = [least, metric === LATENCY ? "ms" : ""];
  if (scale === "ratio") [margin, unit] = [least * 100, "%"];
  else if (isRelative && baseline.mean !== 0) [margin, unit] = [(least / Math.abs(baseline.mean)) * 100, "%"];
  else if (isShare(facts)) [margin, unit] = [least * 100, "pp"];
  // Two digits, and more than the number.
  const step = 10 ** (Math.floor(Math.log10(margin)) - 1);
  const up = margin > 0 ? Number(((Math.floor(margin / step) + 1) * step).toPrecision(2)) : 1;
  const name = nameOf({ metric: written(metric), part: partText(filters) });
  return `${isWarning ? "warn: " : ""}${name} not worse by ${String(up)}${unit}`;
}

/** The line that declares where the scores lie, by what was seen of them: only a team knows how much one can lose. */
function rangeAdvice({ metric, seen }: MeasuredMetric, { baseline, current }: Comparison): string {
  const least = Math.min(seen?.least ?? Infinity, baseline.quantiles.min, current.quantiles.min);
  const most = Math.max(seen?.most ?? -Infinity, baseline.quantiles.max, current.quantiles.max);
  const reach = roomy(Math.max(Math.abs(least), Math.abs(most)));
  // A loss such as the perplexity may grow far; a reward is most likely as far below 0 as above it.
  const line = `${written(metric)} = ${least < 0 ? `-${String(reach)}` : "0"}..${String(least < 0 ? reach : roomy(10 * most))}`;
  const values = least === most ? valueText(metric, most) : `${valueText(metric, least)} to ${valueText(metric, most)}`;
  return `Nothing limits how much a case can lose: declare the range of its values, which are ${values} here, as in \`ranges: ${line}\`.`;
}

/** 1, 2 or 5 with zeros, and at least the number. */
function roomy(value: number): number {
  if (value === 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((each) => each * unit >= value) ?? 10;
  return Number((step * unit).toPrecision(1));
}
