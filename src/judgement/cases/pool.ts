import type { CaseSet } from "./case-set.ts";
import { CaseTable } from "./case-table.ts";
import { addTrials, mergedMetrics } from "./joined.ts";
import { UNKNOWN_METRIC } from "./metric-facts.ts";
import { Protected } from "./protected.ts";

/**
 * Pools runs, the newest first. What any run that ended has is in the pool, so that a partial run takes nothing away from
 * the baseline: a case or a score that newer runs lack is left out only where one of them states that a rule allowed it to
 * go. Of a case that was changed, the trials of the newest run that has it count.
 */
export function pooledRuns(runs: readonly CaseSet[]): CaseSet {
  const [newest] = runs;
  if (newest === undefined) throw new Error("There is no run to pool.");
  const kept = new Protected(runs);
  const metrics = new Map(
    [...mergedMetrics(runs)].filter(([metric]) => newest.metrics.has(metric) || kept.hasMetric(metric)),
  );
  const table = new CaseTable();
  for (const set of runs) {
    const addsCases = set === newest || set.run.isComplete;
    for (const one of set.cases) {
      const digest = table.digestAt(one.key);
      if (digest === undefined ? !addsCases || !kept.hasCase(one.key) : digest !== one.digest) continue;
      // What the newest run says of a case is what it is: in a part, or in another one.
      const isDescribed = digest !== undefined;
      addTrials(table, set, one, {
        isDescribed,
        takes: (metric) => metrics.has(metric) && (!isDescribed || kept.hasScore(one.key, metric)),
      });
    }
  }
  const run = { ...newest.run, isComplete: runs.every((set) => set.run.isComplete) };
  return table.finish(run, (metric) => metrics.get(metric) ?? UNKNOWN_METRIC);
}
