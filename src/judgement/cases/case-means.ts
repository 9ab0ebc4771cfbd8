import type { CaseSet } from "./case-set.ts";

/** A metric over the cases of a set, in their order. */
export interface CaseMeans {
  /** The mean over the trials that have the metric; NaN where none has. */
  readonly means: Float64Array;
  /** How many trials have it. */
  readonly counts: Uint32Array;
}

/** The means of all metrics by case, in one walk over the trials: each look at a trial makes an object. */
export function caseMeans({ metrics, cases }: CaseSet): ReadonlyMap<string, CaseMeans> {
  const columns = [...metrics.keys()].map((): CaseMeans => {
    return { means: new Float64Array(cases.length), counts: new Uint32Array(cases.length) };
  });
  for (const [at, { trials }] of cases.entries()) {
    for (const { values } of trials) {
      for (const [metric, { means, counts }] of columns.entries()) {
        const value = values[metric] ?? Number.NaN;
        if (Number.isNaN(value)) continue;
        means[at] = (means[at] ?? 0) + value;
        counts[at] = (counts[at] ?? 0) + 1;
      }
    }
    for (const { means, counts } of columns) means[at] = (means[at] ?? 0) / (counts[at] ?? 0);
  }
  return new Map([...metrics.keys()].map((metric, at) => [metric, columns[at] ?? NO_MEANS]));
}

const NO_MEANS: CaseMeans = { means: new Float64Array(), counts: new Uint32Array() };
