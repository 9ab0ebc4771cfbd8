import { ALPHA } from "./interval.ts";
import { release } from "./release.ts";
import { leastWhole, root } from "./root.ts";
import { normalDensity, normalQuantile, normalTail } from "./student-t.ts";
import type { Units } from "./ticks.ts";

/** What units gained, and how much each case of one more unit lost that nobody has seen. */
export interface WithWorst {
  readonly units: Units;
  /** The most that a case can lose, in the unit of the gains. */
  readonly worst: number;
}

/**
 * The chance that the mean loss is `loss` or more, with one more unit whose cases lost everything: below 5 % a loss of so
 * much is ruled out. P(Σ E·a ≤ 0) for independent exponentials E, by Lugannani and Rice (1980), where a is what a unit gained
 * above a loss of so much. Gaffke (2005), Learned-Miller and Thomas (2019). For two values it is the bound of Clopper and
 * Pearson. The imagined unit is as large as the largest, since a whole cluster may fail.
 */
export function chanceOfLoss(given: WithWorst, loss: number): number {
  return chanceAt(groupsOf(given), loss / given.worst, { near: 0 });
}

/** How bad the mean gain may be: the least that is not ruled out with 95 %, below 0 for a loss. */
export function dirichletBound(given: WithWorst): number {
  // Where nothing can be lost, the worst is no change.
  if (given.worst === 0) return 0;
  const groups = groupsOf(given);
  const bound = boundOf(groups) * given.worst + 0;
  release(groups.sums, groups.sizes, groups.counts, groups.above);
  return bound;
}

/** As a part of the worst loss. */
function boundOf(groups: Groups): number {
  const { sums, sizes, counts } = groups;
  // Beyond these the chance is 1 and 0.
  let [least, most] = [Infinity, -Infinity];
  let [cases, lost, squares] = [0, 0, 0];
  for (let at = 0; at < sums.length; at += 1) {
    const sum = sums[at] ?? 0;
    const size = sizes[at] ?? 1;
    const count = counts[at] ?? 1;
    const loss = -sum / size;
    if (loss < least) least = loss;
    if (loss > most) most = loss;
    cases += count * size;
    lost -= count * sum;
  }
  if (least === most) return -least;
  const mean = lost / cases;
  for (let at = 0; at < sums.length; at += 1) {
    const apart = (sums[at] ?? 0) + (sizes[at] ?? 1) * mean;
    squares += (counts[at] ?? 1) * apart * apart;
  }
  const spread = Math.sqrt(squares) / cases;
  const guess = mean + normalQuantile(ALPHA) * spread;
  const start = { near: 0 };
  // By the value that a standard normal variable does not exceed with this chance: it is nearly a line over the losses.
  const above = (loss: number) => {
    const chance = chanceAt(groups, loss, start);
    const value = normalQuantile(Math.max(LEAST_CHANCE, Math.min(chance, 1 - chance)));
    return (chance < 0.5 ? -value : value) + normalQuantile(ALPHA);
  };
  // The secant's steps follow it: each look at all cases counts.
  let [at, value, slope] = [guess, above(guess), -1 / spread];
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const next = at - value / slope;
    if (!(next > least && next < most)) break;
    if (Math.abs(next - at) <= EXACT * spread) return -next;
    const there = above(next);
    [slope, at, value] = [(there - value) / (next - at), next, there];
  }
  return -root(above, least, most, EXACT * EXACT * spread);
}

const MOST_LOOKS = 8;
// Of the spread, for the last step: what is left behind it is far smaller, and no digit of it shows.
const EXACT = 1e-7;

const LEAST_CHANCE = 1e-9;

/** So many units of which none changed rule out a loss of `margin`; those that are given say how unequal clusters are. */
export function equalUnitsFor(margin: number, { units, worst }: WithWorst): number {
  if (margin >= worst) return 1;
  const { sums, sizes, counts, above } = groupsOf({ units: unchanged(units), worst });
  const now = units.sums.length;
  return leastWhole(1, (wanted) => {
    // The last group is the imagined unit.
    const scaled = counts.map((count, at) => (at === counts.length - 1 ? 1 : (count * wanted) / now));
    return chanceAt({ sums, sizes, counts: scaled, above }, margin / worst, { near: 0 }) < ALPHA;
  });
}

/** The bound of so many units, had none of them changed: no narrower margin can be shown by units that did not gain. */
export function equalBound({ units, worst }: WithWorst): number {
  const equal = unchanged(units);
  const bound = dirichletBound({ units: equal, worst });
  release(equal.sums);
  return bound;
}

function unchanged(units: Units): Units {
  return { ...units, sums: new Float64Array(units.sums.length), sizes: units.sizes?.toSorted() };
}

/** Units of one gain and one size together, the last of them the imagined one. Gains are parts of the worst loss. */
interface Groups {
  readonly sums: Float64Array;
  readonly sizes: Float64Array;
  readonly counts: Float64Array;
  /** Room for what each gained above a loss: each look at another loss writes it anew. */
  readonly above: Float64Array;
}

function groupsOf({ units: { sums, sizes, perUnit }, worst }: WithWorst): Groups {
  // Equal units follow one another.
  const isNew = (at: number) => at === 0 || sums[at] !== sums[at - 1] || sizes?.[at] !== sizes?.[at - 1];
  let [most, largest] = [1, 1];
  for (let at = 0; at < sums.length; at += 1) {
    if (isNew(at)) most += 1;
    largest = Math.max(largest, sizes?.[at] ?? 1);
  }
  const ofSums = new Float64Array(most).fill(-largest);
  const ofSizes = new Float64Array(most).fill(largest);
  const counts = new Float64Array(most).fill(1);
  let group = -1;
  for (let at = 0; at < sums.length; at += 1) {
    if (!isNew(at)) {
      counts[group] = (counts[group] ?? 0) + 1;
      continue;
    }
    group += 1;
    // Ticks may be too many for a double once they are multiplied.
    ofSums[group] = (sums[at] ?? 0) / perUnit / worst;
    ofSizes[group] = sizes?.[at] ?? 1;
  }
  return { sums: ofSums, sizes: ofSizes, counts, above: new Float64Array(most) };
}

/** Where the saddle point was found last, as a share of the way to the pole on its side: one of a near loss is near it. */
interface Start {
  near: number;
}

function chanceAt({ sums, sizes, counts, above }: Groups, loss: number, start: Start): number {
  let [least, most] = [Infinity, -Infinity];
  for (let at = 0; at < sums.length; at += 1) {
    const gain = (sums[at] ?? 0) + (sizes[at] ?? 1) * loss;
    above[at] = gain;
    if (gain < least) least = gain;
    if (gain > most) most = gain;
  }
  if (least >= 0) return 0;
  if (most <= 0) return 1;
  const saddle = saddleOf(above, counts, { low: 1 / least, high: 1 / most, start });
  let [squares, cubes, logs] = [0, 0, 0];
  for (let at = 0; at < above.length; at += 1) {
    const gain = above[at] ?? 0;
    const count = counts[at] ?? 1;
    const tilted = gain / (1 - saddle * gain);
    squares += count * tilted * tilted;
    cubes += count * tilted * tilted * tilted;
    // −Σ ln(1 − u·a) without what adds up to 0.
    logs += count * logExcess(saddle * tilted);
  }
  const w = Math.sign(saddle) * Math.sqrt(-2 * logs);
  if (Math.abs(w) < NEAR_MEAN) return 0.5 + cubes / (3 * Math.sqrt(2 * Math.PI) * squares ** 1.5);
  const below = w < 0 ? normalTail(-w) : 1 - normalTail(w);
  return Math.min(1, Math.max(0, below + normalDensity(w) * (1 / w - 1 / (saddle * Math.sqrt(squares)))));
}

const NEAR_MEAN = 1e-5;
const MOST_STEPS = 200;
// Of the saddle point: Newton's steps square their error.
const LAST_STEP = 1e-6;

/** Where Σ a/(1 − u·a) is 0. It increases between the two poles: Newton's steps, and halving where one leads too far. */
function saddleOf(
  above: Float64Array,
  counts: Float64Array,
  { low, high, start }: { readonly low: number; readonly high: number; readonly start: Start },
): number {
  let [from, to] = [low, high];
  let saddle = start.near < 0 ? -start.near * low : start.near * high;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    let [slope, value] = [0, 0];
    for (let at = 0; at < above.length; at += 1) {
      const gain = above[at] ?? 0;
      const count = counts[at] ?? 1;
      const tilted = gain / (1 - saddle * gain);
      value += count * tilted;
      slope += count * tilted * tilted;
    }
    if (value > 0) to = saddle;
    else from = saddle;
    const next = saddle - value / slope;
    const isLast = Math.abs(next - saddle) <= LAST_STEP * Math.abs(next);
    saddle = next > from && next < to ? next : isLast ? saddle : (from + to) / 2;
    if (isLast) break;
  }
  start.near = saddle < 0 ? -saddle / low : saddle / high;
  return saddle;
}

/** ln(1 + x) − x, exact also where x is small. */
function logExcess(x: number): number {
  if (Math.abs(x) > 0.3) return Math.log1p(x) - x;
  const r = x / (2 + x);
  const s = r * r;
  const series = 1 / 3 + s * (1 / 5 + s * (1 / 7 + s * (1 / 9 + s * (1 / 11 + s * (1 / 13 + s / 15)))));
  return r * (2 * s * series - x);
}
