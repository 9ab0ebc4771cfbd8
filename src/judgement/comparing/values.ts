import type { Case, CaseList, CaseSet } from "../cases/case-set.ts";
import type { RowValues } from "../../statistics/quantiles.ts";
import { metricPlace } from "../cases/trial-list.ts";
import { onlyValues, trialCount, trialValues } from "../cases/stored-case.ts";

/** A metric of all cases of a set, in their order. */
export interface MetricColumn {
  /** The mean over the trials of each case, without missing ones; NaN where all are missing. */
  readonly means: Float64Array;
  /** How many trials of each case have a value. */
  readonly counts: Uint8Array | Uint32Array;
  /** Which part of the trials of each case has none; undefined where each case has one trial. */
  readonly missing: Float32Array | undefined;
}

/** The values of a metric over the trials of a case, without missing ones. */
export function valuesOf(set: CaseSet, one: Case, metric: string): readonly number[] {
  const at = metricPlace(set, metric);
  return at === undefined ? [] : trialValues(one, at);
}

/**
 * The values of a metric in the rows of these cases. `missing` stands for each value that a row lacks, such as an end of the
 * range; without it such rows are left out. Undefined where each case has one row, which is its mean.
 */
export function rowsOf(
  set: CaseSet,
  metric: string,
  places: readonly number[] | Uint32Array,
  missing?: number,
): RowValues | undefined {
  const { cases } = set;
  const at = metricPlace(set, metric);
  if (at === undefined || (missing === undefined && onlyValues(cases, at))) return undefined;
  let most = 0;
  for (const place of places) most += trialsAt(cases, place);
  const [values, counts] = [new Float64Array(most), new Float64Array(places.length)];
  let rows = 0;
  for (const [index, place] of places.entries()) {
    const one = cases.at(place);
    const known = one ? trialValues(one, at) : [];
    const count = missing === undefined ? known.length : trialsAt(cases, place);
    values.set(known, rows);
    if (missing !== undefined) values.fill(missing, rows + known.length, rows + count);
    counts[index] = count;
    rows += count;
  }
  return { values: values.subarray(0, rows), counts };
}

function trialsAt(cases: CaseList, place: number): number {
  const one = cases.at(place);
  return one ? trialCount(one) : 0;
}

const COLUMNS = new WeakMap<CaseSet, Map<string, MetricColumn>>();

/** The metric of a set, made once: each rule, list and count looks at it. */
export function columnOf(set: CaseSet, metric: string): MetricColumn {
  const columns = COLUMNS.get(set) ?? new Map<string, MetricColumn>();
  COLUMNS.set(set, columns);
  const known = columns.get(metric) ?? makeColumn(set, metricPlace(set, metric));
  columns.set(metric, known);
  return known;
}

function makeColumn({ cases }: CaseSet, metric: number | undefined): MetricColumn {
  const only = metric === undefined ? undefined : onlyValues(cases, metric);
  if (only)
    return {
      means: only,
      counts: new Uint8Array(only.length).map((_, at) => Number(!Number.isNaN(only[at]))),
      missing: undefined,
    };
  const means = new Float64Array(cases.length).fill(Number.NaN);
  let most = 0;
  for (const one of cases) most = Math.max(most, trialCount(one));
  const counts = most < 256 ? new Uint8Array(cases.length) : new Uint32Array(cases.length);
  if (metric === undefined) return { means, counts, missing: undefined };
  const missing = new Float32Array(cases.length);
  let at = 0;
  for (const one of cases) {
    const values = trialValues(one, metric);
    let sum = 0;
    for (const value of values) sum += value;
    // NaN of none.
    means[at] = sum / values.length;
    counts[at] = values.length;
    missing[at] = 1 - values.length / trialCount(one);
    at += 1;
  }
  return { means, counts, missing };
}
