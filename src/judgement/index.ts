/** The face of this room: results of an evaluation, judged against a baseline by rules. */
export type {
  Baseline,
  Case,
  CaseList,
  CaseSet,
  Direction,
  MetricFacts,
  MetricKind,
  RunOfCases,
  Trial,
} from "./cases/case-set.ts";
export { SnapshotError } from "./cases/errors.ts";
export { parseSnapshot } from "./cases/snapshot-reader.ts";
export { snapshotText, type SnapshotOptions } from "./cases/snapshot-writer.ts";
export { faultText, GatesError, type GateFault } from "./gates/errors.ts";
export { Gates } from "./gates/gates.ts";
export type { Rule } from "./gates/rule.ts";
export { judge, type GivenRuns, type JudgeArguments, type MetricRange, type RunOfRows } from "./judge-rows.ts";
export {
  GATE_STATUSES,
  VERDICTS,
  type Gap,
  type GateStatus,
  type Judgement,
  type ListedCase,
  type MetricJudgement,
  type Reach,
  type RuleOutcome,
  type Verdict,
} from "./judgement.ts";
export { BaselineError, type Judged } from "./judge-results.ts";
export { ResultsError } from "../experiments/reading/result-faults.ts";
export { ArgumentsError } from "../contract/call-arguments.ts";
export type { NamedScore, ResultScore, ResultScores, ScoreFields } from "../experiments/rows/given-scores.ts";
export type { ResultRow } from "../experiments/rows/result-row.ts";
