import type { Direction, MetricFacts } from "./case-set.ts";

/** The range that the values of a score may have. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** What was declared of scores, by name. */
export interface Declared {
  readonly directions: ReadonlyMap<string, Direction>;
  readonly ranges: ReadonlyMap<string, Range>;
}

/** What the values of a metric showed. */
export interface SeenValues {
  readonly least: number;
  readonly most: number;
  /** True when each is 0 or 1. */
  readonly isBinary: boolean;
}

/** The facts of a metric: what was declared of it, and else what its values and its name show. */
export function metricFacts(name: string, seen: SeenValues, { directions, ranges }: Declared): MetricFacts {
  const direction = directions.get(name) ?? (isAmount(name) || isFailure(name) ? "lower" : "higher");
  const { least, most, isBinary } = seen;
  const range = ranges.get(name);
  if (range !== undefined && least >= range.low && most <= range.high) {
    const isVerdict = isBinary && range.low === 0 && range.high === 1;
    return { kind: isVerdict ? "binary" : "bounded", ...range, direction };
  }
  if (isAmount(name)) return { kind: least > 0 ? "positive" : "unbounded", direction };
  if (isBinary) return { kind: "binary", low: 0, high: 1, direction };
  return least >= 0 && most <= 1 ? { kind: "bounded", low: 0, high: 1, direction } : { kind: "unbounded", direction };
}

/** The facts of a metric in two sets of cases, for their values together; the direction is that of the first. */
export function mergedFacts(one: MetricFacts, other: MetricFacts): MetricFacts {
  const { direction } = one;
  if (one.kind === other.kind && (one.kind === "positive" || one.kind === "unbounded")) return one;
  const [range, otherRange] = [rangeOf(one), rangeOf(other)];
  if (range === undefined || otherRange === undefined) return { kind: "unbounded", direction };
  if (one.kind === "binary" && other.kind === "binary") return one;
  const low = Math.min(range.low, otherRange.low);
  return { kind: "bounded", low, high: Math.max(range.high, otherRange.high), direction };
}

function rangeOf({ kind, low = 0, high = 1 }: MetricFacts): Range | undefined {
  return kind === "binary" || kind === "bounded" ? { low, high } : undefined;
}

const UNITS = new Set(["ms", "s", "sec", "secs", "seconds", "milliseconds", "usd", "eur", "count", "total", "avg"]);
const PERCENTILE = /^p\d+$/;
const AMOUNTS = new Set(["latency", "duration", "cost", "costs", "tokens", "token", "elapsed", "ttft"]);
const FAILURES = /(?:^| )(?:errors?|failures?|(?:error|failure|timeout) rate)$/;

/** A time, a cost or a count of tokens, by its name. */
function isAmount(name: string): boolean {
  const words = wordsOf(name);
  const last = words.findLast((word) => !UNITS.has(word) && !PERCENTILE.test(word));
  return last !== undefined && (AMOUNTS.has(last) || words.join(" ").startsWith("response time"));
}

function isFailure(name: string): boolean {
  return FAILURES.test(wordsOf(name).join(" "));
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
