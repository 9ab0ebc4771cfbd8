import type { Range } from "../../statistics/mean.ts";
import { numberText } from "../../text/number.ts";
import { MEASURES, type Direction, type MetricFacts } from "./case-set.ts";
import { directionOf, isAmount, type SeenAs } from "./metric-names.ts";

export interface StatedDirection {
  readonly direction: Direction;
  readonly from: "file" | "given" | "mapping";
}

export interface Declared {
  readonly directions: ReadonlyMap<string, StatedDirection>;
  readonly ranges: ReadonlyMap<string, Range>;
}

export const UNKNOWN_METRIC: MetricFacts = { kind: "unbounded", direction: "higher" };

export interface SeenValues {
  readonly least: number;
  readonly most: number;
  readonly isBinary: boolean;
}

/** The facts of a metric by its key: what was declared of it, and else what its values and its name show. */
export function metricFacts(key: string, seen: SeenValues, { directions, ranges }: Declared): MetricFacts {
  const { least, most, isBinary } = seen;
  const range = ranges.get(key);
  if (MEASURES.has(key)) {
    const kind = least > 0 ? "positive" : "unbounded";
    const measured = { kind, direction: "lower", directionFrom: "measured" } as const;
    return range ? withRange(key, measured, range) : measured;
  }
  const isShare = least >= 0 && most <= 1;
  // Times and costs that are all 0 are no verdicts.
  const isVerdict = isBinary && most === 1;
  const facts = directionFacts(key, directions.get(key), isVerdict ? "yes/no" : isShare ? "share" : "other");
  const isOfAmount = isAmount(key) && facts.direction === "lower";
  const found: MetricFacts =
    isOfAmount || !isShare
      ? { kind: isOfAmount && least > 0 ? "positive" : "unbounded", ...facts }
      : { kind: isBinary ? "binary" : "bounded", low: 0, high: 1, ...facts };
  return range ? withRange(key, found, range) : found;
}

/**
 * The facts with a range that is declared. Of times, costs and tokens its high end is the most that they may be: they are
 * compared as ratios all the same, unless one is 0.
 */
export function withRange(key: string, facts: MetricFacts, range: Range): MetricFacts {
  const { low, high } = range;
  const isYesNo = facts.kind === "binary" && low === 0 && high === 1;
  const isRatio = facts.kind === "positive" && (MEASURES.has(key) || isAmount(key));
  const kind = isYesNo ? "binary" : isRatio ? "positive" : "bounded";
  return { ...facts, kind, low, high, isRangeDeclared: true };
}

/** The range that an input or a file declares; a snapshot of version 1 does not say so, and holds no other that is wider. */
export function declaredRange({ kind, low = 0, high = 1, isRangeDeclared }: MetricFacts): Range | undefined {
  const isOther = kind === "bounded" && (low !== 0 || high !== 1);
  return (isRangeDeclared ?? isOther) ? { low, high } : undefined;
}

function directionFacts(name: string, stated: StatedDirection | undefined, seenAs: SeenAs) {
  if (stated) return { direction: stated.direction, directionFrom: stated.from };
  const said = directionOf(name, seenAs);
  if (said === "lower" || said === "higher") return { direction: said, directionFrom: "name" } as const;
  const assumed = { direction: "higher", directionFrom: "assumed" } as const;
  return said === "unsure" ? ({ ...assumed, isDirectionUnsure: true } as const) : assumed;
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
  const { kind, low: _low, high: _high, isRangeDeclared: _isDeclared, ...known } = one;
  // What is a score in one set is one in all.
  const facts = { ...known, isNumberOnly: first.isNumberOnly === true ? other.isNumberOnly : undefined };
  const isOfBoth = kind === other.kind;
  const [ours, theirs] = [declaredRange(one), declaredRange(other)];
  // What one declares counts for both: that the other does not is no other range.
  const declared = ours && theirs ? widest(ours, theirs) : (ours ?? theirs);
  if (declared) {
    const isYesNo = kind === "binary" && declared.low === 0 && declared.high === 1;
    const merged = isOfBoth && (isYesNo || kind === "positive") ? kind : "bounded";
    return { kind: merged, ...declared, ...facts, isRangeDeclared: true };
  }
  if (isOfBoth && kind !== "bounded") return { ...one, ...facts };
  const [range, otherRange] = [boundsOf(one), boundsOf(other)];
  if (!range || !otherRange) return { kind: "unbounded", ...facts };
  return { kind: "bounded", ...widest(range, otherRange), ...facts };
}

/** A range in a sentence: `1 to 5`. */
export function rangeText({ low, high }: Range): string {
  return `${numberText(low)} to ${numberText(high)}`;
}

export function isSameRange(one: Range, other: Range): boolean {
  return one.low === other.low && one.high === other.high;
}

export function widest(one: Range, other: Range): Range {
  return { low: Math.min(one.low, other.low), high: Math.max(one.high, other.high) };
}

/** Where the values of a metric lie; undefined where nothing bounds them. */
export function boundsOf({ kind, low = 0, high = 1 }: MetricFacts): Range | undefined {
  return kind === "binary" || kind === "bounded" ? { low, high } : undefined;
}
