import type { JsonObject } from "../../files/json/value.ts";

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
  /** What is sent of it, where that is more than the number. */
  readonly feedback?: JsonObject | undefined;
  /** True where the row does not say that it has such a score. */
  readonly isBlank?: boolean;
}

interface Sum {
  n: number;
  /** How many rows have a word in place of the number. */
  words: number;
  sum: number;
  /** What the sum has lost to rounding: Neumaier's summation. */
  lost: number;
}

/** Counts and means of all scores by their keys. */
export class ScoreTally {
  readonly #sums = new Map<string, Sum>();
  #rows = 0;

  /** Adds a row, with the mean of a key that it has twice. True if it has one twice. */
  addRow(scores: readonly RowScore[]): boolean {
    this.#rows += 1;
    const isAmbiguous = isTwice(scores);
    if (isAmbiguous) {
      const byKey = Map.groupBy(scores.filter(hasNumber), ({ key }) => key);
      for (const [key, same] of byKey) this.#add(key, same.reduce((sum, { number }) => sum + number, 0) / same.length);
      for (const key of new Set(scores.filter(isWord).map((score) => score.key)))
        if (!byKey.has(key)) this.#addWord(key);
    } else {
      for (const score of scores) {
        if (score.number !== undefined) this.#add(score.key, score.number);
        else if (isWord(score)) this.#addWord(score.key);
      }
    }
    return isAmbiguous;
  }

  /** Pairs of a row and a key where other rows have a number, and this one has neither a number nor a word. */
  get missing(): number {
    const counted = [...this.#sums.values()].filter(({ n }) => n > 0);
    return counted.reduce((missing, { n, words }) => missing + this.#rows - n - words, 0);
  }

  /** How many rows have a number or a word, by key. */
  get counts(): ReadonlyMap<string, number> {
    return new Map([...this.#sums].map(([key, { n, words }]) => [key, n + words]));
  }

  /** Those with a number, by key, in the order in which the keys were seen first. */
  get summaries(): ReadonlyMap<string, ScoreSummary> {
    const numbers = [...this.#sums].filter(([, { n }]) => n > 0);
    return new Map(numbers.map(([key, { n, sum, lost }]) => [key, { n, mean: (sum + lost) / n }]));
  }

  /** How many rows have a word as a score, by key. */
  get words(): ReadonlyMap<string, number> {
    return new Map([...this.#sums].flatMap(([key, { words }]) => (words > 0 ? [[key, words] as const] : [])));
  }

  #sumOf(key: string): Sum {
    const sum = this.#sums.get(key) ?? { n: 0, words: 0, sum: 0, lost: 0 };
    if (sum.n + sum.words === 0) this.#sums.set(key, sum);
    return sum;
  }

  #addWord(key: string): void {
    this.#sumOf(key).words += 1;
  }

  #add(key: string, number: number): void {
    const total = this.#sumOf(key);
    const next = total.sum + number;
    total.lost += Math.abs(total.sum) >= Math.abs(number) ? total.sum - next + number : number - next + total.sum;
    total.sum = next;
    total.n += 1;
  }
}

// Each row is looked at, and so few are compared faster than they are put into a set.
const MOST_COMPARED = 8;

function isTwice(scores: readonly RowScore[]): boolean {
  if (scores.length > MOST_COMPARED) return new Set(scores.map(({ key }) => key)).size < scores.length;
  for (let one = 1; one < scores.length; one++)
    for (let other = 0; other < one; other++) if (scores[one]?.key === scores[other]?.key) return true;
  return false;
}

function isWord({ number, feedback }: RowScore): boolean {
  return number === undefined && typeof feedback?.["value"] === "string";
}

function hasNumber(score: RowScore): score is RowScore & { readonly number: number } {
  return score.number !== undefined;
}
