import { type Extremes, knownRange } from "./known-range.ts";
import type { Kind } from "./level.ts";

/** How much one case can lose at most, on the scale of its gains: of logarithms for a ratio. */
export interface WorstLoss {
  readonly loss: number;
  /**
   * From what it follows: a range that the metric has; values that are all from 0 to 1, or from −1 to 1; the largest value of
   * the baseline, as none can lose more; for ratios a factor of 100, a larger change that was seen, or a ceiling.
   */
  readonly from: "baseline" | "ceiling" | "factor" | "range" | "seen" | "share" | "signed share";
}

/** How many times as much a case may take that nobody has seen. */
const WORST_FACTOR = 100;

/** What was seen of both sides. */
export interface SeenSides {
  readonly direction: "higher" | "lower";
  /** Of all values of both sides. */
  readonly seen: Extremes;
  readonly baseline: Extremes;
  /** The largest change of a case as a logarithm, whatever its sign; undefined where changes are differences. */
  readonly largestRatio: number | undefined;
}

/** Undefined where nothing bounds what a case can lose. */
export function worstLossOf(kind: Kind, { direction, seen, baseline, largestRatio }: SeenSides): WorstLoss | undefined {
  if (kind.kind === "binary") return { loss: 1, from: "range" };
  if (kind.kind === "bounded") return { loss: kind.high - kind.low, from: "range" };
  if (largestRatio !== undefined) {
    const ceiling = kind.kind === "positive" ? kind.range?.high : undefined;
    const [loss, from] =
      ceiling === undefined
        ? ([Math.log(WORST_FACTOR), "factor"] as const)
        : ([Math.max(0, Math.log(ceiling / baseline.least)), "ceiling"] as const);
    return largestRatio > loss ? { loss: largestRatio, from: "seen" } : { loss, from };
  }
  if (kind.kind === "positive") return kind.range && { loss: kind.range.high - kind.range.low, from: "range" };
  // Of times and costs that are all below 1 the next may be above.
  if (kind.isAmount === true) return undefined;
  const known = knownRange(seen);
  if (known.kind === "share" || known.kind === "signed share")
    return { loss: known.high - known.low, from: known.kind };
  if (known.kind === "none" || direction === "lower") return undefined;
  // Where each case of the baseline has 0, none can lose anything.
  return { loss: baseline.most, from: "baseline" };
}
