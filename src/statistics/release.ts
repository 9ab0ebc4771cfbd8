import type { Numbers } from "./ticks.ts";

// What is smaller gathers to nothing.
const LARGE_BYTES = 64 * 1024;

/**
 * Frees the memory of numbers that nobody looks at any more. The engine counts it late: what all metrics of a run take one
 * after the other would be there at once. Numbers may be given twice: those that are freed have no length.
 */
export function release(...all: readonly (Numbers | undefined)[]): void {
  for (const numbers of all) {
    if (!(numbers instanceof Float64Array) || numbers.byteLength < LARGE_BYTES) continue;
    if (numbers.buffer instanceof ArrayBuffer) numbers.buffer.transfer(0);
  }
}
