/** How a score came out over all rows that have it. */
export interface ScoreSummary {
  /** How many rows have a number. */
  readonly n: number;
  readonly mean: number;
}

interface Sum {
  n: number;
  sum: number;
  /** What the sum has lost to rounding: Neumaier's summation. */
  lost: number;
}

/** Counts and means of all scores by their keys. */
export class ScoreTally {
  readonly #sums = new Map<string, Sum>();
  #rows = 0;
  #numbers = 0;

  /** Adds a row; of a key that it has twice the mean counts. */
  addRow(scores: readonly { readonly key: string; readonly number: number | undefined }[]): void {
    this.#rows += 1;
    const byKey = new Map<string, number[]>();
    for (const { key, number } of scores) {
      if (number !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), number]);
    }
    for (const [key, numbers] of byKey) {
      this.#numbers += 1;
      this.#add(key, numbers.reduce((sum, number) => sum + number, 0) / numbers.length);
    }
  }

  /** Pairs of a row and a key where other rows have a number for the key, and this one has none. */
  get missing(): number {
    return this.#rows * this.#sums.size - this.#numbers;
  }

  /** By key, in the order in which the keys were seen first. */
  get summaries(): ReadonlyMap<string, ScoreSummary> {
    return new Map([...this.#sums].map(([key, { n, sum, lost }]) => [key, { n, mean: (sum + lost) / n }]));
  }

  #add(key: string, number: number): void {
    const { n, sum, lost } = this.#sums.get(key) ?? { n: 0, sum: 0, lost: 0 };
    const next = sum + number;
    const rounding = Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum;
    this.#sums.set(key, { n: n + 1, sum: next, lost: lost + rounding });
  }
}
