import { nameList } from "../../text/quoted.ts";
import { withoutFullStop } from "../../text/reasons.ts";
import { countedBy } from "../cases/metric-names.ts";
import { MEASURES, type CaseSet, type MetricFacts } from "../cases/case-set.ts";
import { areOtherScales, isMixed, LARGER_THAN_MARKS, scaleOf, type ScoreScale } from "../cases/score-scale.ts";
import { valuesIn } from "../cases/stored-case.ts";
import { written } from "../cases/metric-key.ts";
import { NEAR } from "../../statistics/known-range.ts";
import type { Rule } from "../gates/rule.ts";
import { opened, type Gap, type RuleOutcome } from "../judgement.ts";
import { statisticText, valueText } from "../words/numbers.ts";
import type { Looked } from "./gap.ts";

/** The gaps of metrics whose scores have another scale than a rule that binds, the baseline or the other rows. */
export function scaleGaps(looked: Looked): readonly Gap[] {
  return scaleFaults({ ...looked, rules: looked.rules.filter(({ isWarning }) => !isWarning) });
}

/** The outcomes with those of rules that only warn about such a metric: each says why it was not judged. */
export function withWarnedScales(outcomes: readonly RuleOutcome[], looked: Looked): readonly RuleOutcome[] {
  const faults = scaleFaults({ ...looked, rules: looked.rules.filter(({ isWarning }) => isWarning) });
  return outcomes.map((outcome) => {
    const { value, isWarning } = outcome.rule;
    if (value.of !== "metric" || !isWarning) return outcome;
    const fault = faults.find(({ metrics = [] }) => metrics.includes(value.metric));
    if (!fault) return outcome;
    return opened(outcome, `${outcome.found}: ${withoutFullStop(fault.message)}`);
  });
}

function scaleFaults({ rules, now, baseline }: Looked): readonly Gap[] {
  const ruled = new Map<string, Rule[]>();
  for (const rule of rules) {
    if (rule.value.of !== "metric" || MEASURES.has(rule.value.metric)) continue;
    ruled.set(rule.value.metric, [...(ruled.get(rule.value.metric) ?? []), rule]);
  }
  const [mixed, mixedBefore, others]: [string[], string[], string[]] = [[], [], []];
  const limits: Gap[] = [];
  for (const [metric, all] of ruled) {
    const [ours, theirs] = [scaleIn(now, metric), baseline && scaleIn(baseline, metric)];
    const facts = now.metrics.get(metric);
    // Whole numbers may count something: a share of it is not likely, whatever it grows to.
    const counted = ours?.isWhole === true && theirs?.isWhole === true ? countedBy(metric) : undefined;
    const mostOfBoth = Math.max(ours?.most ?? 0, theirs?.most ?? 0);
    if (counted === "amount" || (counted === "harm" && mostOfBoth <= LARGER_THAN_MARKS)) continue;
    if (ours && isMixed(ours)) mixed.push(metric);
    else if (ours && theirs && isMixed(theirs)) mixedBefore.push(metric);
    else if (ours && theirs && all.some(minds) && areOtherScales(ours, theirs)) others.push(metric);
    else if (facts) limits.push(...all.flatMap((rule) => limitGap(rule, facts, scaleOf(valuesIn(now, metric)))));
  }
  return [
    ...gapAbout(
      "other-scale",
      others,
      "Scores on two scales cannot be compared: one run has them from 0 to 1, and the other above 1",
    ),
    ...gapAbout("mixed-scale", mixed, `Some rows have ${IN_PART}`),
    ...gapAbout("other-scale", mixedBefore, `Some rows of the baseline have ${IN_PART}`),
    ...limits,
  ];
}

const IN_PART = `scores from 0 to 1, and others above ${String(LARGER_THAN_MARKS)}, as if a part were in percent`;

/** How a team says that scores are right as they are. */
const DECLARE =
  "If the scores are right as they are, declare their range, as in `ranges: NAME = LOW..HIGH`, or in the metadata of the experiment: `score_ranges: { NAME: { min: LOW, max: HIGH } }`.";

/** A rule that compares with the baseline, or that any score above 1 would meet, as `accuracy >= 0.9`. */
function minds({ test }: Rule): boolean {
  return test.by !== "number" || ((test.operator === ">=" || test.operator === ">") && test.number.value <= 1);
}

function gapAbout(kind: Gap["kind"], metrics: readonly string[], found: string): readonly Gap[] {
  return metrics.length === 0 ? [] : [{ kind, message: `${found}: ${nameList(metrics)}. ${DECLARE}`, metrics }];
}

/** The scale of a metric that no range and no name explains; undefined of any other. */
function scaleIn(set: CaseSet, metric: string): ScoreScale | undefined {
  const facts = set.metrics.get(metric);
  if (!facts || facts.kind === "positive" || isDeclared(facts)) return undefined;
  return scaleOf(valuesIn(set, metric));
}

/** A range from 0 to 1 may be what the values show, and values within it need no other. */
function isDeclared({ kind, low = 0, high = 1 }: MetricFacts): boolean {
  return kind === "bounded" && (low !== 0 || high !== 1);
}

/** A limit that was written for shares, where the scores are above 1: nearly any of them would meet it. */
function limitGap({ value, test, text }: Rule, facts: MetricFacts, { most }: ScoreScale): readonly Gap[] {
  if (value.of !== "metric" || test.by !== "number" || facts.kind === "positive" || most <= 1 + NEAR) return [];
  const { number, operator } = test;
  const isFraction = number.value > 0 && number.value < 1 && (operator === ">=" || operator === ">");
  if (number.unit !== "%" && !isFraction) return [];
  // Within a wide range that is declared, a small limit may be meant.
  if (number.unit !== "%" && isDeclared(facts) && number.value * 100 > (facts.high ?? 1)) return [];
  const name = statisticText(value.statistic, written(value.metric));
  const plain = Number((number.value * 100).toPrecision(12));
  const forms = [`${name} ${operator} ${String(plain)}`, `${name} ${operator} ${String(number.value)}`];
  return [
    {
      kind: "scale-of-limit",
      metrics: [value.metric],
      message: `\`${text}\` is a share of 1, and the scores go up to ${valueText(value.metric, most)}: write \`${forms[0] ?? ""}\` for scores from 0 to 100, or divide the scores by 100 for \`${forms[1] ?? ""}\`. ${DECLARE}`,
    },
  ];
}
