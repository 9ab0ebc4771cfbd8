import { type Numbers, type Ticks, ticksPerUnit } from "./ticks.ts";

// Of its own size: what other cases have never decides whether a case changed.
const SAME = 1e-9;
// What arithmetic leaves of a 0: the cosine distance of two equal vectors is 2.2e-16.
const ZERO = 1e-15;
// Two scores are rounded to 53 bits, and each may be a mean of trials.
const ROUNDING = 2 ** -49;

/** Whether two scores of one case are the same: they differ by at most a billionth of the larger one, or by rounding at 0. */
export function isSame(now: number, before: number): boolean {
  return Math.abs(now - before) <= Math.max(ZERO, SAME * Math.max(Math.abs(now), Math.abs(before)));
}

export interface BothScores {
  readonly baseline: Numbers;
  readonly current: Numbers;
  readonly direction: "higher" | "lower";
}

/**
 * What each case gained, in ticks: below 0 it got worse, and 0 only where it did not change. For a ratio these are
 * logarithms.
 */
export function gainsOf(scores: BothScores, isRatio: boolean): Ticks {
  const { baseline, current } = scores;
  const counts = rawGainsOf(scores, isRatio);
  const perUnit = ticksPerUnit(counts);
  const slacks = new Float64Array(counts.length);
  let least = Infinity;
  let most = 0;
  let slack = 0;
  for (let i = 0; i < counts.length; i += 1) {
    const gain = counts[i] ?? 0;
    if (gain === 0) continue;
    const size = Math.max(1, Math.round(Math.abs(gain) * perUnit));
    const scores = isRatio ? 1 : Math.max(Math.abs(current[i] ?? 0), Math.abs(baseline[i] ?? 0));
    counts[i] = Math.sign(gain) * size;
    const own = 1 + Math.ceil(ROUNDING * scores * perUnit);
    slacks[i] = own;
    if (size < least) least = size;
    if (size > most) most = size;
    if (own > slack) slack = own;
  }
  // Changes that only rounding keeps apart are of one size.
  if (most - least <= slack)
    for (let i = 0; i < counts.length; i += 1) counts[i] = Math.sign(counts[i] ?? 0) * most + 0;
  return { counts, perUnit, slacks };
}

export function rawGainsOf({ baseline, current, direction }: BothScores, isRatio: boolean): Float64Array {
  const turn = direction === "higher" ? 1 : -1;
  const gains = new Float64Array(current.length);
  for (let i = 0; i < gains.length; i += 1) {
    const now = current[i] ?? 0;
    const before = baseline[i] ?? 0;
    const gain = isSame(now, before) ? 0 : isRatio ? logRatio(now, before) : now - before;
    // The largest numbers are further apart than a double holds.
    gains[i] = turn * Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, gain)) + 0;
  }
  return gains;
}

function logRatio(now: number, before: number): number {
  const ratio = now / before;
  return ratio > 0 && Number.isFinite(ratio) ? Math.log(ratio) : Math.log(now) - Math.log(before);
}
