/** The face of this room: results of an evaluation, judged against a baseline by rules. */
export type { LeftReason, LeftRun } from "./cases/baseline.ts";
export type {
  AllowedCounts,
  Baseline,
  Case,
  CaseList,
  CaseSet,
  Direction,
  DirectionSource,
  Evaluator,
  MetricFacts,
  MetricKind,
  RunOfCases,
  Trial,
  Unmeasured,
} from "./cases/case-set.ts";
export { compareExperiments } from "./compare-experiments.ts";
export { SnapshotError } from "./cases/errors.ts";
export { parseSnapshot } from "./cases/snapshot-reader.ts";
export { snapshotText, type SnapshotOptions } from "./cases/snapshot-writer.ts";
export { faultText, GatesError, type GateFault } from "./gates/errors.ts";
export { Gates } from "./gates/gates.ts";
export type {
  Counter,
  NamedMetric,
  Operator,
  Rule,
  RuleFilter,
  RuleNumber,
  RuleTest,
  RuleValue,
  Statistic,
  Vocabulary,
} from "./gates/rule.ts";
export { judge, type GivenRuns, type JudgeArguments, type RunOfRows } from "./judge-rows.ts";
export {
  GATE_STATUSES,
  VERDICTS,
  type CaseCounts,
  type CaseLists,
  type Gap,
  type GateStatus,
  type Judgement,
  type ListedCase,
  type MeasuredRun,
  type MetricJudgement,
  type Reach,
  type RuleOutcome,
  type Uncompared,
  type Verdict,
} from "./judgement.ts";
export type { GivenJudgeOptions } from "./given-options.ts";
export type { MetricRange } from "./options.ts";
export { BaselineError, type Judged } from "./judge-results.ts";
export type { ShownComparison, StoredExperiment } from "../pages/experiment-comparison.ts";
export type { Comparison, MissingChange } from "../statistics/comparison.ts";
export type { Level } from "../statistics/level.ts";
export type { Interval } from "../statistics/interval.ts";
export type { Plan } from "../statistics/needed.ts";
export type { Quantiles } from "../statistics/quantiles.ts";
export type { WorstLoss } from "../statistics/worst-loss.ts";
export { ResultsError } from "../experiments/reading/result-faults.ts";
export { ArgumentsError } from "../contract/call-arguments.ts";
export type {
  FeedbackSource,
  NamedScore,
  ResultScore,
  ResultScores,
  ScoreFields,
} from "../experiments/rows/given-scores.ts";
export type { ResultRow } from "../experiments/rows/result-row.ts";
