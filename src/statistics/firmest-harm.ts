import type { PairedScores } from "./comparison.ts";
import { rawGainsOf } from "./differences.ts";

// Halves the widest range to the last digit of what is within it.
const STEPS = 90;

/**
 * The scores between two readings of which a t test shows harm most clearly: it is not clearest with the worst ones, as a
 * few far from all others widen the spread. t falls and then rises with each unknown gain, and is least where all of them
 * are one number, or as near to it as their readings let them.
 */
export function firmestHarm(worst: PairedScores, best: PairedScores, isRatio: boolean): PairedScores {
  const [low, high] = [rawGainsOf(worst, isRatio), rawGainsOf(best, isRatio)];
  // The number of the unit of each case.
  const numbers = new Map<string, number>();
  const unitOf = Uint32Array.from({ length: low.length }, (_, at) => {
    if (!worst.clusters) return at;
    const name = worst.clusters[at] ?? "";
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
  let [below, above, nearest, isAnyKnown] = [0, 0, -Infinity, false];
  for (const [at, least] of low.entries()) {
    const most = high[at] ?? least;
    isAnyKnown ||= least === most && least !== 0;
    if (least === most) continue;
    below = Math.min(below, least);
    above = Math.max(above, most);
    if (least < 0) nearest = Math.max(nearest, least);
  }
  // Where nothing else changed, t is the same for any loss that all of them can have.
  if (!isAnyKnown) [below, above] = [nearest, nearest];
  for (let step = 0; step < STEPS && below < above; step += 1) {
    const middle = (below + above) / 2;
    if (risesAt(middle, low, high, unitOf)) above = middle;
    else below = middle;
  }
  const turn = worst.direction === "higher" ? 1 : -1;
  const current = Float64Array.from(low, (least, at) => {
    const most = high[at] ?? least;
    const [before = 0, now = 0] = [worst.baseline[at], worst.current[at]];
    if (least === most) return now;
    const gain = turn * within(below, least, most);
    return isRatio ? before * Math.exp(gain) : before + gain;
  });
  return { ...worst, current };
}

const within = (gain: number, least: number, most: number) => Math.max(least, Math.min(most, gain));

/** Whether t rises with the unknown gains at this number: it does wherever the mean is no loss. */
function risesAt(gain: number, low: Float64Array, high: Float64Array, unitOf: Uint32Array): boolean {
  const [sums, sizes, free] = [
    new Float64Array(low.length),
    new Float64Array(low.length),
    new Float64Array(low.length),
  ];
  let total = 0;
  for (let at = 0; at < low.length; at += 1) {
    const [least = 0, most = 0, unit = 0] = [low[at], high[at], unitOf[at]];
    const own = within(gain, least, most);
    sums[unit] = (sums[unit] ?? 0) + own;
    sizes[unit] = (sizes[unit] ?? 0) + 1;
    if (least < gain && gain < most) free[unit] = (free[unit] ?? 0) + 1;
    total += own;
  }
  if (total >= 0) return true;
  const mean = total / low.length;
  let [squares, weighted] = [0, 0];
  for (let unit = 0; unit < sums.length; unit += 1) {
    const rest = (sums[unit] ?? 0) - (sizes[unit] ?? 0) * mean;
    squares += rest * rest;
    weighted += (sizes[unit] ?? 0) * rest;
  }
  // A gain beyond all readings, or between them, moves none.
  let slope = free.some((count) => count > 0) ? 0 : squares - total * (gain - mean);
  for (let unit = 0; unit < sums.length; unit += 1) {
    const rest = (sums[unit] ?? 0) - (sizes[unit] ?? 0) * mean - weighted / low.length;
    slope += (free[unit] ?? 0) * (squares - total * rest);
  }
  return slope > 0;
}
