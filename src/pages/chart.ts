import { scaleLinear, scaleLog } from "d3-scale";
import { markup, type Content, type Markup } from "./markup.ts";
import { badgeList, type Badge } from "./names.ts";

/** Where the marks of a chart stand; one unit is about a pixel, on a phone and on a desk. */
export const FRAME = { width: 340, height: 250, left: 46, right: 330, top: 24, bottom: 212 } as const;

/** One axis of a chart. */
export interface Axis {
  readonly at: (value: number) => number;
  readonly ticks: readonly { readonly value: number; readonly text: string }[];
  readonly name: string;
}

interface AxisRequest {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  /** From the low end to the high one. */
  readonly range: readonly [number, number];
  readonly isLog?: boolean;
  /** How many ticks there are, about. */
  readonly ticks?: number;
  readonly text: (value: number) => string;
}

export function axisOf({ name, low, high, range, isLog = false, ticks = 5, text }: AxisRequest): Axis {
  const domain = low === high ? [low - Math.abs(low) * 0.05 - 1e-9, high + Math.abs(high) * 0.05 + 1e-9] : [low, high];
  const scale = (isLog ? scaleLog() : scaleLinear()).domain(domain).range(range);
  const values = isLog
    ? (roundTicks(scale.ticks(), ticks) ?? scaleLinear().domain(domain).ticks(ticks))
    : scale.ticks(ticks);
  // The values that have room for their texts.
  const room = range[0] > range[1] ? 16 : 34;
  let last = -Infinity;
  const shown = values.filter((value) => {
    if (Math.abs(scale(value) - last) < room) return false;
    last = scale(value);
    return true;
  });
  return { name, at: (value) => scale(value), ticks: shown.map((value) => ({ value, text: text(value) })) };
}

/** Of the ticks of a logarithmic axis 1, 2 and 5 of each power of ten, or the powers alone; undefined for too few. */
function roundTicks(all: readonly number[], most: number): readonly number[] | undefined {
  const [many, few] = [/^[125]e/, /^1e/].map((round) => all.filter((value) => round.test(value.toExponential())));
  if (!many || !few || many.length < 2) return undefined;
  return many.length <= most + 1 || few.length < 2 ? many : few;
}

/** Both axes of a chart that shows one thing on both. */
export const HORIZONTAL = [FRAME.left, FRAME.right] as const;
export const VERTICAL = [FRAME.bottom, FRAME.top] as const;

interface ChartRequest {
  readonly title: string;
  readonly description: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly marks: Content;
}

/** A chart as SVG without styles of its own. */
export function chart({ title, description, x, y, marks }: ChartRequest): Markup {
  const { width, height, left, right, top, bottom } = FRAME;
  return markup`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img">
    <title>${title}</title>
    <desc>${description}</desc>
    <g class="axis">
      ${x.ticks.map(({ value, text }) => markup`<line class="grid" x1="${n(x.at(value))}" x2="${n(x.at(value))}" y1="${top}" y2="${bottom}" /><text x="${n(x.at(value))}" y="${bottom + 16}" text-anchor="middle">${text}</text>`)}
      ${y.ticks.map(({ value, text }) => markup`<line class="grid" x1="${left}" x2="${right}" y1="${n(y.at(value))}" y2="${n(y.at(value))}" /><text x="${left - 6}" y="${n(y.at(value) + 4)}" text-anchor="end">${text}</text>`)}
      <line x1="${left}" x2="${right}" y1="${bottom}" y2="${bottom}" />
      <text class="name" x="${right}" y="${height - 8}" text-anchor="end">${x.name}</text>
      <text class="name" x="${left - 40}" y="10">${y.name}</text>
    </g>
    ${marks}
  </svg>`;
}

interface FigureRequest {
  readonly heading: string;
  readonly badges: readonly Badge[];
  readonly about: Content;
  readonly chart: Markup;
  /** The numbers of the chart, for readers who cannot see it. */
  readonly table?: Markup;
}

/** A chart with its heading, and its numbers folded below it. */
export function figure({ heading, badges, about, chart: image, table }: FigureRequest): Markup {
  const numbers =
    table &&
    markup`<details class="numbers">
      <summary>Numbers</summary>
      ${table}
    </details>`;
  return markup`<figure>
    <figcaption><strong>${heading} ${badgeList(badges)}</strong> <span class="soft">${about}</span></figcaption>
    ${image}${numbers}
  </figure>`;
}

/** A coordinate: a hundredth of a pixel is enough. */
export function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}
