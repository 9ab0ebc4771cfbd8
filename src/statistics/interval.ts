import { normalQuantile } from "./student-t.ts";

/** The two ends of an interval, in the unit of what it is about. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** What is left to error everywhere: intervals hold with 95 %, and a p below it is a difference shown. */
export const ALPHA = 0.05;

/** A share with `passed` of `n`, of which `passed` may be a fraction. Wilson (1927). Without n it may be anything. */
export function wilson(passed: number, n: number): Interval {
  if (n === 0) return { low: 0, high: 1 };
  const z = normalQuantile(ALPHA / 2);
  const centre = (passed + (z * z) / 2) / (n + z * z);
  const half = (z / (n + z * z)) * Math.sqrt((passed * (n - passed)) / n + (z * z) / 4);
  return { low: passed === 0 ? 0 : centre - half, high: passed === n ? 1 : centre + half };
}
