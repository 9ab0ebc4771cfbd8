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

export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
