/** The library's public face: the clients, and the workflow that the action runs. */
// First: an older Node ends here with a sentence.
import "./node-version.ts";
export {
  connect,
  connectTracing,
  connectUploads,
  type Connection,
  type ConnectOptions,
  type ConnectTracingOptions,
  type ConnectUploadsOptions,
  type TracingConnection,
  type UploadConnection,
} from "./connection.ts";
export { AgentServer } from "./agent-server/client.ts";
export * from "./agent-server/errors.ts";
export type { RunEnding, StateEnding } from "./agent-server/run-ending.ts";
export { ControlPlane } from "./control-plane/client.ts";
export * from "./control-plane/errors.ts";
export type {
  AgentServerInfo,
  Assistant,
  AssistantFilter,
  AssistantGraph,
  GraphSchemas,
  RunCreate,
  RunEvent,
} from "./contract/agent-server.ts";
export type {
  Deployment,
  DeploymentCreate,
  DeploymentPatch,
  LogLine,
  Revision,
  SecretInput,
  SourceConfig,
  SourceRevisionConfig,
  UploadTarget,
} from "./contract/deployment.ts";
export { ExperimentUploads } from "./experiment-upload/client.ts";
export type { UnclearPolicy } from "./experiment-upload/next-step.ts";
export type { ReadyExperiment, UploadOutcome, UploadTerms } from "./experiment-upload/terms.ts";
export {
  ExperimentNameTakenError,
  ExperimentNotUploadedError,
  ExperimentTooLargeError,
  ExperimentStoredTwiceError,
  ExperimentUnansweredError,
} from "./experiment-upload/errors.ts";
export type { ExperimentUploadAnswer, UploadedDataset, UploadedExperiment } from "./contract/experiment-answer.ts";
export { FieldNames } from "./contract/field-names.ts";
export { GraphDeployError } from "./contract/graph-deploy-error.ts";
export { REVISION_STATUSES, revisionStatusFact, type RevisionStatus } from "./contract/revision-status.ts";
export { SOURCES, type Edition, type Source } from "./contract/source.ts";
export type { DeployOptions, UploadOptions } from "./connection-options.ts";
export { ArgumentsError } from "./contract/call-arguments.ts";
export type { DeployProject } from "./deploy-project.ts";
export type { DeployDeps } from "./deployment/deps.ts";
export type { DryRunResult } from "./deployment/dry-run.ts";
export {
  ApplyError,
  CancelledError,
  DeployError,
  NoRevisionError,
  OUTCOMES,
  PlanError,
  RevisionFailedError,
  RollbackUnclearError,
  SUCCESSES,
  SupersededError,
  TimedOutError,
  VerifyError,
  WaitError,
  WaitTimeoutError,
  type Outcome,
  type Success,
} from "./deployment/errors.ts";
export type { DeployEvent } from "./deployment/events.ts";
export type {
  DeployRequest,
  DeploySource,
  DirectorySource,
  EarlierSource,
  FollowRequest,
  ImageSource,
  RepositorySource,
  SmokeRun,
} from "./deployment/request.ts";
export type { DeployResult } from "./deployment/wait.ts";
export type { SentExperiments } from "./upload-experiment.ts";
export type { Experiment, GivenTime } from "./given-experiment.ts";
export type { ExperimentEvent, SentExperiment } from "./experiments/events.ts";
export type { ResultRow } from "./experiments/rows/result-row.ts";
export type { NamedScore, ResultScore, ResultScores, ScoreFields } from "./experiments/rows/given-scores.ts";
export type { ValidationError } from "./contract/validation-error.ts";
export type { ExperimentHead, ExperimentRow, Feedback, FeedbackConfig } from "./contract/experiment.ts";
export { systemClock, type Clock } from "./http/clock.ts";
export {
  AddressError,
  CredentialsError,
  EndlessListError,
  HttpStatusError,
  InvalidResponseError,
  NetworkError,
  RedirectError,
  TimeoutError,
  mayHaveBeenProcessed,
} from "./http/errors.ts";
export { Redactor } from "./http/redactor.ts";
export { Tracing, type RunFields, type TracingOptions } from "./tracing/client/client.ts";
export type { SourceArchive } from "./source/archive/archive.ts";
export type { SourceTree } from "./source/tree/tree.ts";
export { deploy, dryRun, follow, packSource, readSourceTree, uploadExperiment } from "./workflows.ts";
