import { mcnemar } from "./paired-binary.ts";

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
  const sizes = sums.filter((sum) => sum !== 0).map(Math.abs);
  const [first] = sizes;
  if (sizes.every((size) => size === first)) {
    const down = sums.filter((sum) => sum < 0).length;
    return mcnemar(down, sizes.length - down);
  }
  if (sizes.length > MOST_EXACT) return undefined;
  const reach = Math.abs(sums.reduce((total, sum) => total + sum, 0)) - slack;
  if (reach <= 0) return 1;
  const half = sizes.length >> 1;
  const far = pairsFrom(reach, signedSums(sizes.subarray(0, half)), signedSums(sizes.subarray(half)));
  return Math.min(1, (2 * far) / 2 ** sizes.length);
}

/** All sums of the sizes with each sign, ascending: each size merges the sums below it with those above it. */
function signedSums(sizes: Float64Array): Float64Array {
  let sums = Float64Array.of(0);
  for (const size of sizes) {
    const merged = new Float64Array(2 * sums.length);
    let [low, high] = [0, 0];
    for (let place = 0; place < merged.length; place += 1) {
      const down = low < sums.length ? (sums[low] ?? 0) - size : Infinity;
      const up = (sums[high] ?? Infinity) + size;
      if (down <= up) low += 1;
      else high += 1;
      merged[place] = Math.min(down, up);
    }
    sums = merged;
  }
  return sums;
}

/** How many pairs, one from each ascending list, add up to `reach` or more. */
function pairsFrom(reach: number, left: Float64Array, right: Float64Array): number {
  let pairs = 0;
  let from = right.length;
  for (const sum of left) {
    while (from > 0 && sum + (right[from - 1] ?? 0) >= reach) from -= 1;
    pairs += right.length - from;
  }
  return pairs;
}
