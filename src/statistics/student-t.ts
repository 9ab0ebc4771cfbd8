import { incompleteBeta } from "./beta.ts";
import { root } from "./root.ts";

/** The probability that |T| ≥ |t|, for Student's t with `freedom` degrees of freedom. */
export function twoSidedTail(t: number, freedom: number): number {
  const total = freedom + t * t;
  return incompleteBeta(freedom / 2, 0.5, freedom / total, (t * t) / total);
}

/** The value that Student's t exceeds with probability `tail`, above 0 and at most ½. */
export function tQuantile(tail: number, freedom: number): number {
  return upperQuantile(tail, (t) => twoSidedTail(t, freedom) / 2);
}

/** The value that a standard normal variable exceeds with probability `tail`, from 1e-9 to ½. */
export function normalQuantile(tail: number): number {
  return upperQuantile(tail, normalTail);
}

function upperQuantile(tail: number, tailOf: (value: number) => number): number {
  if (tail >= 0.5) return 0;
  let high = 2;
  while (tailOf(high) > tail) high *= 2;
  return root((value) => tailOf(value) - tail, 0, high);
}

/** The density of a standard normal variable. */
export function normalDensity(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}

// From here on the series would lose digits, and the fraction converges fast.
const FAR = 5;
const FRACTION_STEPS = 60;

/** P(Z ≥ z) for z ≥ 0 by the series of Marsaglia (2004), and far out by the continued fraction of Laplace (1805). */
export function normalTail(z: number): number {
  if (z > FAR) {
    let below = z;
    for (let step = FRACTION_STEPS; step > 0; step -= 1) below = z + step / below;
    return normalDensity(z) / below;
  }
  let [term, sum] = [z, z];
  for (let k = 3; term > sum * 1e-17; k += 2) {
    term *= (z * z) / k;
    sum += term;
  }
  return 0.5 - sum * normalDensity(z);
}
