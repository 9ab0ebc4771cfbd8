/**
 * The names of the experiments of one upload: the given one, with a number behind it while it is taken, and which part
 * it is where there are several: `nightly`, `nightly-2`, `nightly-2 [1/3]`.
 */
export class ExperimentNames {
  readonly #name: string;
  readonly #parts: number;
  #number = 1;

  constructor(name: string, parts: number) {
    this.#name = name;
    this.#parts = parts;
  }

  /** Which name it is, from 1. */
  get number(): number {
    return this.#number;
  }

  /** The name of a part, from 1. */
  of(part: number): string {
    const numbered = this.#number === 1 ? this.#name : `${this.#name}-${String(this.#number)}`;
    return this.#parts === 1 ? numbered : `${numbered} [${String(part)}/${String(this.#parts)}]`;
  }

  /** A name was taken: this part and those after it get the next number. */
  next(): void {
    this.#number += 1;
  }
}
