/** How a score came out over all rows that have it. */
export interface ScoreSummary {
  /** How many rows have a number. */
  readonly n: number;
  readonly mean: number;
}

/** A score of a row, with or without a number. */
export interface RowScore {
  readonly key: string;
  readonly number: number | undefined;
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

  /** Adds a row; of a key that it has twice the mean counts. Tells whether it has one twice. */
  addRow(scores: readonly RowScore[]): boolean {
    this.#rows += 1;
    const isAmbiguous = isTwice(scores);
    if (isAmbiguous) {
      const byKey = Map.groupBy(scores.filter(hasNumber), ({ key }) => key);
      for (const [key, same] of byKey) this.#add(key, same.reduce((sum, { number }) => sum + number, 0) / same.length);
    } else {
      for (const { key, number } of scores) if (number !== undefined) this.#add(key, number);
    }
    return isAmbiguous;
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
    this.#numbers += 1;
    const total = this.#sums.get(key) ?? { n: 0, sum: 0, lost: 0 };
    if (total.n === 0) this.#sums.set(key, total);
    const next = total.sum + number;
    total.lost += Math.abs(total.sum) >= Math.abs(number) ? total.sum - next + number : number - next + total.sum;
    total.sum = next;
    total.n += 1;
  }
}

/** True when two scores of a row have one key. */
function isTwice(scores: readonly RowScore[]): boolean {
  return scores.length > 1 && new Set(scores.map(({ key }) => key)).size < scores.length;
}

function hasNumber(score: RowScore): score is RowScore & { readonly number: number } {
  return score.number !== undefined;
}
