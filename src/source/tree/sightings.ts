import { lstatSync, type Stats } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

const NUMBERS = 5;
const PATHS_PER_TURN = 2_048;

/**
 * What the file system said of paths, which are absolute: it says the same again as long as they are unchanged. What
 * changed after the moment `settled`, in milliseconds since 1970, may have changed again without a trace.
 */
export class Sightings {
  readonly #settled: number;
  readonly #paths: string[] = [];
  // Five for each path, side by side: objects would take three times the memory.
  readonly #numbers: number[] = [];
  #isSettled = true;

  constructor(settled: number) {
    this.#settled = settled;
  }

  add(path: string, stats: Stats): void {
    if (stats.ctimeMs > this.#settled || stats.mtimeMs > this.#settled) this.#isSettled = false;
    this.#paths.push(path);
    this.#numbers.push(...numbersOf(stats));
  }

  /** True when the file system says the same of each path now. Throws the reason of the signal. */
  async hold(signal: AbortSignal): Promise<boolean> {
    if (!this.#isSettled) return false;
    let index = 0;
    for (const path of this.#paths) {
      if (index % PATHS_PER_TURN === 0) {
        await nextTurn();
        signal.throwIfAborted();
      }
      let stats: Stats | undefined;
      try {
        stats = lstatSync(path, QUIET);
      } catch {
        // Looking at all of it again will say what is wrong.
      }
      if (!stats || !this.#isSame(index, numbersOf(stats))) return false;
      index += 1;
    }
    return true;
  }

  /** True when both are of the same paths, in any order, and nothing has happened to them in between. */
  equals(earlier: Sightings): boolean {
    if (!earlier.#isSettled || this.#paths.length !== earlier.#paths.length) return false;
    const places = new Map(earlier.#paths.map((path, index) => [path, index]));
    return this.#paths.every((path, index) => {
      const place = places.get(path);
      const numbers = this.#numbers.slice(index * NUMBERS, (index + 1) * NUMBERS);
      return place !== undefined && earlier.#isSame(place, numbers);
    });
  }

  #isSame(index: number, numbers: readonly number[]): boolean {
    return numbers.every((number, at) => number === this.#numbers[index * NUMBERS + at]);
  }
}

function numbersOf({ ctimeMs, mtimeMs, ino, size, mode }: Stats): readonly number[] {
  return [ctimeMs, mtimeMs, ino, size, mode];
}

export interface WalkSightings {
  /** Files and links that are packed. */
  readonly members: Sightings;
  /** What else decides which ones are: directories, and files that are left out but have a say. */
  readonly others: Sightings;
}

const QUIET = { throwIfNoEntry: false } as const;
