import { isSame } from "../../statistics/differences.ts";
import { countOf, countText } from "../../text/number.ts";
import { valueText } from "../words/numbers.ts";
import { axisOf, chart, figure, FRAME, HORIZONTAL, n, VERTICAL, type Axis } from "../../pages/chart.ts";
import { joined, markup, type Markup } from "../../pages/markup.ts";
import type { ChartedMetric } from "./charted-metric.ts";
import { compareTexts } from "../../text/compare.ts";

type Tone = "better" | "changed" | "same" | "worse";

interface Spot {
  readonly x: number;
  readonly y: number;
  readonly tone: Tone;
  count: number;
}

// With so few places each has a bubble with its count.
const MOST_BUBBLES = 30;
// Of a fine grid, for many places.
const CELL = 4;
const LARGEST_RADIUS = 26;

/** Each case: the baseline to the right, now upwards; below or above the diagonal it got worse. */
export function scatterOf(charted: ChartedMetric): Markup {
  const { metric, facts, badges, pairs } = charted;
  if (pairs.length === 0) return markup``;
  const all = pairs.flat();
  const low = all.reduce((one, other) => Math.min(one, other), facts.low ?? Infinity);
  const high = all.reduce((one, other) => Math.max(one, other), facts.high ?? -Infinity);
  const places = new Set(pairs.map(([before, now]) => `${String(before)} ${String(now)}`));
  const isBubbles = places.size <= MOST_BUBBLES;
  const room = isBubbles ? LARGEST_RADIUS + 14 : 6;
  const axis = (name: string, [from, to]: readonly [number, number]) => {
    const inner = Math.sign(to - from) * room;
    const isYesOrNo = facts.kind === "binary" && all.every(Number.isInteger);
    const [isLog, ticks] = [facts.kind === "positive" && low > 0, isYesOrNo ? 1 : 4];
    return axisOf({
      name,
      low,
      high,
      range: [from + inner, to - inner],
      isLog,
      ticks,
      text: (v) => valueText(metric, v),
    });
  };
  const [x, y] = [axis("baseline →", HORIZONTAL), axis("now ↑", VERTICAL)];
  const spots = spotsOf(charted, x, y, isBubbles ? 0 : CELL);
  const isUnsure = facts.isDirectionUnsure === true;
  const tones = isUnsure ? (["changed", "same"] as const) : (["worse", "better", "same"] as const);
  const counts = tones.map((tone) => {
    const count = spots.reduce((sum, spot) => sum + (spot.tone === tone ? spot.count : 0), 0);
    const text = `${countText(count)} ${tone === "same" ? "the same" : tone}`;
    return { text, shown: tone === "same" || count === 0 ? text : markup`<span class="${tone}">${text}</span>` };
  });
  const diagonal = markup`<line class="zero" x1="${n(x.at(low))}" y1="${n(y.at(low))}" x2="${n(x.at(high))}" y2="${n(y.at(high))}" />`;
  const [above, below] = facts.direction === "higher" ? ["better", "worse"] : ["worse", "better"];
  const { left, right, top, bottom } = FRAME;
  const corners = markup`<text class="corner ${above}" x="${left + 6}" y="${top + 8}">${above}</text>
    <text class="corner ${below}" x="${right - 4}" y="${bottom - 8}" text-anchor="end">${below}</text>`;
  const image = chart({
    title: `${metric}: each case, baseline against now`,
    description: `${countOf(pairs.length, "case")}: ${counts.map(({ text }) => text).join(", ")}.`,
    ...{ x, y },
    marks: [diagonal, isBubbles ? bubbles(spots) : dots(spots), !isUnsure && corners],
  });
  const about = joined(
    counts.map(({ shown }) => shown),
    ", ",
  );
  return figure({ heading: `${metric}: each case`, badges, about, chart: image });
}

/** `cell` is the size of the grid that places are rounded to; 0 for exact places. */
function spotsOf({ pairs, facts }: ChartedMetric, x: Axis, y: Axis, cell: number): readonly Spot[] {
  const spots = new Map<string, Spot>();
  const rounded = (at: number) => (cell === 0 ? at : Math.round(at / cell) * cell);
  for (const [before, now] of pairs) {
    const gain = facts.direction === "higher" ? now - before : before - now;
    const toned = facts.isDirectionUnsure === true ? "changed" : gain > 0 ? "better" : "worse";
    const tone = isSame(now, before) ? "same" : toned;
    const [left, top] = [rounded(x.at(before)), rounded(y.at(now))];
    const key = `${n(left)} ${n(top)} ${tone}`;
    const spot = spots.get(key) ?? { x: left, y: top, tone, count: 0 };
    spots.set(key, spot);
    spot.count += 1;
  }
  return [...spots.values()];
}

function bubbles(spots: readonly Spot[]): readonly Markup[] {
  const largest = Math.max(...spots.map(({ count }) => count));
  return spots
    .toSorted((a, b) => b.count - a.count)
    .map(({ x, y, tone, count }) => {
      const radius = Math.max(3, Math.sqrt(count / largest) * LARGEST_RADIUS);
      const [side, anchor] = radius > 11 ? [x, "middle"] : [x + radius + 3, "start"];
      return markup`<circle class="spot ${tone}" cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" />
        <text class="count" x="${n(side)}" y="${n(y + 4)}" text-anchor="${anchor}">${countText(count)}</text>`;
    });
}

/** Points of four shades as a few paths, the darker the more cases: 10,000 cases are a few kilobytes. */
function dots(spots: readonly Spot[]): readonly Markup[] {
  const largest = spots.reduce((most, { count }) => Math.max(most, count), 0);
  const shadeOf = (count: number) => String(Math.ceil(4 * Math.sqrt(count / largest)));
  const groups = Map.groupBy(spots, ({ tone, count }) => `${tone} shade-${shadeOf(count)}`);
  return [...groups]
    .toSorted(([a], [b]) => compareTexts(a, b))
    .map(([name, group]) => {
      return markup`<path class="dots ${name}" d="${group.map(({ x, y }) => `M${n(x)} ${n(y)}h0`).join("")}" />`;
    });
}
