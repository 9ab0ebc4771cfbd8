import { knownRange, type Extremes } from "../../statistics/known-range.ts";
import type { CaseSet, MetricFacts } from "../cases/case-set.ts";
import { boundsOf } from "../cases/metric-facts.ts";
import { valuesIn, withValues } from "../cases/trial-list.ts";
import type { Sides } from "./case-lists.ts";
import { factsOf, seenIn } from "./metric-kind.ts";
import { missingScores, type MissingScores, type SoughtSides } from "./missing-scores.ts";

/** The least and the largest value that a missing score may have. */
export interface Ends {
  readonly low: number;
  readonly high: number;
  /** False where nothing bounds the values on that side: the number stands for one that is larger than any other. */
  readonly isLowKnown: boolean;
  readonly isHighKnown: boolean;
}

/** The two sides with each missing score at an end. Where nothing is missing, they are the same as they were. */
export type FilledSides = ReturnType<typeof filledSides>;

/** Fills the missing scores of these metrics: for levels `low` and `high`, of this run alone, for changes the others. */
export function filledSides(sides: Sides, metrics: Iterable<string>, sought: SoughtSides) {
  const { now, baseline } = sides;
  const [missing, ends] = [new Map<string, MissingScores>(), new Map<string, Ends>()];
  const fills = { low: fill(now), high: fill(now), worst: fill(now), best: fill(now) };
  const before = baseline && { worst: fill(baseline), best: fill(baseline) };
  for (const metric of metrics) {
    const found = missingScores(sides, metric, sought);
    if (found.level.length + found.lost.length + found.before.length === 0) continue;
    const facts = factsOf(now.metrics.get(metric), baseline?.metrics.get(metric));
    const { low, high, ...known } = endsOf(facts, seenIn([now, baseline], metric));
    missing.set(metric, found);
    ends.set(metric, { low, high, ...known });
    const [bad, good] = facts.direction === "higher" ? [low, high] : [high, low];
    fills.low.put(metric, found.level, low);
    fills.high.put(metric, found.level, high);
    // At worst, what this run lost is as bad as it may be, and what the baseline lacks as good.
    fills.worst.put(metric, found.lost, bad);
    fills.best.put(metric, found.lost, good);
    before?.worst.put(metric, found.before, good);
    before?.best.put(metric, found.before, bad);
  }
  const whole = (set: CaseSet | undefined) => baseline && set && { ...baseline, ...set };
  return {
    low: fills.low.filled(),
    high: fills.high.filled(),
    worst: { now: fills.worst.filled(), baseline: whole(before?.worst.filled()) },
    best: { now: fills.best.filled(), baseline: whole(before?.best.filled()) },
    missing,
    ends,
  };
}

/** Beyond all that was seen, and small enough to add up. */
const BEYOND = 1e6;

/** The ends of a metric, by what is known of it and by the values of both sides. */
function endsOf(facts: MetricFacts, seen: Extremes): Ends {
  const { kind, direction } = facts;
  const bounds = boundsOf(facts);
  if (bounds) return { ...bounds, isLowKnown: true, isHighKnown: true };
  const { least, most } = seen;
  // The ratio to 0 is not a number.
  if (kind === "positive") {
    const { high = most * BEYOND } = facts;
    return { low: least / BEYOND, high, isLowKnown: true, isHighKnown: facts.high !== undefined };
  }
  if (knownRange(seen).kind === "signed share") return { low: -1, high: 1, isLowKnown: true, isHighKnown: true };
  const beyond = BEYOND * Math.max(1, Math.abs(least), Math.abs(most));
  // Marks and percentages begin at 0; a loss such as the perplexity may have any range.
  const isFloored = least >= 0 && direction === "higher";
  return { low: isFloored ? 0 : -beyond, high: beyond, isLowKnown: isFloored, isHighKnown: false };
}

/** Values that stand in for missing ones. */
function fill(set: CaseSet) {
  const replaced = new Map<string, Float64Array>();
  return {
    put: (metric: string, trials: readonly number[], value: number): void => {
      if (!set.metrics.has(metric) || trials.length === 0) return;
      const values = Float64Array.from(valuesIn(set, metric));
      for (const trial of trials) values[trial] = value;
      replaced.set(metric, values);
    },
    filled: () => withValues(set, replaced),
  };
}
