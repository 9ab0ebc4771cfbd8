import type { EvaluationRequest } from "../../../src/evaluation/evaluation.ts";
import type { FoundFile } from "../../../src/files/find-files.ts";
import { COST, TOKENS, type CaseSet } from "../../../src/judgement/cases/case-set.ts";
import { readSnapshot } from "../../../src/judgement/cases/snapshot-reader.ts";

/** What a trial of the newest of these snapshots took, on average; unknown where no trial tells it. Throws SnapshotError. */
export function expectedBy(files: readonly FoundFile[]): EvaluationRequest["expected"] {
  const [newest] = files
    .map((file) => readSnapshot(file))
    .sort((one, other) => Date.parse(other.run.created) - Date.parse(one.run.created));
  return { tokens: newest && meanOf(newest, TOKENS), cost: newest && meanOf(newest, COST) };
}

function meanOf({ metrics, cases }: CaseSet, metric: string): number | undefined {
  const place = [...metrics.keys()].indexOf(metric);
  let [sum, count] = [0, 0];
  for (const { trials } of cases) {
    for (const { values } of trials) {
      const value = values[place] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      sum += value;
      count += 1;
    }
  }
  return count === 0 ? undefined : sum / count;
}
