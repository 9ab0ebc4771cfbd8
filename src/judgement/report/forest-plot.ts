import { scaleLinear } from "d3-scale";
import type { Comparison } from "../../statistics/comparison.ts";
import type { Interval } from "../../statistics/interval.ts";
import { marginOf } from "../comparing/not-worse.ts";
import type { MetricJudgement, RuleOutcome } from "../judgement.ts";
import { rulesAbout } from "../words/standing.ts";
import { boundText, changeText, changeUnit, comparisonText, nameOf } from "../words/numbers.ts";
import { markup, type Markup } from "../../pages/markup.ts";

/** Metrics whose changes stand on one axis: harm is to the left of 0. */
export interface ForestGroup {
  readonly metrics: readonly MetricJudgement[];
  readonly rowOf: (metric: MetricJudgement) => Markup;
  readonly axis: Markup;
  readonly hasMargin: boolean;
  readonly hasBound: boolean;
}

/** A change, and what a rule allows of it, as parts of the baseline for a ratio. */
interface PlottedChange {
  readonly metric: MetricJudgement;
  readonly comparison: Comparison;
  readonly change: number;
  readonly interval: Interval | undefined;
  /** Where more harm begins than a rule allows, with its sign. */
  readonly margin: number | undefined;
  /** How bad the change may be, where a rule asks for it. */
  readonly bound: number | undefined;
  readonly isBroken: boolean;
}

/** Groups metrics by the unit and the direction of their changes, in the order of the first of each. */
export function forestOf(metrics: readonly MetricJudgement[], rules: readonly RuleOutcome[]): readonly ForestGroup[] {
  return [...Map.groupBy(metrics, groupOf).values()].map((group) => {
    const plotted = group.flatMap((metric) => plottedOf(metric, rules));
    const [first] = plotted;
    if (!first) return { metrics: group, rowOf: () => markup``, axis: markup``, hasMargin: false, hasBound: false };
    const scale = scaleOf(plotted);
    return {
      metrics: group,
      rowOf: (metric) => {
        const found = plotted.find((one) => one.metric === metric);
        return found ? rowMarkup(found, scale) : markup``;
      },
      axis: axisMarkup(first, scale),
      hasMargin: plotted.some(({ margin }) => margin !== undefined),
      hasBound: plotted.some(({ bound }) => bound !== undefined),
    };
  });
}

function groupOf({ metric, facts, comparison }: MetricJudgement): string {
  // The plot has a side for harm.
  if (!comparison || facts.isDirectionUnsure === true) return "without a plot";
  const unit = changeUnit(facts, comparison.scale);
  // A number without a unit shares its axis with no other.
  return JSON.stringify([unit, comparison.direction, unit === "" ? metric : ""]);
}

function plottedOf(metric: MetricJudgement, rules: readonly RuleOutcome[]): readonly PlottedChange[] {
  const { comparison, facts } = metric;
  if (!comparison || facts.isDirectionUnsure === true) return [];
  const shift = comparison.scale === "ratio" ? 1 : 0;
  const { change, interval, direction } = comparison;
  const harm = (direction === "higher" ? -1 : 1) * (change - shift);
  const margins = rulesAbout(metric, rules).flatMap((outcome) => allowedBy(outcome, comparison, harm));
  const margin = margins.length === 0 ? undefined : Math.min(...margins) * (direction === "higher" ? -1 : 1);
  const isBroken = rulesAbout(metric, rules).some(
    ({ rule: { test, isWarning }, holds }) => test.by === "point" && !isWarning && holds === false,
  );
  const bound = boundAsked(metric, rules) ? comparison.bound : undefined;
  return [
    {
      ...{ metric, comparison, change: change - shift, margin, isBroken },
      interval: interval && { low: interval.low - shift, high: interval.high - shift },
      bound: bound === undefined ? undefined : bound - shift,
    },
  ];
}

export function boundAsked(metric: MetricJudgement, rules: readonly RuleOutcome[]): boolean {
  return rulesAbout(metric, rules).some(({ rule: { test } }) => test.by === "not-worse");
}

/** How much harm a rule allows on the scale of the plot; nothing where the rule is about another number than is plotted. */
function allowedBy(
  { rule: { test, value }, holds }: RuleOutcome,
  comparison: Comparison,
  harm: number,
): readonly number[] {
  if (test.by === "not-worse") return [marginOf(test.margin, comparison)];
  if (test.by !== "point" || value.of !== "metric" || value.statistic !== "mean") return [];
  const { most } = test;
  const isPartOfOne = comparison.scale === "ratio" && !most.isRelative;
  const margin = isPartOfOne ? most.value / Math.abs(comparison.baseline.mean) : marginOf(most, comparison);
  // A rule about a mean may come out otherwise than the mean of ratios that is plotted.
  const near = 1e-9 * Math.max(1, Math.abs(margin));
  return holds === harm <= margin + near ? [margin] : [];
}

type Place = (value: number) => number;

interface ForestScale {
  /** In percent of the width. */
  readonly at: Place;
  readonly ticks: readonly number[];
}

function scaleOf(plotted: readonly PlottedChange[]): ForestScale {
  const values = plotted.flatMap(({ change, interval, margin = 0, bound = 0 }) => {
    return [0, change, interval?.low ?? 0, interval?.high ?? 0, margin, bound];
  });
  const [least, most] = [Math.min(...values), Math.max(...values)];
  // Room on both sides of 0, so that a change of any size has a side.
  const room = (most - least) * 0.1 || 0.01;
  const isFlipped = plotted[0]?.comparison.direction === "lower";
  const scale = scaleLinear()
    .domain([least - room, most + room])
    .range(isFlipped ? [100, 0] : [0, 100]);
  return { at: (value) => scale(value), ticks: scale.ticks(4) };
}

function percent(value: number): string {
  return `${String(Math.round(value * 100) / 100)}%`;
}

/**
 * Harm is shown where a rule asked for it, or allows no such change; a gain wherever its interval is beyond 0; and nothing
 * where something is missing.
 */
function toneOf({ metric: { verdict }, change, interval, comparison, isBroken }: PlottedChange): string {
  if (verdict === "incomplete") return "plain";
  if (verdict === "regressed" || isBroken) return "worse";
  const isBeyond = interval !== undefined && (interval.low > 0 || interval.high < 0);
  return isBeyond && change > 0 === (comparison.direction === "higher") ? "better" : "plain";
}

function rowMarkup(plotted: PlottedChange, { at }: ForestScale): Markup {
  const { metric, comparison, change, interval, margin, bound } = plotted;
  const tone = toneOf(plotted);
  const zero = percent(at(0));
  const text = (value: number) =>
    changeText(metric.facts, comparison.scale, value + (comparison.scale === "ratio" ? 1 : 0));
  const allowed = margin === undefined ? "" : `; a rule allows ${text(margin)}`;
  const worst = bound === undefined ? "" : boundText(metric.facts, comparison, metric.metric);
  const zone = margin === undefined ? "" : percent(at(margin));
  return markup`<svg class="forest" role="img" width="100%" height="100%">
    <title>${nameOf(metric)}: ${comparisonText(metric.facts, comparison)}${allowed}${worst && `; ${worst}`}</title>
    ${zone && markup`<rect class="zone" x="0" y="0" width="${zone}" height="100%" /><line class="margin" x1="${zone}" x2="${zone}" y1="0" y2="100%" />`}
    <line class="zero" x1="${zero}" x2="${zero}" y1="0" y2="100%" />
    ${interval && markup`<line class="interval ${tone}" x1="${percent(at(interval.low))}" x2="${percent(at(interval.high))}" y1="50%" y2="50%" />`}
    ${bound !== undefined && markup`<line class="bound" x1="${percent(at(bound))}" x2="${percent(at(bound))}" y1="25%" y2="75%" />`}
    <circle class="change ${tone}" cx="${percent(at(change))}" cy="50%" r="5" />
  </svg>`;
}

// In percent of the width, which is some 200 pixels in a narrow window.
const ROOM = 22;

function axisMarkup({ metric, comparison }: PlottedChange, { at, ticks }: ForestScale): Markup {
  const { scale } = comparison;
  const text = (value: number) =>
    value === 0 ? "0" : changeText(metric.facts, scale, value + (scale === "ratio" ? 1 : 0)).replace(/\.0(?= )/, "");
  const places = ticks.map((value) => ({ value, place: at(value) })).filter(({ place }) => place > 5 && place < 95);
  // Those whose texts do not touch those of earlier ones.
  const shown: typeof places = [];
  for (const tick of places.toSorted((a, b) => Math.abs(a.value) - Math.abs(b.value))) {
    if (shown.every(({ place }) => Math.abs(place - tick.place) >= ROOM)) shown.push(tick);
  }
  return markup`<svg class="forest" aria-hidden="true" width="100%" height="20">
    ${shown.map(
      ({ value, place }) =>
        markup`<line x1="${percent(place)}" x2="${percent(place)}" y1="0" y2="4" /><text x="${percent(place)}" y="16" text-anchor="middle">${text(value)}</text>`,
    )}
  </svg>`;
}
