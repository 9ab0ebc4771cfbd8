import { countOf } from "../text/number.ts";
import { quoted, listed } from "../text/quoted.ts";
import { partText } from "./comparing/part.ts";
import type { Judgement, MetricJudgement, RuleOutcome } from "./judgement.ts";
import { changeText, neededText } from "./words.ts";

/** The first line: what happened, and what to do about it. */
export function headlineOf(judgement: Omit<Judgement, "headline">): string {
  const { status, gaps, rules } = judgement;
  const failed = rules.filter(({ rule, holds }) => holds === false && !rule.isWarning);
  switch (status) {
    case "incomplete":
      return `Incomplete: ${gaps[0]?.message ?? `${failed[0]?.found ?? "nothing was compared"}.`}${moreGaps(gaps.length - 1)} Nothing can be said until the results are whole.`;
    case "failed":
      return failedLine(failed, rules);
    case "bootstrap":
      return `Nothing was compared: there is no baseline yet. ${heldText(rules)}`;
    case "none":
      return "No gates: the results are shown, and nothing was judged.";
    case "warned":
      return `Passed with ${countOf(rules.filter(({ holds }) => holds !== true).length, "warning")}. ${changesText(judgement)}`;
    case "passed":
      return `Passed: ${HOLDING[rules.length] ?? `all ${String(rules.length)} rules hold`}. ${changesText(judgement)}`;
  }
}

function failedLine(failed: readonly RuleOutcome[], rules: readonly RuleOutcome[]): string {
  const [first] = failed.toSorted((a, b) => rank(a) - rank(b));
  if (first === undefined) {
    const open = rules.filter(({ holds }) => holds === undefined).map(({ rule }) => quoted(rule.text));
    return `Failed: there is no baseline, and ${listed(open, { conjunction: "and", most: 3 })} ${open.length === 1 ? "needs" : "need"} one.`;
  }
  const others = moreRules(failed.length - 1);
  const { rule, found, needed, verdict } = first;
  const decide = needed === undefined ? "" : `; ${neededText(needed)} would decide`;
  const text = `\`${rule.text}\``;
  if (verdict === "regressed") return `Regressed: ${found}.${others} Look at the cases that got worse.`;
  if (rule.test.by === "not-worse") {
    return `Not proven harmless: ${found}. ${text} needs proof that no more harm was done${decide}.${others}`;
  }
  return `Failed: ${found}, and the rule is ${text}.${others}`;
}

function rank({ verdict, rule }: RuleOutcome): number {
  return verdict === "regressed" ? 0 : rule.test.by === "not-worse" ? 2 : 1;
}

function moreRules(count: number): string {
  return count > 0 ? ` ${countOf(count, "more rule")} ${count === 1 ? "is" : "are"} broken.` : "";
}

function moreGaps(count: number): string {
  return count > 0 ? ` There ${count === 1 ? "is" : "are"} ${countOf(count, "more gap")}.` : "";
}

function heldText(rules: readonly RuleOutcome[]): string {
  const judged = rules.filter(({ holds }) => holds !== undefined);
  if (judged.length === 0) return "Save the snapshot of this run as the baseline.";
  return `${judged.length === 1 ? "The rule" : `The ${String(judged.length)} rules`} about the results alone ${judged.length === 1 ? "holds" : "hold"}. Save the snapshot of this run as the baseline.`;
}

const HOLDING: Readonly<Record<number, string>> = { 1: "the rule holds", 2: "both rules hold" };

/** What was found by the rules that compare, without a claim that nothing changed. */
function changesText({ rules, metrics }: Pick<Judgement, "metrics" | "rules">): string {
  const compared = rules.filter(
    ({ rule, verdict }) => rule.test.by === "not-regressed" || rule.test.by === "not-worse" || verdict === "improved",
  );
  const isOpen = ({ verdict }: RuleOutcome) => verdict === "inconclusive" || verdict === "too few";
  const shown = compared.find(isOpen) ?? compared[0] ?? rules[0];
  if (shown === undefined) return "";
  return isOpen(shown) ? `${sentence(shown.found)} ${hiddenText(shown, metrics)}` : sentence(shown.found);
}

/** How bad a change may be that chance can explain. */
function hiddenText({ rule: { value, filters } }: RuleOutcome, metrics: readonly MetricJudgement[]): string {
  const part = partText(filters);
  const found = metrics.find((one) => value.of === "metric" && one.metric === value.metric && one.part === part);
  const { interval, direction, scale } = found?.comparison ?? {};
  if (found === undefined || interval === undefined || scale === undefined) {
    return "That is too little to tell a change from chance.";
  }
  const worst = direction === "lower" ? interval.high : interval.low;
  return `Chance alone can explain that, and may hide a change as bad as ${changeText(found.facts, scale, worst)}.`;
}

function sentence(clause: string): string {
  return `${clause}.`;
}
