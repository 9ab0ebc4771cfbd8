import { incompleteBeta } from "./beta.ts";
import { countWhere } from "./ticks.ts";

/** McNemar's exact test: two-sided p of the same chance to fail newly and to be fixed. */
export function mcnemar(newlyFailing: number, fixed: number): number {
  const most = Math.max(newlyFailing, fixed);
  // With one flip to spare the tail is exactly one half.
  return 2 * most <= newlyFailing + fixed + 1 ? 1 : Math.min(1, 2 * tailFromHalf(most, newlyFailing + fixed - most));
}

/** P(Bin(most + others, ½) ≥ most). */
export const tailFromHalf = (most: number, others: number) => incompleteBeta(most, others + 1, 0.5);

/** Up to so many differences that are not 0 the test is exact: 2^40 ways to flip, from two halves of 2^20. */
const MOST_EXACT = 40;

/**
 * Two-sided p of differences that are as likely to be worse as to be better: the share of all 2^k ways to choose their
 * signs whose sum is as far from 0 as the one seen. Fisher (1935); by meet in the middle, Horowitz and Sahni (1974).
 * Undefined for more than 40 differences that are not 0, unless all are of one size, as then it is McNemar's test.
 *
 * @param sums  the differences of the units, in whole ticks
 * @param slack by how many ticks rounding may have moved a sum, so that 0.333… three times is as far from 0 as 1
 */
export function signFlip(sums: Float64Array, slack = sums.length): number | undefined {
  const first = Math.abs(sums.find((sum) => sum !== 0) ?? 0);
  const changed = countWhere(sums, (sum) => sum !== 0);
  if (sums.every((sum) => sum === 0 || Math.abs(sum) === first)) {
    const down = countWhere(sums, (sum) => sum < 0);
    return mcnemar(down, changed - down);
  }
  if (changed > MOST_EXACT) return undefined;
  const sizes = sums.filter((sum) => sum !== 0).map(Math.abs);
  const reach = Math.abs(sums.reduce((total, sum) => total + sum, 0)) - slack;
  if (reach <= 0) return 1;
  const half = sizes.length >> 1;
  const far = waysFrom(reach, signedSums(sizes.subarray(0, half)), signedSums(sizes.subarray(half)));
  return Math.min(1, (2 * far) / 2 ** sizes.length);
}

/** Sums and in how many ways each comes about. */
interface Sums {
  /** Ascending, each one once. */
  readonly sums: Float64Array;
  readonly ways: Float64Array;
}

/** All sums of the sizes with each sign: each size merges the sums below it with those above it. */
function signedSums(sizes: Float64Array): Sums {
  let sums = Float64Array.of(0);
  let ways = Float64Array.of(1);
  for (const size of sizes) {
    const [nextSums, nextWays] = [new Float64Array(2 * sums.length), new Float64Array(2 * sums.length)];
    let [low, high, place] = [0, 0, 0];
    for (; high < sums.length; place += 1) {
      const down = low < sums.length ? (sums[low] ?? 0) - size : Infinity;
      const up = (sums[high] ?? 0) + size;
      nextSums[place] = Math.min(down, up);
      nextWays[place] = (down <= up ? (ways[low] ?? 0) : 0) + (up <= down ? (ways[high] ?? 0) : 0);
      if (down <= up) low += 1;
      if (up <= down) high += 1;
    }
    sums = nextSums.subarray(0, place);
    ways = nextWays.subarray(0, place);
  }
  return { sums, ways };
}

/** In how many ways two sums, one from each side, add up to `reach` or more. */
function waysFrom(reach: number, left: Sums, right: Sums): number {
  let [pairs, beyond, from] = [0, 0, right.sums.length];
  for (const [place, sum] of left.sums.entries()) {
    for (; from > 0 && sum + (right.sums[from - 1] ?? 0) >= reach; from -= 1) beyond += right.ways[from - 1] ?? 0;
    pairs += (left.ways[place] ?? 0) * beyond;
  }
  return pairs;
}

/** Adjusts the p of several rules that are judged together, in the order given. Holm (1979). */
export function holm(ps: readonly number[]): readonly number[] {
  const adjusted = new Array<number>(ps.length).fill(1);
  let largest = 0;
  for (const [rank, { p, place }] of ps
    .map((p, place) => ({ p, place }))
    .sort((a, b) => a.p - b.p)
    .entries()) {
    largest = Math.max(largest, Math.min(1, p * (ps.length - rank)));
    adjusted[place] = largest;
  }
  return adjusted;
}
