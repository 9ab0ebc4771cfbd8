import { hash } from "node:crypto";

/** How many names are tried, the given one with them; each costs the whole body. */
export const MOST_NAMES = 12;
// The name of a nightly workflow is taken by every run before, so counting on would send as many bodies.
const MOST_NUMBERED = 9;
const CODE_DIGITS = 8;

/**
 * The names of the experiments of one upload: the given one, with a number behind it while it is taken, later with
 * eight hex digits that follow from the mark, so that no other run has them and every attempt of this one has, and the
 * part where there are several: `nightly`, `nightly-2`, `nightly-2 [1/3]`, `nightly-5f1c09ab`.
 */
export class ExperimentNames {
  readonly #name: string;
  readonly #parts: number;
  readonly #mark: string;
  #number = 1;
  #base: string;

  constructor(name: string, parts: number, mark: string) {
    this.#mark = mark;
    this.#name = name;
    this.#base = name;
    this.#parts = parts;
  }

  /** Which name it is, from 1. */
  get number(): number {
    return this.#number;
  }

  /** The name of a part, from 1. */
  of(part: number): string {
    return this.#parts === 1 ? this.#base : `${this.#base} [${String(part)}/${String(this.#parts)}]`;
  }

  /** Gives this part and those after it another name. */
  next(): void {
    this.#number += 1;
    const suffix = this.#number <= MOST_NUMBERED ? String(this.#number) : this.#code();
    this.#base = `${this.#name}-${suffix}`;
  }

  #code(): string {
    return hash("sha256", `${this.#mark} ${String(this.#number)}`).slice(0, CODE_DIGITS);
  }
}
