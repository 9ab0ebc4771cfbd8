import { type Comparison, compare, isNotWorse, type PairedScores } from "../src/statistics/comparison.ts";
import { Comparisons, passes, passRate } from "./judge-scores.ts";
import { Random } from "./text.ts";

interface ErrorRates {
  readonly scores: string;
  readonly cases: number;
  readonly trials: number;
  /** How often an unchanged agent is red. */
  readonly regressed: number;
  /** How often an agent that lost just the margin is green. */
  readonly notWorse: readonly { readonly margin: number; readonly share: number }[];
}

const CASES = [20, 50, 100, 200, 300];
const TRIALS = [1, 3];
const MARGINS = [0.02, 0.05, 0.1];

/** The mean scores of one case on both sides, by an agent that lost `loss` on average. */
type Draw = (random: Random, trials: number, loss: number) => readonly [baseline: number, current: number];

/** Cases that break: of 90 % that pass each loses all, with the chance that makes the loss. */
const brokenCases: Draw = (random, trials, loss) => {
  const rate = passRate(random);
  const now = random.fraction() < loss / 0.9 ? 0 : rate;
  return [passes(random, rate, trials), passes(random, now, trials)];
};

/** Each case passes less often, by the same factor. */
const worseEverywhere: Draw = (random, trials, loss) => {
  const rate = passRate(random);
  return [passes(random, rate, trials), passes(random, rate * (1 - loss / 0.9), trials)];
};

/** Marks of a judge in quarters, in which most trials of a case agree; some cases fall to 0. */
const judgeMarks: Draw = (random, trials, loss) => {
  const rate = passRate(random);
  const now = random.fraction() < loss / 0.9 ? 0 : rate;
  const mark = (share: number) => passes(random, share, 4 * trials);
  return [mark(rate), mark(now)];
};

const SCORES: readonly { readonly name: string; readonly kind: PairedScores["kind"]; readonly draw: Draw }[] = [
  { name: "yes or no, cases break", kind: { kind: "binary" }, draw: brokenCases },
  { name: "yes or no, all worse", kind: { kind: "binary" }, draw: worseEverywhere },
  { name: "0 to 1 in quarters", kind: { kind: "bounded", low: 0, high: 1 }, draw: judgeMarks },
];

export function errorRates(runs: number, seed: number): readonly ErrorRates[] {
  const random = new Random(seed);
  const simulated = SCORES.flatMap(({ name, kind, draw }) =>
    TRIALS.flatMap((trials) =>
      CASES.map((cases): ErrorRates => {
        const comparisons = new Comparisons();
        const share = (loss: number, isError: (found: Comparison) => boolean) => {
          let errors = 0;
          for (let run = 0; run < runs; run += 1) {
            const rows = Array.from({ length: cases }, () => draw(random, trials, loss));
            // Only the test, and not the bound, knows of unequal trials: without a p to look at its 2^20 sums can go.
            const counted = loss > 0 && kind.kind === "bounded" ? "unequal" : "equal";
            const found = comparisons.of({
              baseline: rows.map(([was]) => was),
              current: rows.map(([, now]) => now),
              ...{ kind, direction: "higher", trials: trials === 1 && kind.kind === "binary" ? "single" : counted },
            });
            if (isError(found)) errors += 1;
          }
          return errors / runs;
        };
        return {
          ...{ scores: name, cases, trials },
          regressed: share(0, ({ p, change }) => p < 0.05 && change < 0),
          notWorse: MARGINS.map((margin) => ({
            margin,
            share: share(margin, (found) => isNotWorse(found, margin) === true),
          })),
        };
      }),
    ),
  );
  const exact = CASES.map((cases): ErrorRates => ({
    ...{ scores: "0 to 1, few change (exact)", cases, trials: 1, regressed: 0 },
    notWorse: MARGINS.map((margin) => ({ margin, share: sparseError(cases, margin) })),
  }));
  return [...simulated, ...exact];
}

/** How often "not worse" is wrong on scores that never change by chance, for all from 20 to 300 cases and all margins. */
export function sparseErrors(): readonly { readonly cases: number; readonly margin: number; readonly share: number }[] {
  return MARGINS.flatMap((margin) =>
    Array.from({ length: 281 }, (_, i) => ({ cases: 20 + i, margin, share: sparseError(20 + i, margin) })),
  );
}

/**
 * How often "not worse" is green on scores that never change by chance, where each case falls from 1 to 0 with just the
 * chance of the margin: the number that fell is binomial, so nothing is simulated.
 */
function sparseError(cases: number, margin: number): number {
  const baseline = Array<number>(cases).fill(1);
  const isGreen = (fallen: number) => {
    const current = baseline.map((score, i) => (i < fallen ? 0 : score));
    const kind = { kind: "bounded", low: 0, high: 1 } as const;
    return isNotWorse(compare({ baseline, current, kind, direction: "higher", trials: "equal" })!, margin) === true;
  };
  let share = 0;
  let chance = (1 - margin) ** cases;
  for (let fallen = 0; isGreen(fallen); fallen += 1) {
    share += chance;
    chance *= ((cases - fallen) / (fallen + 1)) * (margin / (1 - margin));
  }
  return share;
}
