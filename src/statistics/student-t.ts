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

/** P(Z ≥ z) for z ≥ 0 by the series of Marsaglia (2004). */
function normalTail(z: number): number {
  let [term, sum] = [z, z];
  for (let k = 3; term > sum * 1e-17; k += 2) {
    term *= (z * z) / k;
    sum += term;
  }
  return 0.5 - (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}
