import { betaPower, incompleteBeta } from "./beta.ts";
import { ALPHA, type Interval } from "./interval.ts";
import { tailFromHalf } from "./p-values.ts";
import { root } from "./root.ts";

/** Cases with one yes or no on both sides: how many turned to no, how many to yes, and how many there are. */
export interface Flips {
  readonly newlyFailing: number;
  readonly fixed: number;
  readonly n: number;
}

/**
 * Interval of the change of the share that passes: the melded one of Fay and Lumbard (2021). Leaves out 0 exactly when
 * McNemar's p is below `alpha`.
 */
export function pairedInterval({ newlyFailing, fixed, n }: Flips, alpha = ALPHA): Interval {
  if (n === 0) return { low: -1, high: 1 };
  return {
    low: meldedLimit(fixed, newlyFailing, n, alpha / 2),
    high: -meldedLimit(newlyFailing, fixed, n, alpha / 2) + 0,
  };
}

/** One-sided lower bound of the change of the share that passes, by the same method. */
export function pairedBound({ newlyFailing, fixed, n }: Flips, alpha = ALPHA): number {
  return n === 0 ? -1 : meldedLimit(fixed, newlyFailing, n, alpha);
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

/** Gauss–Legendre quadrature: roots of the Legendre polynomial by Newton's method. Golub and Welsch (1969) give the weights. */
function gaussLegendre(count: number): readonly Node[] {
  return Array.from({ length: count }, (_, index) => {
    let z = Math.cos((Math.PI * (index + 0.75)) / (count + 0.5));
    let slope = 0;
    for (let step = 0; step < 10; step += 1) {
      let [last, value] = [1, z];
      for (let k = 2; k <= count; k += 1) [last, value] = [value, ((2 * k - 1) * z * value - (k - 1) * last) / k];
      slope = (count * (z * value - last)) / (z * z - 1);
      z -= value / slope;
    }
    return { place: (1 - z) / 2, weight: 1 / ((1 - z * z) * slope * slope) };
  });
}

const NODES = gaussLegendre(128);
