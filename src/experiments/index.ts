/** The face of this room: result files of any evaluation become experiments. */
export { UploadCancelledError } from "./errors.ts";
export {
  UPLOAD_STATUSES,
  type DatasetKey,
  type Emit,
  type ExperimentEvent,
  type PlannedExperiment,
  type ReadFile,
  type ResultsRead,
  type SentExperiment,
  type UploadStatus,
} from "./events.ts";
export { findFiles, type FoundFile, type FoundFiles } from "../files/find-files.ts";
export type { FileFault, FilesError } from "../files/file-faults.ts";
export type { FilePlace } from "../files/json/errors.ts";
export type { ExactNumber, JsonObject, JsonValue, NotANumber } from "../files/json/value.ts";
export { FORMAT_NAMES, type FormatName } from "./format-names.ts";
export type { Axis } from "./reading/axis-search.ts";
export type {
  ColumnKind,
  ColumnReading,
  ColumnRole,
  ColumnValue,
  InnerScore,
  NotedColumn,
  PartRole,
  ScoreForm,
  ScoreGrade,
  TextVariety,
  ValueKind,
} from "./rows/columns.ts";
export { parseMapping, type MappedScore, type Mapping, type MappingReading } from "./rows/mapping.ts";
export {
  NAME_POLICIES,
  type ExperimentRequest,
  type NamePolicy,
  type ResultsRequest,
  type RowsRequest,
  type UploadingRun,
} from "./request.ts";
export type { FeedbackSource, NamedScore, ResultScore, ResultScores, ScoreFields } from "./rows/given-scores.ts";
export type { ResultRow } from "./rows/result-row.ts";
export type { SourceScore, SourceTimes } from "./rows/source-row.ts";
export type { ReadingDeps } from "./reading/file-reading.ts";
export { ResultsError, type FoundAxis, type Proposed } from "./reading/result-faults.ts";
export type { ScoreSummary } from "./reading/score-tally.ts";
export type { DryRunDeps, UploadDeps } from "./arguments.ts";
export { dryRunUpload, uploadResults } from "./upload.ts";
export { TIME_POLICIES, type TimePolicy } from "./sending/window.ts";
