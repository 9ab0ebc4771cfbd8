import { release } from "./release.ts";
import { bisect } from "./root.ts";
import type { Numbers } from "./ticks.ts";

export interface Quantiles {
  readonly min: number;
  readonly max: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
}

/** The values of rows, those of a case together. Each weighs one part of its case, so that each case weighs the same. */
export interface RowValues {
  /** Without NaN. An end of the range may stand for a value that is missing, or an infinite number where it has none. */
  readonly values: Numbers;
  /** How many rows each case has, in the order of the values; undefined where each has one. */
  readonly counts: Numbers | undefined;
}

/** By nearest rank: the smallest value that at least this share of the weight does not exceed. NaN without a row. */
export function quantilesOf({ values, counts }: RowValues): Quantiles {
  const sorted = new Float64Array(values).sort();
  const quantiles = quantilesIn(sorted, { values, counts });
  release(sorted);
  return quantiles;
}

/** The same of values that are sorted already. */
export function quantilesIn(sorted: Float64Array, { values, counts }: RowValues): Quantiles {
  const groups = counts ? groupsOf(values, counts) : [{ rows: 1, sorted }];
  const at =
    groups.length === 1
      ? (share: number) => {
          const rank = Math.max(1, Math.ceil(share * sorted.length - SAME));
          return sorted[rank - 1] ?? Number.NaN;
        }
      : (share: number) => atWeight(sorted, groups, share);
  return {
    min: sorted[0] ?? Number.NaN,
    max: sorted.at(-1) ?? Number.NaN,
    ...{ p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99) },
  };
}

// 0.07 · 100 is a little over 7.
const SAME = 1e-9;

/** The values of the cases that have the same number of rows. */
interface Group {
  readonly rows: number;
  readonly sorted: Float64Array;
}

function groupsOf(values: Numbers, counts: Numbers): readonly Group[] {
  const sizes = new Map<number, number>();
  for (const rows of counts) sizes.set(rows, (sizes.get(rows) ?? 0) + rows);
  const groups = new Map([...sizes].map(([rows, size]) => [rows, { sorted: new Float64Array(size), filled: 0 }]));
  let from = 0;
  for (const rows of counts) {
    const group = groups.get(rows);
    for (let at = from; group && at < from + rows; at++) group.sorted[group.filled++] = values[at] ?? Number.NaN;
    from += rows;
  }
  return [...groups].filter(([rows]) => rows > 0).map(([rows, { sorted }]) => ({ rows, sorted: sorted.sort() }));
}

/** The weight up to a value is a sum of whole numbers over the rows of each group. */
function atWeight(sorted: Float64Array, groups: readonly Group[], share: number): number {
  const upTo = (value: number) =>
    groups.reduce((sum, { rows, sorted: own }) => {
      return sum + bisect(0, own.length, (place) => (own[place] ?? Infinity) > value) / rows;
    }, 0);
  const least = share * upTo(Infinity) - SAME;
  return sorted[bisect(0, sorted.length - 1, (place) => upTo(sorted[place] ?? Infinity) >= least)] ?? Number.NaN;
}
