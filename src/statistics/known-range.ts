import type { Range } from "./mean.ts";

/** The least and the largest of some values. */
export interface Extremes {
  readonly least: number;
  readonly most: number;
}

/** What the values of a score show of where it lies: never a guess of marks from 1 to 5, or of percent. */
export type KnownRange =
  | (Range & { readonly kind: "share" | "signed share" })
  /** At 0 at least. */
  | { readonly kind: "floor"; readonly low: 0 }
  | { readonly kind: "none" };

/** How far rounding brings a value over the end of a range, as a part of its width. */
export const NEAR = 1e-6;

export function knownRange({ least, most }: Extremes): KnownRange {
  if (least >= -NEAR && most <= 1 + NEAR) return { kind: "share", low: 0, high: 1 };
  if (least >= -1 - NEAR && most <= 1 + NEAR) return { kind: "signed share", low: -1, high: 1 };
  return least >= 0 ? { kind: "floor", low: 0 } : { kind: "none" };
}

/** True of a value that is beyond an end by more than rounding. */
export function isOutside(value: number, { low, high }: Range): boolean {
  const near = NEAR * (high - low);
  return value < low - near || value > high + near;
}

/** A value that rounding brought over an end, at that end. */
export function atEnd(value: number, { low, high }: Range): number {
  return isOutside(value, { low, high }) ? value : Math.max(low, Math.min(high, value));
}
