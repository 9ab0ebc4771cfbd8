import type { Case, CaseSet } from "../cases/case-set.ts";
import { trialValues } from "../cases/stored-case.ts";

/** The values of a metric over the trials of a case, without missing ones. */
export function valuesOf(set: CaseSet, one: Case, metric: string): readonly number[] {
  const at = columnOf(set, metric);
  return at === undefined ? [] : trialValues(one, at);
}

/** The mean over the trials of a case; NaN where all are missing. */
export function meanOf(set: CaseSet, one: Case, metric: string): number {
  const values = valuesOf(set, one, metric);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const COLUMNS = new WeakMap<CaseSet, ReadonlyMap<string, number>>();

function columnOf(set: CaseSet, metric: string): number | undefined {
  const known = COLUMNS.get(set);
  if (known !== undefined) return known.get(metric);
  COLUMNS.set(set, new Map([...set.metrics.keys()].map((name, index) => [name, index])));
  return columnOf(set, metric);
}
