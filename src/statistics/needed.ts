import { ALPHA } from "./interval.ts";
import { leastWhole } from "./root.ts";
import { normalQuantile } from "./student-t.ts";
import type { Numbers } from "./ticks.ts";

/** What more data should show: that there is a change of some size, or that nothing got worse by a margin of that size. */
export type Goal = "change" | "not worse";

/** The chance with which the needed data show it. */
const POWER = 0.8;

/** `factor`: by what Holm multiplies the p of the change, as several are tested together. */
const reachOf = (goal: Goal, factor: number) =>
  normalQuantile(goal === "change" ? ALPHA / 2 / factor : ALPHA) + normalQuantile(1 - POWER);

/** The cases needed, where the differences of the cases have the standard deviation `spread`. Cohen (1988). */
export function neededCases(spread: number, size: number, goal: Goal, factor = 1): number {
  return Math.ceil(((reachOf(goal, factor) * spread) / size) ** 2);
}

/** The cases needed to show a change of a share, where so large a share of the cases flips. Connor (1987). */
export function neededPairs(flipping: number, size: number, factor = 1): number {
  const [a, b] = [normalQuantile(ALPHA / 2 / factor), normalQuantile(1 - POWER)];
  const rest = Math.max(0, flipping - size * size);
  return Math.ceil(((a * Math.sqrt(flipping) + b * Math.sqrt(rest)) / size) ** 2);
}

export interface Effort {
  /** Standard deviation of the differences between the cases. */
  readonly spread: number;
  /** Variance between the trials of one case on one side. */
  readonly within: number;
  readonly cases: number;
  /** Trials of each case on each side. */
  readonly trials: number;
}

/**
 * Two ways to what is needed: more cases with the trials of now, or more trials of the cases of now. In runs of the agent
 * more cases never cost more, as they also average what differs between cases; more trials need no new cases.
 */
export interface Plan {
  readonly cases: number;
  /** Trials of each case; undefined where no number is enough. */
  readonly trials: number | undefined;
}

/** The variance of the differences is ω² + 2σ²/K, of which K trials a case lower only the second part. Miller (2024). */
export function plan({ spread, within, cases, trials }: Effort, size: number, goal: Goal, factor = 1): Plan {
  const between = Math.max(0, spread ** 2 - (2 * within) / trials);
  const room = cases * (size / reachOf(goal, factor)) ** 2 - between;
  return {
    cases: neededCases(spread, size, goal, factor),
    trials: room > 0 ? Math.max(1, Math.ceil((2 * within) / room)) : undefined,
  };
}

/** What must not be lost, and what the bound on it supposes. */
export interface BoundedGoal {
  readonly size: number;
  /** How much the imagined case lost. */
  readonly worst: number;
  /** So many cases show it if none of them changed. */
  readonly equal: number;
}

// More trials than any evaluation runs.
const MOST_TRIALS = 100;

/**
 * A plan to show that nothing is worse, whose bound takes one imagined case into account that lost everything: where little
 * differs, that case is what needs the most.
 */
export function planBounded(found: Plan, { spread, within, cases, trials }: Effort, goal: BoundedGoal): Plan {
  const between = Math.max(0, spread ** 2 - (2 * within) / trials);
  let enough = found.trials;
  while (enough !== undefined && !isShown(cases, Math.sqrt(between + (2 * within) / enough), goal)) {
    enough = enough < MOST_TRIALS ? enough + 1 : undefined;
  }
  return { cases: leastWhole(found.cases, (count) => isShown(count, spread, goal)), trials: enough };
}

/** Whether so many cases show it with the usual chance, where nothing changed: by the bound of many that differ. */
function isShown(cases: number, spread: number, { size, worst, equal }: BoundedGoal): boolean {
  const squares = cases * spread ** 2 + (worst ** 2 * cases) / (cases + 1);
  const bound = (worst + normalQuantile(ALPHA) * Math.sqrt(squares)) / (cases + 1);
  return cases >= equal && bound + (normalQuantile(1 - POWER) * spread) / Math.sqrt(cases) <= size;
}

/** The variance between the trials of a case, over all cases with two or more; undefined where there are none. */
export function withinVariance(trials: readonly Numbers[]): number | undefined {
  let freedom = 0;
  const squares = Float64Array.from(trials, (scores) => {
    if (scores.length < 2) return 0;
    freedom += scores.length - 1;
    const sorted = Float64Array.from(scores).sort();
    const mean = sorted.reduce((sum, score) => sum + score, 0) / sorted.length;
    return sorted.reduce((sum, score) => sum + (score - mean) ** 2, 0);
  }).sort();
  return freedom === 0 ? undefined : squares.reduce((sum, square) => sum + square, 0) / freedom;
}
