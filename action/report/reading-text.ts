import { durationText } from "../../src/text/duration.ts";
import { countOf, countText } from "../../src/text/number.ts";

/** How an upload ends that has no files, where that is allowed. */
export const NO_FILES = "no file; nothing was uploaded";

/** `120,000 rows, 11 s, 10,900 rows/s`; `noun` is what is counted, as one of them. */
export function readingText(count: number, noun: string, milliseconds: number): string {
  const parts = [countOf(count, noun), durationText(milliseconds), countRate(count, noun, milliseconds)];
  return parts.filter((part) => part !== "").join(", ");
}

/** `10,900 rows/s`; empty when there is nothing to divide by. */
export function countRate(count: number, noun: string, milliseconds: number): string {
  const rate = (count / milliseconds) * 1_000;
  // More than three digits of a rate are noise.
  return Number.isFinite(rate) ? `${countText(Number(rate.toPrecision(3)))} ${noun}s/s` : "";
}
