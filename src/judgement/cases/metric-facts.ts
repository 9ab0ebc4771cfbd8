import { MEASURES, type Direction, type DirectionSource, type MetricFacts } from "./case-set.ts";
import { directionOf, isAmount, type SeenAs } from "./metric-names.ts";

/** The range that the values of a score may have. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** A direction that somebody gave. */
export interface StatedDirection {
  readonly direction: Direction;
  readonly from: "file" | "given" | "mapping";
}

/** What was declared of scores, by key. */
export interface Declared {
  readonly directions: ReadonlyMap<string, StatedDirection>;
  readonly ranges: ReadonlyMap<string, Range>;
}

/** What the values of a metric showed. */
export interface SeenValues {
  readonly least: number;
  readonly most: number;
  /** True when each is 0 or 1. */
  readonly isBinary: boolean;
}

/** The facts of a metric by its key: what was declared of it, and else what its values and its name show. */
export function metricFacts(key: string, seen: SeenValues, { directions, ranges }: Declared): MetricFacts {
  const { least, most, isBinary } = seen;
  const amount = least > 0 ? "positive" : "unbounded";
  if (MEASURES.has(key)) return { kind: amount, direction: "lower", directionFrom: "measured" };
  const isShare = least >= 0 && most <= 1;
  // Times and costs that are all 0 are no verdicts.
  const isVerdict = isBinary && most === 1;
  const facts = directionFacts(key, directions.get(key), isVerdict ? "yes/no" : isShare ? "share" : "other");
  const range = ranges.get(key);
  if (range !== undefined && least >= range.low && most <= range.high) {
    return {
      kind: isBinary && range.low === 0 && range.high === 1 ? "binary" : "bounded",
      ...range,
      ...facts,
      isRangeDeclared: true,
    };
  }
  if (isAmount(key) && facts.direction === "lower") return { kind: amount, ...facts };
  if (isBinary) return { kind: "binary", low: 0, high: 1, ...facts };
  return isShare ? { kind: "bounded", low: 0, high: 1, ...facts } : { kind: "unbounded", ...facts };
}

type DirectionFacts = Pick<MetricFacts, "direction" | "isDirectionUnsure"> & {
  readonly directionFrom: DirectionSource;
};

function directionFacts(name: string, stated: StatedDirection | undefined, seenAs: SeenAs): DirectionFacts {
  if (stated !== undefined) return { direction: stated.direction, directionFrom: stated.from };
  const said = directionOf(name, seenAs);
  if (said === "lower" || said === "higher") return { direction: said, directionFrom: "name" };
  const assumed = { direction: "higher", directionFrom: "assumed" } as const;
  return said === "unsure" ? { ...assumed, isDirectionUnsure: true } : assumed;
}

/**
 * The facts of a metric in two sets of cases, for their values together. The direction is that of the first, unless only
 * its name says it, and with the values of the other it may mean both: times that are all 0, and were 0 or 1.
 */
export function mergedFacts(first: MetricFacts, other: MetricFacts): MetricFacts {
  const isUnsure = first.directionFrom === "name" && other.isDirectionUnsure === true && first.kind !== other.kind;
  const one: MetricFacts = isUnsure
    ? { ...first, direction: other.direction, directionFrom: "assumed", isDirectionUnsure: true }
    : first;
  // What is a score in one set is one in all.
  const isNumberOnly = first.isNumberOnly === true ? other.isNumberOnly : undefined;
  return { ...mergedValues(one, other), isNumberOnly };
}

function mergedValues(one: MetricFacts, other: MetricFacts): MetricFacts {
  const { kind: _kind, low: _low, high: _high, isRangeDeclared: _isDeclared, ...facts } = one;
  if (one.kind === other.kind && (one.kind === "positive" || one.kind === "unbounded")) return one;
  const [range, otherRange] = [rangeOf(one), rangeOf(other)];
  if (range === undefined || otherRange === undefined) return { kind: "unbounded", ...facts };
  if (one.kind === "binary" && other.kind === "binary") return one;
  const [low, high] = [Math.min(range.low, otherRange.low), Math.max(range.high, otherRange.high)];
  const isDeclared = [one, other].some(
    (each) => each.isRangeDeclared === true && each.low === low && each.high === high,
  );
  return { kind: "bounded", low, high, ...facts, ...(isDeclared ? { isRangeDeclared: true } : {}) };
}

function rangeOf({ kind, low = 0, high = 1 }: MetricFacts): Range | undefined {
  return kind === "binary" || kind === "bounded" ? { low, high } : undefined;
}
