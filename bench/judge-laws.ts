import { passes, passRate } from "./judge-scores.ts";
import type { Random } from "./text.ts";

/** The trials of each case on both sides, in the order of the cases. */
export interface Drawn {
  readonly baseline: readonly (readonly number[])[];
  readonly current: readonly (readonly number[])[];
  /** The cluster of each case. */
  readonly clusters?: readonly string[];
}

/** A way in which scores vary and fall. */
export interface Law {
  readonly name: string;
  readonly scores: "0 to 1" | "clusters" | "marks" | "times" | "yes or no";
  /** The name of the metric, from which its direction follows. */
  readonly metric: "correct" | "latency" | "mark" | "quality";
  /** Losses, ascending, as a rule writes them as a margin: the second is the limit of `drop` too, the third is to be found. */
  readonly losses: readonly { readonly text: string; readonly size: number }[];
  /** So many cases, or clusters, of an agent that lost so much on average. */
  readonly draw: (random: Random, units: number, loss: number) => Drawn;
  /**
   * Where a unit is as it was or loses all, and nothing else varies: the chance of it for a loss, and a run where so many
   * fell. Then nothing needs to be simulated.
   */
  readonly falls?: {
    readonly chance: (loss: number) => number;
    readonly drawn: (units: number, fallen: number) => Drawn;
  };
  /** True for what no method without a known range can promise: printed, and not bounded. */
  readonly isBeyond?: true;
}

const POINTS = [0.02, 0.05, 0.1, 0.2].map((size) => ({ text: `${100 * size}pp`, size }));
const OF_FIVE = [0.1, 0.25, 0.5, 1].map((size) => ({ text: String(size), size }));
const OF_HUNDRED = [2, 5, 10, 20].map((size) => ({ text: String(size), size }));
// The loss of a ratio is its logarithm.
const PARTS = [0.1, 0.2, 0.5].map((part) => ({ text: `${100 * part}%`, size: Math.log(1 + part) }));

const times = <T>(count: number, each: (place: number) => T) =>
  Array.from({ length: count }, (_, place) => each(place));

/** Each case by itself; `pair` has its trials before and now. */
function alone(
  pair: (random: Random, loss: number) => readonly [before: readonly number[], now: readonly number[]],
): Law["draw"] {
  return (random, units, loss) => {
    const pairs = times(units, () => pair(random, loss));
    return { baseline: pairs.map(([before]) => before), current: pairs.map(([, now]) => now) };
  };
}

/** All cases have one score, and each of those that fell another one. */
function falling(from: number, to: number, chance: (loss: number) => number): Pick<Law, "draw" | "falls"> {
  const drawn = (units: number, fallen: number): Drawn => ({
    baseline: times(units, () => [from]),
    current: times(units, (place) => [place < fallen ? to : from]),
  });
  return { draw: countedBy(drawn, chance), falls: { chance, drawn } };
}

function countedBy(drawn: (units: number, fallen: number) => Drawn, chance: (loss: number) => number): Law["draw"] {
  return (random, units, loss) =>
    drawn(units, times(units, () => Number(random.fraction() < chance(loss))).filter((has) => has === 1).length);
}

// Of the cases of passRate 90 % pass.
const PASSED = 0.9;
const trialsOf = (random: Random, rate: number, trials: number) =>
  times(trials, () => Number(random.fraction() < rate));

/** Some cases break for good. */
const breaking = (trials: number): Law["draw"] =>
  alone((random, loss) => {
    const rate = passRate(random);
    const now = random.fraction() < loss / PASSED ? 0 : rate;
    return [trialsOf(random, rate, trials), trialsOf(random, now, trials)];
  });

/** Marks around one of the case, of which some fall to the lowest. */
const marks = (levels: readonly number[], step: number, lowest: number): Law["draw"] => {
  const meanLoss = levels.reduce((sum, level) => sum + level - lowest, 0) / levels.length;
  return alone((random, loss) => {
    const level = levels[random.below(levels.length)] ?? lowest;
    const mark = () => level + step * ([-1, 1][random.below(10)] ?? 0);
    return [[mark()], [random.fraction() < loss / meanLoss ? lowest : mark()]];
  });
};

// Two runs of a case differ by about a fifth.
const noise = (random: Random) => 0.12 * (times(12, () => random.fraction()).reduce((sum, each) => sum + each, 0) - 6);

/** Times of which some run out at a multiple of what they took. */
const runningOut = (factor: number): Law["draw"] =>
  alone((random, loss) => {
    const usual = 1000 * Math.exp(4 * noise(random));
    const isOut = random.fraction() < loss / Math.log(factor);
    return [[usual * Math.exp(noise(random))], [usual * (isOut ? factor : Math.exp(noise(random)))]];
  });

interface Cluster {
  readonly size: number;
  /** Whether it may fail as a whole, and how often more than clusters of the mean do. */
  readonly weight: number;
}

/** Clusters that fail as a whole; before, each case passes as `rate` says. */
function whole(clusterAt: (place: number) => Cluster, rate: (random: Random) => number): Law["draw"] {
  return (random, units, loss) => {
    const clusters = times(units, clusterAt);
    const cases = clusters.reduce((sum, { size }) => sum + size, 0);
    const weight = clusters.reduce((sum, one) => sum + one.size * one.weight, 0) / cases;
    const [baseline, current, names]: [number[][], number[][], string[]] = [[], [], []];
    for (const [place, one] of clusters.entries()) {
      const own = rate(random);
      const isLost = random.fraction() < ((loss / PASSED) * one.weight) / weight;
      for (let index = 0; index < one.size; index += 1) {
        baseline.push(trialsOf(random, own, 1));
        current.push(isLost ? [0] : trialsOf(random, own, 1));
        names.push(String(place));
      }
    }
    return { baseline, current, clusters: names };
  };
}

/** Clusters of five that passed and fail as a whole. */
function fallingClusters(): Pick<Law, "draw" | "falls"> {
  const size = 5;
  const drawn = (units: number, fallen: number): Drawn => ({
    baseline: times(size * units, () => [1]),
    current: times(size * units, (place) => [place < size * fallen ? 0 : 1]),
    clusters: times(size * units, (place) => String(Math.floor(place / size))),
  });
  const chance = (loss: number) => loss;
  return { draw: countedBy(drawn, chance), falls: { chance, drawn } };
}

const SIZES = [1, 2, 3, 4, 15];
const unequal = (place: number): Cluster => ({ size: SIZES[place % SIZES.length] ?? 1, weight: 1 });
const largeOnes = (place: number): Cluster => {
  const { size } = unequal(place);
  return { size, weight: size === Math.max(...SIZES) ? 1 : 0 };
};

const runsOut = (factor: number) => falling(1000, 1000 * factor, (loss) => loss / Math.log(factor));

export const LAWS: readonly Law[] = [
  { name: "some cases break", scores: "yes or no", metric: "correct", losses: POINTS, draw: breaking(1) },
  {
    ...{ name: "each case passes less often", scores: "yes or no", metric: "correct", losses: POINTS },
    draw: alone((random, loss) => {
      const rate = passRate(random);
      return [trialsOf(random, rate, 1), trialsOf(random, rate * (1 - loss / PASSED), 1)];
    }),
  },
  {
    ...{ name: "some break, nothing else changes", scores: "yes or no", metric: "correct", losses: POINTS },
    ...falling(1, 0, (loss) => loss),
  },
  { name: "three trials, some cases break", scores: "yes or no", metric: "correct", losses: POINTS, draw: breaking(3) },
  {
    ...{ name: "quarters, some fall to 0", scores: "0 to 1", metric: "quality", losses: POINTS },
    draw: alone((random, loss) => {
      const rate = passRate(random);
      const now = random.fraction() < loss / PASSED ? 0 : rate;
      return [[passes(random, rate, 4)], [passes(random, now, 4)]];
    }),
  },
  {
    ...{ name: "some fall to 0, nothing else changes", scores: "0 to 1", metric: "quality", losses: POINTS },
    // Not 1, or it would be yes or no.
    ...falling(0.9999, 0, (loss) => loss / 0.9999),
  },
  { name: "1 to 5, some fall to 1", scores: "marks", metric: "mark", losses: OF_FIVE, draw: marks([2, 3, 4, 4], 1, 1) },
  {
    ...{ name: "0 to 100, some fall to 0", scores: "marks", metric: "mark", losses: OF_HUNDRED },
    draw: marks([70, 80, 90, 95], 5, 0),
  },
  {
    ...{ name: "0 to 100, some fall to 0, nothing else changes", scores: "marks", metric: "mark", losses: OF_HUNDRED },
    ...falling(100, 0, (loss) => loss / 100),
  },
  {
    ...{ name: "some run out at 60 ×", scores: "times", metric: "latency", losses: PARTS },
    draw: runningOut(60),
  },
  ...[10, 60, 100].map((factor): Law => ({
    ...{ name: `some run out at ${factor} ×, nothing else changes`, scores: "times", metric: "latency", losses: PARTS },
    ...runsOut(factor),
  })),
  ...[300, 1000].map((factor): Law => ({
    ...{ name: `some run out at ${factor} ×, nothing else changes`, scores: "times", metric: "latency", losses: PARTS },
    ...{ ...runsOut(factor), isBeyond: true },
  })),
  {
    ...{ name: "of 1 to 15, cases vary alone", scores: "clusters", metric: "correct", losses: POINTS },
    draw: alikeClusters((place) => unequal(place).size),
  },
  {
    ...{ name: "of 5, some fail as a whole", scores: "clusters", metric: "correct", losses: POINTS },
    draw: whole(() => ({ size: 5, weight: 1 }), passRate),
  },
  {
    ...{ name: "of 5, some fail as a whole, nothing else changes", scores: "clusters", metric: "correct" },
    ...{ losses: POINTS, ...fallingClusters() },
  },
  {
    ...{ name: "of 1 to 15, some fail as a whole", scores: "clusters", metric: "correct", losses: POINTS },
    draw: whole(unequal, passRate),
  },
  {
    ...{ name: "of 1 to 15, only large ones fail as a whole", scores: "clusters", metric: "correct", losses: POINTS },
    draw: whole(largeOnes, passRate),
  },
];

/** Clusters of which each case breaks by itself. */
function alikeClusters(sizeAt: (place: number) => number): Law["draw"] {
  return (random, units, loss) => {
    const names = times(units, (place) => times(sizeAt(place), () => String(place))).flat();
    const { baseline, current } = breaking(1)(random, names.length, loss);
    return { baseline, current, clusters: names };
  };
}
