import { type Comparison, compare, type PairedScores } from "../src/statistics/comparison.ts";
import type { Random } from "./text.ts";

/** How often an agent passes each case: most cases nearly always, a few hardly ever; 90 % on average. */
export function passRate(random: Random): number {
  return beta(random, 1.8, 0.2);
}

/** A Beta(a, b) variable by the rejection of Jöhnk (1964). */
function beta(random: Random, a: number, b: number): number {
  for (;;) {
    const [x, y] = [random.fraction() ** (1 / a), random.fraction() ** (1 / b)];
    if (x + y > 0 && x + y <= 1) return x / (x + y);
  }
}

/** The mean of so many trials that pass or fail. */
export function passes(random: Random, rate: number, trials: number): number {
  let passed = 0;
  for (let trial = 0; trial < trials; trial += 1) passed += random.fraction() < rate ? 1 : 0;
  return passed / trials;
}

/** Compares scores, and remembers what came of the same pairs: coarse scores come again and again. */
export class Comparisons {
  readonly #known = new Map<string, Comparison>();

  of(scores: PairedScores): Comparison {
    const { baseline, current, kind, trials } = scores;
    const gains = Float64Array.from(current, (score, i) => Math.round((score - (baseline[i] ?? 0)) * 1e9));
    const runs: string[] = [];
    let count = 0;
    for (const [i, gain] of gains.sort().entries()) {
      count += 1;
      if (gain === gains[i + 1]) continue;
      runs.push(`${gain}:${count}`);
      count = 0;
    }
    const key = [kind.kind, trials, ...runs].join(" ");
    let known = this.#known.get(key);
    if (known === undefined) {
      const found = compare(scores);
      if (found === undefined) throw new Error("no cases");
      known = found;
      this.#known.set(key, known);
    }
    return known;
  }
}

export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
