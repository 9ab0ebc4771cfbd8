import { scaleLinear } from "d3-scale";
import { countOf } from "../../text/number.ts";
import type { Level } from "../../statistics/level.ts";
import { valueText } from "../words/numbers.ts";
import { axisOf, chart, figure, HORIZONTAL, n, VERTICAL, type Axis } from "../../pages/chart.ts";
import { markup, type Markup } from "../../pages/markup.ts";
import { table } from "../../pages/table.ts";
import type { ChartedMetric } from "./charted-metric.ts";

const BINS = 20;
// Of a smooth curve; more would not be seen.
const MOST_STEPS = 300;

/** How the values of the cases are spread now, and were in the baseline. None where they say yes or no. */
export function distributionOf(charted: ChartedMetric): Markup {
  const { metric, facts, now, baseline } = charted;
  const [low, high] = boundsOf([now, baseline], facts);
  if (now.length === 0 || new Set([...now, ...baseline]).size <= 2) return markup``;
  const bins = scaleLinear().domain([low, high]).nice(BINS);
  const edges = bins.ticks(BINS);
  const [from = low, to = high] = bins.domain();
  const shares = [baseline, now].map((values) => sharesIn(values, edges));
  const highest = Math.max(...shares.flat());
  const text = (value: number) => valueText(metric, value);
  const x = axisOf({ name: "mean of a case", low: from, high: to, range: HORIZONTAL, text });
  const y = axisOf({ name: "cases ↑", low: 0, high: highest, range: VERTICAL, ticks: 4, text: percent });
  const [before = [], after = []] = shares;
  const place = (edge: number) => x.at(edges[edge] ?? 0);
  const floor = n(y.at(0));
  const bars = before.map((share, bin) => {
    const [left, right] = [n(place(bin) + 1), n(place(bin + 1) - 1)];
    return share === 0 ? "" : `M${left} ${floor}V${n(y.at(share))}H${right}V${floor}Z`;
  });
  const outline = after.map((share, bin) => `V${n(y.at(share))}H${n(place(bin + 1))}`);
  return figureOf(charted, "distribution", {
    ...{ title: `${metric}: how the means of the cases are spread`, x, y },
    marks: [
      markup`<path class="area baseline" d="${bars.join("")}" />`,
      markup`<path class="line now" d="M${n(place(0))} ${floor}${outline.join("")}V${floor}" />`,
    ],
  });
}

/** Which share of the cases took at most how long, now and in the baseline. */
export function latencyCurveOf(charted: ChartedMetric): Markup {
  const { metric, facts, now, baseline } = charted;
  if (now.length < 2) return markup``;
  const [low, high] = boundsOf([now, baseline], facts);
  const text = (value: number) => valueText(metric, value);
  const x = axisOf({ name: "mean of a case", low, high, range: HORIZONTAL, isLog: low > 0, text });
  const y = axisOf({ name: "share of cases ↑", low: 0, high: 1, range: VERTICAL, ticks: 4, text: percent });
  return figureOf(charted, "share of cases at or below", {
    ...{ title: `${metric}: the share of the cases up to each value`, x, y },
    marks: [steps(baseline, "baseline", x, y), steps(now, "now", x, y)],
  });
}

/** The figure of a chart of both sides, with its numbers in words and in a table. */
function figureOf(
  charted: ChartedMetric,
  heading: string,
  drawn: Omit<Parameters<typeof chart>[0], "description">,
): Markup {
  const { metric, badges, now, baseline, judgement } = charted;
  const keys = baseline.length > 0 ? markup` <span class="key baseline">baseline</span>` : "";
  const side = (name: string, values: Float64Array, level: Level | undefined) =>
    level ? `${name}: ${countOf(values.length, "case")}, median ${valueText(metric, level.quantiles.p50)}. ` : "";
  const description = `${side("Now", now, judgement.now)}${side("Baseline", baseline, judgement.baseline)}`.trimEnd();
  return figure({
    heading: `${metric}: ${heading}`,
    badges,
    about: markup`<span class="key now">now</span>${keys}`,
    chart: chart({ ...drawn, description }),
    table: quantileTable(charted),
  });
}

function boundsOf(columns: readonly Float64Array[], { low, high }: ChartedMetric["facts"]): readonly [number, number] {
  const ends = columns.flatMap((values) => (values.length === 0 ? [] : [values[0] ?? 0, values.at(-1) ?? 0]));
  return [Math.min(...ends, low ?? Infinity), Math.max(...ends, high ?? -Infinity)];
}

/** The share of the values between each edge and the next; the last bin has its upper edge. */
function sharesIn(sorted: Float64Array, edges: readonly number[]): readonly number[] {
  const counts = edges.slice(1).map(() => 0);
  let bin = 0;
  for (const value of sorted) {
    while (bin < counts.length - 1 && value >= (edges[bin + 1] ?? Infinity)) bin += 1;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts.map((count) => count / Math.max(1, sorted.length));
}

/** The empirical distribution as steps, thinned where there are more cases than pixels. */
function steps(sorted: Float64Array, name: string, x: Axis, y: Axis): Markup {
  const [first] = sorted;
  if (first === undefined) return markup``;
  const shown = Math.min(sorted.length, MOST_STEPS);
  const path = Array.from({ length: shown }, (_, step) => {
    const rank = Math.ceil(((step + 1) * sorted.length) / shown);
    return `H${n(x.at(sorted[rank - 1] ?? first))}V${n(y.at(rank / sorted.length))}`;
  });
  return markup`<path class="line ${name}" d="M${n(x.at(first))} ${n(y.at(0))}${path.join("")}" />`;
}

function percent(share: number): string {
  return `${String(Math.round(share * 1000) / 10)} %`;
}

const QUANTILES = ["min", "p50", "p90", "p95", "p99"] as const;

function quantileTable({ metric, judgement }: ChartedMetric): Markup {
  const columns = ["mean", ...QUANTILES].map((number) => ({ number }));
  const sides = [["now", judgement.now] as const, ["baseline", judgement.baseline] as const];
  const rows = sides.flatMap(([name, level]) => {
    if (!level) return [];
    const values = [level.mean, ...QUANTILES.map((quantile) => level.quantiles[quantile])];
    return [[name, ...values.map((value) => valueText(metric, value))]];
  });
  return table(`${metric}: numbers`, [{ name: "" }, ...columns], rows);
}
