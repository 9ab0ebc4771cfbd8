import type { Baseline, CaseSet } from "../cases/case-set.ts";
import { trialsOf, valuesIn } from "../cases/trial-list.ts";
import { casesOf, type MissingScores, saysMissing } from "./missing-scores.ts";
import { pairCases } from "./pairing.ts";

/** The largest count of one run of the baseline: a limit is about one run, however many are pooled. */
export function mostInOneRun({ runs }: Baseline, countIn: (run: CaseSet) => number): number {
  return Math.max(0, ...runs.map(countIn));
}

/** How many scores that the baseline lacks are missing in one of its runs at most. */
export function missingInOneRun(baseline: Baseline, missing: ReadonlyMap<string, MissingScores>): number {
  const lacking = [...missing].map(([metric, { before }]) => [metric, casesOf(before, baseline)] as const);
  if (lacking.every(([, cases]) => cases.size === 0)) return 0;
  return mostInOneRun(baseline, (run) => {
    const trials = trialsOf(run);
    const { pairs } = pairCases(baseline, run);
    let count = 0;
    for (const [metric, cases] of lacking) {
      const values = valuesIn(run, metric);
      for (const [index, place] of pairs.now.entries()) {
        if (!cases.has(place)) continue;
        const from = pairs.baseline[index] ?? 0;
        for (let trial = trials.first(from); trial < trials.first(from + 1); trial++) {
          if (Number.isNaN(values[trial]) && saysMissing(trials, trial, metric)) count += 1;
        }
      }
    }
    return count;
  });
}
