import { grown } from "../../files/column.ts";
import type { SeenValues } from "./metric-facts.ts";

const FIRST_TRIALS = 1 << 10;

/** The values of one metric, and what they show of it. */
export class MetricValues implements SeenValues {
  least = Infinity;
  most = -Infinity;
  isBinary = true;
  #cells = new Float64Array(FIRST_TRIALS).fill(Number.NaN);

  set(trial: number, given: number): void {
    // JSON writes -0 as 0.
    const value = given + 0;
    if (trial >= this.#cells.length) {
      const { length, BYTES_PER_ELEMENT: bytes } = this.#cells;
      this.#cells = new Float64Array(this.#cells.buffer.transfer(bytes * Math.max(trial + 1, grown(length))));
      this.#cells.fill(Number.NaN, length);
    }
    this.#cells[trial] = value;
    if (value < this.least) this.least = value;
    if (value > this.most) this.most = value;
    this.isBinary &&= value === 0 || value === 1;
  }

  /** NaN where it is missing. */
  get(trial: number): number {
    return this.#cells[trial] ?? Number.NaN;
  }
}
