import { incompleteBeta, betaPower } from "./beta.ts";
import { countWhere } from "./ticks.ts";
import { ALPHA, type Interval } from "./interval.ts";
import { root } from "./root.ts";

/** McNemar's exact test: two-sided p of the same chance to fail newly and to be fixed. */
export function mcnemar(newlyFailing: number, fixed: number): number {
  const most = Math.max(newlyFailing, fixed);
  // With one flip to spare the tail is exactly one half.
  return 2 * most <= newlyFailing + fixed + 1 ? 1 : Math.min(1, 2 * tailFromHalf(most, newlyFailing + fixed - most));
}

/** P(Bin(most + others, ½) ≥ most). */
const tailFromHalf = (most: number, others: number) => incompleteBeta(most, others + 1, 0.5);

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
  const [left, right] = [signedSums(sizes.subarray(0, half)), signedSums(sizes.subarray(half))];
  // In how many ways two sums, one from each side, add up to `reach` or more.
  let [far, beyond, from] = [0, 0, right.sums.length];
  for (const [place, sum] of left.sums.entries()) {
    for (; from > 0 && sum + (right.sums[from - 1] ?? 0) >= reach; from -= 1) beyond += right.ways[from - 1] ?? 0;
    far += (left.ways[place] ?? 0) * beyond;
  }
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

/** What the others that are made with it make of a test. */
export interface Corrected {
  readonly adjustedP: number;
  /** By what p was multiplied: by the number of those that are not smaller. */
  readonly factor: number;
}

/** Adjusts the p of several tests that are made together, in the order given. Holm (1979). */
export function holm(ps: readonly number[]): readonly Corrected[] {
  const ascending = ps.map((p, place) => ({ p, place })).sort((a, b) => a.p - b.p);
  const corrected = new Array<Corrected>(ps.length);
  let adjustedP = 0;
  for (const [rank, { p, place }] of ascending.entries()) {
    const factor = ps.length - rank;
    adjustedP = Math.max(adjustedP, Math.min(1, p * factor));
    corrected[place] = { adjustedP, factor };
  }
  return corrected;
}

/** Cases with one yes or no on both sides: how many turned to no, how many to yes, and how many there are. */
export interface Flips {
  readonly newlyFailing: number;
  readonly fixed: number;
  readonly n: number;
}

/**
 * Interval of the change of the share that passes: the melded one of Fay and Lumbard (2021). Leaves out 0 exactly when
 * McNemar's p is below ALPHA.
 */
export function pairedInterval({ newlyFailing, fixed, n }: Flips): Interval {
  if (n === 0) return { low: -1, high: 1 };
  return {
    low: meldedLimit(fixed, newlyFailing, n, ALPHA / 2),
    high: -meldedLimit(newlyFailing, fixed, n, ALPHA / 2) + 0,
  };
}

/** One-sided lower bound of the change of the share that passes, by the same method. */
export function pairedBound({ newlyFailing, fixed, n }: Flips): number {
  return n === 0 ? -1 : meldedLimit(fixed, newlyFailing, n, ALPHA);
}

/**
 * The `tail` quantile of (2T − 1) · (D_L if T > ½ else D_U), for the x fixed and y newly failing, m = x + y, of n cases:
 * T ~ Beta(x, y + 1), D_L ~ Beta(m, n − m + 1), D_U ~ Beta(m + 1, n − m).
 */
function meldedLimit(x: number, y: number, n: number, tail: number): number {
  const m = x + y;
  if (x === 0) return m === n ? -1 : -root((v) => incompleteBeta(n - m, m + 1, 1 - v, v) - tail, 0, 1);
  const isBelow = tailFromHalf(x, y) > tail;
  const [sign, a, b] = isBelow ? [-1, m + 1, n - m] : [1, m, n - m + 1];
  const likely = support(a, b);
  const atMost = (size: number) => {
    // Between these two shares of the way from ½ the size is likely to lie on either side of D; nearer and further it is sure.
    const near = (1 + sign * share(size, likely.high)) / 2;
    const far = (1 + sign * share(size, likely.low)) / 2;
    const [from, to] = isBelow ? [far, near] : [near, far];
    return (
      incompleteBeta(x, y + 1, from) +
      integral(x, y + 1, from, to, (t) => {
        const reached = share(size, Math.abs(2 * t - 1));
        return isBelow ? incompleteBeta(b, a, 1 - reached) : incompleteBeta(a, b, reached);
      })
    );
  };
  return sign * root((size) => atMost(size) - tail, 0, 1);
}

const share = (size: number, whole: number) => (size < whole ? size / whole : 1);

/** Where a Beta(a, b) variable lies but for less than 1e-20. As the arcsine of its root it is spread 1 / (2√(a + b)). */
function support(a: number, b: number): Interval {
  if (b === 0) return { low: 1, high: 1 };
  const centre = Math.asin(Math.sqrt(a / (a + b)));
  const reach = 5 / Math.sqrt(a + b);
  return {
    low: Math.sin(Math.max(0, centre - reach)) ** 2,
    high: Math.sin(Math.min(Math.PI / 2, centre + reach)) ** 2,
  };
}

/** The integral of `value` over a Beta(a, b) variable from `from` to `to`, for a ≥ 1 and b ≥ 1, with t = sin² θ. */
function integral(a: number, b: number, from: number, to: number, value: (t: number) => number): number {
  const likely = support(a, b);
  const low = Math.asin(Math.sqrt(Math.max(from, likely.low)));
  const high = Math.asin(Math.sqrt(Math.min(to, likely.high)));
  if (low >= high) return 0;
  let sum = 0;
  for (const { place, weight } of NODES) {
    const angle = low + place * (high - low);
    const [t, rest] = [Math.sin(angle) ** 2, Math.cos(angle) ** 2];
    sum += (weight * betaPower(a, b, t, rest) * value(t)) / Math.sqrt(t * rest);
  }
  return 2 * (high - low) * sum;
}

interface Node {
  /** From 0 to 1. */
  readonly place: number;
  readonly weight: number;
}

const DEGREE = 128;

/** Gauss–Legendre quadrature: roots of the Legendre polynomial by Newton's method. Golub and Welsch (1969) give the weights. */
const NODES = Array.from({ length: DEGREE }, (_, index): Node => {
  let z = Math.cos((Math.PI * (index + 0.75)) / (DEGREE + 0.5));
  let slope = 0;
  for (let step = 0; step < 10; step += 1) {
    let [last, value] = [1, z];
    for (let k = 2; k <= DEGREE; k += 1) [last, value] = [value, ((2 * k - 1) * z * value - (k - 1) * last) / k];
    slope = (DEGREE * (z * value - last)) / (z * z - 1);
    z -= value / slope;
  }
  return { place: (1 - z) / 2, weight: 1 / ((1 - z * z) * slope * slope) };
});
