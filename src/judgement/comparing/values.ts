import type { CaseSet } from "../cases/case-set.ts";
import type { RowValues } from "../../statistics/quantiles.ts";
import { columnsOf, measuredRows, onceFor, valuesIn } from "../cases/stored-case.ts";

export interface MetricColumn {
  /** The mean over the trials of each case, without missing ones; NaN where all are missing. */
  readonly means: Float64Array;
  readonly counts: Uint8Array | Uint32Array;
  /** Which part of the trials of each case that measured something has none; undefined where each case has one trial. */
  readonly missing: Float32Array | undefined;
}

/** The values of a metric in the rows of these cases that have one; undefined where each case has one row: its mean. */
export function rowsOf(set: CaseSet, metric: string, places: readonly number[] | Uint32Array): RowValues | undefined {
  const { first } = columnsOf(set);
  if (!set.metrics.has(metric) || first(set.cases.length) === set.cases.length) return undefined;
  const known = valuesIn(set, metric);
  let most = 0;
  for (const place of places) most += first(place + 1) - first(place);
  const [values, counts] = [new Float64Array(most), new Float64Array(places.length)];
  let rows = 0;
  for (const [index, place] of places.entries()) {
    const begin = rows;
    for (let trial = first(place); trial < first(place + 1); trial++) {
      const value = known[trial] ?? Number.NaN;
      if (!Number.isNaN(value)) values[rows++] = value;
    }
    counts[index] = rows - begin;
  }
  return { values: values.subarray(0, rows), counts };
}

const columnsMade = onceFor((_set: CaseSet) => new Map<string, MetricColumn>());

/** The metric of a set, made once: each rule, list and count looks at it. */
export function columnOf(set: CaseSet, metric: string): MetricColumn {
  const columns = columnsMade(set);
  const known = columns.get(metric) ?? makeColumn(set, metric);
  columns.set(metric, known);
  return known;
}

function makeColumn(set: CaseSet, metric: string): MetricColumn {
  const { length } = set.cases;
  const { first } = columnsOf(set);
  const measured = measuredRows(set);
  const values = valuesIn(set, metric);
  if (first(length) === length) {
    const counts = new Uint8Array(length).map((_, at) => Number(!Number.isNaN(values[at])));
    return { means: values, counts, missing: undefined };
  }
  let most = 0;
  for (let at = 0; at < length; at++) most = Math.max(most, first(at + 1) - first(at));
  const counts = most < 256 ? new Uint8Array(length) : new Uint32Array(length);
  const [means, missing] = [new Float64Array(length), new Float32Array(length)];
  for (let at = 0; at < length; at++) {
    let [sum, count] = [0, 0];
    for (let trial = first(at); trial < first(at + 1); trial++) {
      const value = values[trial] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      sum += value;
      count += 1;
    }
    // NaN of none.
    means[at] = sum / count;
    counts[at] = count;
    missing[at] = 1 - count / Math.max(1, measured[at] ?? 0);
  }
  return { means, counts, missing };
}
