/** The face of this room: result files of any evaluation become experiments. */
export { UploadCancelledError } from "./errors.ts";
export {
  UPLOAD_STATUSES,
  type DatasetKey,
  type ExperimentEvent,
  type PlannedExperiment,
  type ReadFile,
  type ResultsRead,
  type SentExperiment,
  type UploadStatus,
} from "./events.ts";
export { findFiles, type FoundFile, type FoundFiles } from "../files/find-files.ts";
export type { FileFault } from "../files/file-faults.ts";
export { FORMAT_NAMES, type FormatName } from "./format-names.ts";
export { parseMapping, type Mapping, type MappingReading } from "./rows/mapping.ts";
export {
  NAME_POLICIES,
  type ExperimentRequest,
  type NamePolicy,
  type ResultsRequest,
  type RowsRequest,
} from "./request.ts";
export type { NamedScore, ResultScore, ResultScores, ScoreFields } from "./rows/given-scores.ts";
export type { ResultRow } from "./rows/result-row.ts";
export { ResultsError } from "./reading/result-faults.ts";
export type { ScoreSummary } from "./reading/score-tally.ts";
export { dryRunUpload, uploadResults, type DryRunDeps, type UploadDeps } from "./upload.ts";
export { TIME_POLICIES, type TimePolicy } from "./sending/window.ts";
