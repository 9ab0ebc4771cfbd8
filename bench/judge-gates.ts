import { isNotWorse } from "../src/statistics/comparison.ts";
import { ALPHA } from "../src/statistics/interval.ts";
import { estimateMean, tTest } from "../src/statistics/mean.ts";
import { tQuantile } from "../src/statistics/student-t.ts";
import { toTicks, unitsOf } from "../src/statistics/ticks.ts";
import { Comparisons, passes, passRate } from "./judge-scores.ts";
import { Random } from "./text.ts";

/** The share of the runs in which a rule is red, and for "not worse" green. */
export interface Rules {
  readonly drop: number;
  readonly newlyFailing: number;
  readonly regressed: number;
  readonly notWorse: number;
  /** The same two rules by t for every number of trials, with one imagined case for "not worse". */
  readonly regressedByT: number;
  readonly notWorseByT: number;
}

interface Row {
  readonly cases: number;
  readonly trials: number;
  readonly same: Rules;
  readonly broken: Rules;
  /** How far the furthest share is from the earlier simulation. */
  readonly off: number;
}

/** An earlier simulation by another program: red by drop, newly failing, t; green by t; of a broken agent red and green by t. */
const EARLIER = [
  { cases: 50, trials: 1, shares: [0.26, 0.95, 0.026, 0.12, 0.12, 0.019] },
  { cases: 100, trials: 1, shares: [0.23, 0.997, 0.026, 0.31, 0.23, 0.026] },
  { cases: 100, trials: 3, shares: [0.14, 0.18, 0.026, 0.59, 0.4, 0.03] },
  { cases: 200, trials: 3, shares: [0.07, 0.33, 0.028, 0.92, 0.72, 0.032] },
];

const MARGIN = 0.05;
/** So many cases of a broken agent never pass: of 90 % that is 5 points. */
const BROKEN = 0.056;

export function gateTable(runs: number, seed: number): readonly Row[] {
  const random = new Random(seed);
  return EARLIER.map(({ cases, trials, shares }) => {
    const same = rulesOf(random, runs, cases, trials, 0);
    const broken = rulesOf(random, runs, cases, trials, BROKEN);
    const { drop, newlyFailing, regressedByT, notWorseByT } = same;
    const found = [drop, newlyFailing, regressedByT, notWorseByT, broken.regressedByT, broken.notWorseByT];
    return {
      cases,
      trials,
      same,
      broken,
      off: Math.max(...found.map((share, i) => Math.abs(share - (shares[i] ?? 0)))),
    };
  });
}

function rulesOf(random: Random, runs: number, cases: number, trials: number, broken: number): Rules {
  const comparisons = new Comparisons();
  const counts = { drop: 0, newlyFailing: 0, regressed: 0, notWorse: 0, regressedByT: 0, notWorseByT: 0 };
  for (let run = 0; run < runs; run += 1) {
    const rates = Array.from({ length: cases }, () => passRate(random));
    const baseline = rates.map((rate) => passes(random, rate, trials));
    const current = rates.map((rate) => passes(random, random.fraction() < broken ? 0 : rate, trials));
    const gains = current.map((now, i) => now - (baseline[i] ?? 0));
    const byT = estimateMean(unitsOf(toTicks(gains, 1e9)));
    const counted = trials === 1 ? "single" : "equal";
    const found = comparisons.of({ baseline, current, kind: { kind: "binary" }, direction: "higher", trials: counted });
    const isRed = {
      drop: byT.mean < -0.02 - 1e-9,
      newlyFailing: baseline.some((was, i) => was === 1 && current[i] === 0),
      regressed: found.change < 0 && found.p < 0.05,
      notWorse: isNotWorse(found, MARGIN) === true,
      regressedByT: byT.mean < 0 && (tTest(byT) ?? 1) < 0.05,
      notWorseByT: boundByT(gains) > -MARGIN,
    };
    for (const rule of Object.keys(counts) as (keyof Rules)[]) counts[rule] += isRed[rule] ? 1 / runs : 0;
  }
  return counts;
}

/** One-sided lower t bound of the mean over the cases and one more that lost everything. */
function boundByT(gains: readonly number[]): number {
  const { mean, error = 0, units } = estimateMean(unitsOf(toTicks([...gains, -1], 1e9)));
  return mean - tQuantile(ALPHA, units - 1) * error;
}
