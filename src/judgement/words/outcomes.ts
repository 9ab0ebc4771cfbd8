import type { FilePlace } from "../../files/json/errors.ts";
import { isHarm, isMostlyLost, type Comparison } from "../../statistics/comparison.ts";
import { ALPHA } from "../../statistics/interval.ts";
import { countOf, countText } from "../../text/number.ts";
import { listed } from "../../text/quoted.ts";
import { withoutFullStop } from "../../text/reasons.ts";
import { partText } from "../gates/rule.ts";
import type { Judgement, MetricJudgement, Reach, RuleOutcome } from "../judgement.ts";
import { changeText, decideText, nameOf, neededText, valueText } from "./numbers.ts";
import { titleOf, verdictBadges } from "./standing.ts";

/** What was found by a rule, its verdict, and what would decide: `…: inconclusive; about 770 cases would decide`. */
export function outcomeText({ found, verdict, needed, advice, holds }: RuleOutcome): string {
  // `x needs a baseline` says it already.
  const said = verdictBadges(verdict).map(({ text }) => `: ${text}`);
  const more = advice === undefined || holds === true ? "" : `. ${withoutFullStop(advice)}`;
  return `${found}${said.join("")}${decideText(needed)}${more}`;
}

export interface Annotation {
  readonly title: string;
  readonly sentence: string;
  readonly place: FilePlace | undefined;
}

export function annotationOf(outcome: RuleOutcome): Annotation {
  const { rule, found, needed, places, advice } = outcome;
  const sentences = [`${found}. The rule is \`${rule.text}\`.`];
  if (needed) {
    const text = neededText(needed);
    sentences.push(`${text.charAt(0).toUpperCase()}${text.slice(1)} would decide.`);
  }
  if (advice !== undefined) sentences.push(advice);
  return { title: titleOf(outcome, "Rule broken"), sentence: sentences.join(" "), place: places[0] };
}

/** The annotations of a red judgement: one a gap, one a broken rule. */
export function errorsOf({ gaps, rules, status, headline }: Judgement): readonly Annotation[] {
  const found = [
    ...gaps.map(({ message }) => ({ title: "Incomplete", sentence: message, place: undefined })),
    ...rules.filter(({ rule, holds }) => holds === false && !rule.isWarning).map(annotationOf),
  ];
  // Without a baseline no rule is broken, and none was judged.
  return status === "failed" && found.length === 0
    ? [{ title: "No baseline", sentence: headline, place: undefined }]
    : found;
}

/** Why a rule cannot show what happened: `5 of the 5 cases that can get worse did, and it needs at least 6 to show harm`. */
export function reachText({ units, of, needs }: Reach, { worseUnits }: Comparison): string {
  return `${countText(worseUnits)} of the ${countOf(units, of)} that can get worse did, and it needs at least ${countText(needs)} to show harm`;
}

/** The rules that decide on fewer: `\`newly_failing = 0\` or \`accuracy drop <= 5pp\``. */
export function insteadText({ instead }: Reach): string {
  return listed(instead.map((rule) => `\`${rule}\``));
}

/** A sentence on a rule that holds, and could not have been broken; none on any other. */
export function reachWarnings({ rule: { text }, holds, reach }: RuleOutcome): readonly string[] {
  if (holds !== true || !reach) return [];
  const { units, of, needs } = reach;
  return [
    `The rule \`${text}\` could not have been broken with ${countOf(units, of)} that can get worse: it needs at least ${countText(needs)}. ${insteadText(reach)} decides on so few.`,
  ];
}

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
  if (!comparison) return `${name} was not compared`;
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
  if (measured && advice !== undefined) {
    return [`${movedText(measured)}, and ${text} cannot be judged`, advice];
  }
  if (!measured || (verdict === "incomplete" && !reach)) return [`${found}, and the rule is ${text}`];
  const moved = movedText(measured);
  if (verdict === "regressed") return [`${moved}, and chance alone rarely does that`];
  const { facts, comparison } = measured;
  if (reach && comparison && isMostlyLost(comparison))
    return [`${moved}, which ${text} cannot judge: ${reachText(reach, comparison)}`];
  const decide = decideText(needed);
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
  const decide = decideText(needed);
  if (comparison?.unitsToLose === 0) return { clause: "and nothing can get worse", hidden: "" };
  if (reach) return { clause: "and with so few cases the rule could not have been broken", hidden: "" };
  if (comparison && comparison.p < ALPHA) {
    const what = isHarm(comparison) ? "harm" : "a gain";
    return { clause: `which would show ${what} if this were the only rule that compares${decide}`, hidden: "" };
  }
  if (!interval || scale === undefined) {
    return { clause: `too little to tell a change from chance${decide}`, hidden: "" };
  }
  const worst = direction === "lower" ? interval.high : interval.low;
  const hidden = `The true change may be as bad as ${changeText(facts, scale, worst)}${decide}.`;
  return { clause: "which chance alone can explain", hidden };
}
