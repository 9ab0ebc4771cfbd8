import { randomFillSync } from "node:crypto";
import { uuidV7 } from "../../contract/uuid.ts";

/** Fills a buffer with random bytes. */
export type FillRandom = (bytes: Buffer) => void;

const ID_BYTES = 16;
// Filling many ids at once saves a system call for each.
const POOL_IDS = 256;

/** Ids of runs: UUIDs of version 7, which start with the milliseconds of the run's start and sort by it. */
export class RunIds {
  readonly #fill: FillRandom;
  readonly #pool = Buffer.alloc(ID_BYTES * POOL_IDS);
  #at = this.#pool.length;

  constructor(fill: FillRandom = (bytes) => randomFillSync(bytes)) {
    this.#fill = fill;
  }

  /** The id of a run that starts at this time, microseconds since 1970. */
  next(startMicroseconds: number): string {
    if (this.#at === this.#pool.length) {
      this.#fill(this.#pool);
      this.#at = 0;
    }
    const bytes = this.#pool.subarray(this.#at, this.#at + ID_BYTES);
    this.#at += ID_BYTES;
    return uuidV7(bytes, Math.floor(startMicroseconds / 1_000));
  }
}
