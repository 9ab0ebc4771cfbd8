import { Column } from "../../files/column.ts";
import type { Case, CaseSet, MetricFacts } from "./case-set.ts";
import { CaseTable } from "./case-table.ts";
import { mergedMetrics } from "./joined.ts";

/**
 * Pools runs, the newest first. What any run that ended has is in the pool, so that a partial run takes nothing away from
 * the baseline: a case or a score that newer runs lack is left out only where one of them states that a rule allowed it to
 * go. Of a case that was changed, the trials of the newest run that has it count.
 */
export function pooledRuns(runs: readonly CaseSet[]): CaseSet {
  const [newest] = runs;
  if (newest === undefined) throw new Error("There is no run to pool.");
  const metrics = metricsOf(runs);
  const table = new CaseTable();
  const gone = new GoneScores([...metrics.keys()]);
  let areCasesGone = false;
  for (const set of runs) {
    const addsCases = set === newest || (set.run.isComplete && !areCasesGone);
    for (const one of set.cases) {
      const digest = table.digestAt(one.key);
      if (digest === undefined ? addsCases : digest === one.digest) addTrials(table, set, one, gone);
    }
    if (allows(set, "missing_scores")) gone.note(set, table);
    areCasesGone ||= allows(set, "unmatched");
  }
  const run = { ...newest.run, isComplete: runs.every((set) => set.run.isComplete) };
  return table.finish(run, (metric) => metrics.get(metric) ?? { kind: "unbounded", direction: "higher" });
}

/** Those of the newest run, and those of older ones that no rule allowed to go since. */
function metricsOf(runs: readonly CaseSet[]): ReadonlyMap<string, MetricFacts> {
  const kept = new Set<string>();
  let areGone = false;
  for (const [index, set] of runs.entries()) {
    const adds = index === 0 || (set.run.isComplete && !areGone);
    if (adds) for (const metric of set.metrics.keys()) kept.add(metric);
    areGone ||= allows(set, "missing_scores");
  }
  return new Map([...mergedMetrics(runs)].filter(([metric]) => kept.has(metric)));
}

function allows({ run }: CaseSet, counter: "missing_scores" | "unmatched"): boolean {
  return run.allowed?.includes(counter) === true;
}

function addTrials(table: CaseTable, { metrics }: CaseSet, one: Case, gone: GoneScores): void {
  const { key, name, digest, metadata, inputs, expected } = one;
  const place = table.placeOf(key);
  const names = [...metrics.keys()];
  for (const { values, hasError, start, unscored, place: from, outputs, error } of one.trials) {
    const known = names.flatMap((metric, at) => {
      const value = values[at] ?? Number.NaN;
      return Number.isNaN(value) || gone.has(metric, place) ? [] : [[metric, value] as const];
    });
    const texts = { inputs, expected, outputs, error };
    const given = key.startsWith(name) ? undefined : name;
    const more = { start, unscored, place: from, texts };
    // What the newest run says of a case is what it is: in a part, or in another one.
    table.add({
      key,
      name: given,
      digest,
      metadata,
      values: known,
      hasError,
      isDescribed: place !== undefined,
      ...more,
    });
  }
}

/** Scores that a run lacks, and that a rule allowed it to lack: those of older runs do not count. */
class GoneScores {
  readonly #gone: ReadonlyMap<string, Column>;

  constructor(metrics: readonly string[]) {
    this.#gone = new Map(metrics.map((metric) => [metric, new Column(Uint8Array)]));
  }

  /** True for a metric that is not pooled, too. */
  has(metric: string, place: number | undefined): boolean {
    const column = this.#gone.get(metric);
    return column === undefined || (place !== undefined && column.get(place) === 1);
  }

  /** Notes what the cases of a run lack. */
  note({ metrics, cases }: CaseSet, table: CaseTable): void {
    const places = new Map([...metrics.keys()].map((metric, at) => [metric, at]));
    for (const { key, trials } of cases) {
      const place = table.placeOf(key);
      if (place === undefined) continue;
      const all = trials.map(({ values }) => values);
      for (const [metric, column] of this.#gone) {
        const at = places.get(metric) ?? -1;
        if (all.every((values) => Number.isNaN(values[at] ?? Number.NaN))) column.set(place, 1);
      }
    }
  }
}
