import { isNotWorse, type PairedScores } from "../src/statistics/comparison.ts";
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

/** Scores that never change by chance: the loss is in the few cases that fall from 1 to 0. */
const sparseLosses: Draw = (random, _trials, loss) => [1, random.fraction() < loss ? 0 : 1];

const SCORES: readonly { readonly name: string; readonly kind: PairedScores["kind"]; readonly draw: Draw }[] = [
  { name: "yes or no, cases break", kind: { kind: "binary" }, draw: brokenCases },
  { name: "yes or no, all worse", kind: { kind: "binary" }, draw: worseEverywhere },
  { name: "0 to 1 in quarters", kind: { kind: "bounded", low: 0, high: 1 }, draw: judgeMarks },
  { name: "0 to 1, few change", kind: { kind: "bounded", low: 0, high: 1 }, draw: sparseLosses },
];

export function errorRates(runs: number, seed: number): readonly ErrorRates[] {
  const random = new Random(seed);
  return SCORES.flatMap(({ name, kind, draw }) =>
    TRIALS.flatMap((trials) =>
      CASES.map((cases) => {
        const comparisons = new Comparisons();
        const share = (loss: number, isError: (found: ReturnType<Comparisons["of"]>) => boolean) => {
          let errors = 0;
          for (let run = 0; run < runs; run += 1) {
            const rows = Array.from({ length: cases }, () => draw(random, trials, loss));
            const found = comparisons.of({
              baseline: rows.map(([was]) => was),
              current: rows.map(([, now]) => now),
              ...{ kind, direction: "higher", trials: trials === 1 ? "single" : "equal" },
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
}
