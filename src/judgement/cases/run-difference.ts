import { listed, quotedName } from "../../text/quoted.ts";
import { datasetDifference } from "./agreement.ts";
import type { RunOfCases } from "./case-set.ts";
import { compareEvaluators } from "./evaluator.ts";

export interface RunDifference {
  /**
   * `unstated`: what one side says of its evaluator is unknown of the other. `widened`: rows of the one side state all that
   * those of the other do, and more.
   */
  readonly kind: "dataset" | "evaluator" | "unstated" | "widened";
  /** A clause: `the dataset of the baseline is "a", but that of this run is "b"`. */
  readonly message: string;
}

/** Whether a run has another dataset or evaluator than its baseline. What a run does not state is not a difference. */
export function differencesOf(now: RunOfCases, baseline: RunOfCases, other = "baseline"): readonly RunDifference[] {
  const found: RunDifference[] = [];
  const dataset = datasetDifference(baseline.dataset, now.dataset, (theirs, ours) => {
    return `the dataset of the ${other} is ${theirs}, but that of this run is ${ours}`;
  });
  if (dataset !== "") found.push({ kind: "dataset", message: dataset });
  const { changes: stated, ofKinds, widened, ...unstated } = compareEvaluators(baseline, now);
  const changes = [...stated, ...ofKinds];
  if (widened.length > 0) {
    const message = `the rows do not state the same evaluators as those of the ${other}: ${listed(widened, { conjunction: "and" })}`;
    found.push({ kind: "widened", message });
  }
  if (changes.length > 0) {
    const message = `the evaluator is not that of the ${other}: ${listed(changes, { conjunction: "and" })}`;
    found.push({ kind: "evaluator", message });
  }
  for (const [names, side] of [
    [unstated.now, `the ${other}`],
    [unstated.before, "this run"],
  ] as const) {
    if (names.length === 0) continue;
    const list = listed(names.map(quotedName), { conjunction: "and" });
    found.push({
      kind: "unstated",
      message: `${side} does not state ${list} of its evaluator, which the other side states`,
    });
  }
  return found;
}
