import type { Comparison } from "../../statistics/comparison.ts";
import { ALPHA, type Interval } from "../../statistics/interval.ts";
import type { Plan } from "../../statistics/needed.ts";
import type { Level } from "../../statistics/level.ts";
import { durationText, elapsedText, latencyText } from "../../text/duration.ts";
import { countOf, countText, numberBeside, numberText } from "../../text/number.ts";
import { COST, LATENCY, TOKENS, type MetricFacts } from "../cases/case-set.ts";
import { meets, isOfRows, type Statistic } from "../gates/rule.ts";
import type { MetricJudgement } from "../judgement.ts";

/** A metric in a sentence, with the part of the cases that it is of: `accuracy [language = de]`. */
export function nameOf({ metric, part }: Pick<MetricJudgement, "metric" | "part">): string {
  return part === undefined ? metric : `${metric} [${part}]`;
}

/** A statistic in a sentence: `p95(latency)`; a mean is the metric itself. */
export function statisticText(statistic: Statistic, name: string): string {
  return statistic === "mean" ? name : `${statistic}(${name})`;
}

/** Which direction is better, and where that comes from: `higher (assumed)`. */
export function directionText({ direction, directionFrom, isDirectionUnsure }: MetricFacts): string {
  if (isDirectionUnsure === true) return "not known";
  return directionFrom === undefined ? direction : `${direction} (${directionFrom})`;
}

/** A value of a metric: `0.87`, `1.2 s`; a latency below a millisecond is not none, `0.021 ms`. */
export function valueText(metric: string, value: number): string {
  if (metric !== LATENCY) return numberText(value);
  return value > 0 && value < 1 ? `${numberText(value)} ms` : durationText(value);
}

/** A value beside the limit that it meets or breaks: with as many digits as it takes to see which. */
export function valueBeside(metric: string, value: number, limit: number): string {
  if (meets(value, "=", limit)) return valueText(metric, value);
  if (metric !== LATENCY) return numberBeside(value, limit);
  return durationText(value) === durationText(limit) ? `${numberBeside(value, limit)} ms` : durationText(value);
}

/** A value with its 95 % limits: `0.87 [0.81, 0.91]`. */
export function levelText(
  metric: string,
  value: number,
  interval: Interval | undefined,
  text = valueText(metric, value),
): string {
  return interval ? `${text} [${valueText(metric, interval.low)}, ${valueText(metric, interval.high)}]` : text;
}

/** A change: shares of one in percentage points, ratios in percent: `−2.0 pp`, `+9.3 %`. */
export function changeText(facts: MetricFacts, scale: Comparison["scale"], change: number): string {
  const { text, unit } = changeForm(facts, scale);
  return `${text(change)}${unit}`;
}

/** A difference of two values of a metric, in its unit: `−2.0 pp`, `+318 ms`. */
export function differenceText(metric: string, facts: MetricFacts, difference: number): string {
  if (metric !== LATENCY) return changeText(facts, "difference", difference);
  return withSign(difference, latencyText(Math.abs(difference)));
}

/** A difference beside the one that a rule allows: with as many digits as it takes to see which is larger. */
export function differenceBeside(metric: string, facts: MetricFacts, difference: number, allowed: number): string {
  const text = differenceText(metric, facts, difference);
  const limit = Math.sign(difference) * Math.abs(allowed);
  if (meets(difference, "=", limit) || text !== differenceText(metric, facts, limit)) return text;
  const [factor, unit] = metric === LATENCY ? [1, " ms"] : isShare(facts) ? [100, " pp"] : [1, ""];
  const [exact, other] = [difference, limit].map((value) => steady(Math.abs(value) * factor));
  return `${withSign(difference, numberBeside(exact ?? 0, other ?? 0))}${unit}`;
}

type SharedCases = Pick<MetricJudgement, "baseline" | "comparison" | "metric" | "now">;

/** What a change is of, where a run has scores of more cases, and else empty: `of 80 cases that both runs have, from 0.9 to 0.88`. */
export function sharedText({ metric, now, baseline, comparison }: SharedCases): string {
  if (!comparison) return "";
  const { current, baseline: before } = comparison;
  if (now?.cases === current.cases && baseline?.cases === before.cases) return "";
  const values = `from ${valueText(metric, before.mean)} to ${valueText(metric, current.mean)}`;
  return `of ${countOf(current.cases, "case")} that both runs have, ${values}`;
}

/** A change with its 95 % limits: `−2.0 pp [−5.1, +1.1]`. */
export function comparisonText(facts: MetricFacts, { scale, change, interval }: Comparison): string {
  const { text } = changeForm(facts, scale);
  const limits = interval ? ` [${text(interval.low)}, ${text(interval.high)}]` : "";
  return `${changeText(facts, scale, change)}${limits}`;
}

/** Why a rule against harm holds where no case can fall. */
export const NOTHING_TO_LOSE = "nothing can get worse, as every case has the worst score in the baseline";

/**
 * How bad a change may be, and what that supposes: `at worst −8.2 pp, as if one more case had lost everything (0 to 1)`.
 * Empty where nothing limits it.
 */
export function boundText(facts: MetricFacts, comparison: Comparison, metric: string): string {
  const { scale, bound, worst, units, cases, baseline } = comparison;
  if (bound === undefined) return "";
  if (worst?.loss === 0) return NOTHING_TO_LOSE;
  const isOfTime = metric === LATENCY && scale === "difference";
  const atWorst = `at worst ${isOfTime ? differenceText(metric, facts, bound) : changeText(facts, scale, bound)}`;
  if (!worst) return atWorst;
  const { low = 0, high = 1 } = facts;
  const { loss, from } = worst;
  const one = `${atWorst}, as if one more ${units === cases ? "case" : "cluster"} had`;
  if (scale === "ratio") {
    const factor = Math.exp(loss);
    const ceiling = valueText(metric, factor * baseline.quantiles.min);
    const why = from === "seen" ? " (the largest change here)" : from === "ceiling" ? ` (${ceiling})` : "";
    const [had, much] = AMOUNTS.get(metric) ?? ["had", "much"];
    return `${one} ${had} ${numberText(factor)} times as ${much}${why}`;
  }
  const [least, most] =
    from === "range" ? [low, high] : from === "signed share" ? [-1, 1] : [0, from === "share" ? 1 : loss];
  return `${one} lost everything (${valueText(metric, least)} to ${valueText(metric, most)})`;
}

const AMOUNTS: ReadonlyMap<string, readonly [had: string, much: string]> = new Map([
  [LATENCY, ["taken", "long"]],
  [COST, ["cost", "much"]],
  [TOKENS, ["used", "many"]],
]);

export function changeUnit(facts: MetricFacts, scale: Comparison["scale"]): string {
  return changeForm(facts, scale).unit;
}

export function isShare({ kind, low = 0, high = 1 }: MetricFacts): boolean {
  return (kind === "binary" || kind === "bounded") && low === 0 && high === 1;
}

/** A share of one in percent: `33.3 %`. */
export function shareText(share: number): string {
  return `${numberText(share * 100)} %`;
}

function changeForm(facts: MetricFacts, scale: Comparison["scale"]) {
  if (scale === "ratio") return { text: (ratio: number) => signed((ratio - 1) * 100), unit: " %" };
  if (isShare(facts)) return { text: (change: number) => signed(change * 100), unit: " pp" };
  return { text: (change: number) => withSign(change, numberText(steady(Math.abs(change)))), unit: "" };
}

function signed(value: number): string {
  return withSign(value, (Math.round(steady(Math.abs(value) * 10)) / 10).toFixed(1));
}

/** Without what arithmetic adds in the last digits, which would round 7.05 once to 7.0 and once to 7.1. */
function steady(value: number): number {
  return Number(value.toPrecision(12));
}

function withSign(value: number, text: string): string {
  if (Number.parseFloat(text.replaceAll(",", "")) === 0) return text;
  return value < 0 ? `−${text}` : `+${text}`;
}

/** A p-value: `p 0.023`, `p < 0.001`. */
export function pText(p: number): string {
  return p < 0.001 ? "p < 0.001" : `p ${p.toFixed(p < 0.1 ? 3 : 2)}`;
}

/** p with the correction for other rules, and alone too where only the correction keeps it from showing something. */
export function correctedPText(p: number, adjustedP = p): string {
  if (p >= ALPHA || adjustedP < ALPHA) return pText(adjustedP);
  return `${pText(p)}, and ${pText(adjustedP).replace(/^p /, "")} with the correction for all rules`;
}

/** How much was measured: `200 cases`, `200 cases × 3 trials`; of more cases than have the score, `12 of 20 cases`. */
export function sizeText(cases: number, trials: number, of = cases): string {
  const each = cases === 0 ? 0 : trials / cases;
  const size = of > cases ? `${countText(cases)} of ${countOf(of, "case")}` : countOf(cases, "case");
  if (each <= 1) return size;
  return `${size} × ${Number.isInteger(each) ? countText(each) : `about ${each.toFixed(1)}`} trials`;
}

/** What a statistic is taken of: `100 cases`, or `300 rows of 100 cases`. */
export function basisText(
  { cases, rows }: Pick<Level, "cases" | "rows">,
  statistic: Statistic,
  of: number = cases,
): string {
  const all = sizeText(cases, cases, of);
  if (!isOfRows(statistic)) return all;
  return rows === cases && of <= cases ? countOf(rows, "row") : `${countOf(rows, "row")} of ${all}`;
}

// An estimate from an estimate: more than two digits of it say nothing.
function roughly(count: number): number {
  const unit = 10 ** Math.max(0, String(count).length - 2);
  return Math.ceil(count / unit) * unit;
}

/** What would decide, the way that needs fewer runs first: `about 770 cases or 5 trials of each case`. */
export function neededText({ cases, trials }: Plan): string {
  const moreCases = `about ${countText(roughly(cases))} cases`;
  return trials === undefined ? moreCases : `${moreCases} or ${countText(roughly(trials))} trials of each case`;
}

/** The same behind a clause, `; about 770 cases would decide`; empty where no number would. */
export function decideText(needed: Plan | undefined): string {
  return needed ? `; ${neededText(needed)} would decide` : "";
}

const DAY_MILLISECONDS = 24 * 3_600_000;

/** How old something is: `3 h 20 min`, `12 days`. */
export function ageText(milliseconds: number): string {
  const days = Math.floor(milliseconds / DAY_MILLISECONDS);
  return days < 2 ? elapsedText(milliseconds) : `${countText(days)} days`;
}
