/** The library's public face: the clients, and the workflow that the action runs. */
// First: an older Node ends here with a sentence.
import "./node-version.ts";
export {
  connect,
  connectTracing,
  connectUploads,
  type Closable,
  type Connection,
  type ConnectOptions,
  type ConnectTracingOptions,
  type ConnectUploadsOptions,
  type TracingConnection,
  type UploadConnection,
} from "./connection.ts";
export type { AssistantSearchOptions, InThread } from "./agent-server/call-shapes.ts";
export type { AgentServer } from "./agent-server/client.ts";
export * from "./agent-server/errors.ts";
export type { RunEnding, StateEnding } from "./agent-server/run-ending.ts";
export type { Threads } from "./agent-server/threads.ts";
export type { DeleteOptions, LogOptions, PatchContext } from "./control-plane/call-shapes.ts";
export type { ControlPlane } from "./control-plane/client.ts";
export type { Lag } from "./control-plane/look-again.ts";
export type { UploadFile, UploadOptions as FileUploadOptions } from "./control-plane/upload.ts";
export type { CreateOutcome } from "./control-plane/writes.ts";
export * from "./control-plane/errors.ts";
export type {
  AgentServerInfo,
  Assistant,
  AssistantFilter,
  AssistantGraph,
  GraphSchemas,
  RunCreate,
  RunEvent,
  Thread,
  ThreadCreate,
  ThreadFilter,
  ThreadRun,
  ThreadState,
} from "./contract/agent-server.ts";
export type {
  Deployment,
  DeploymentCreate,
  DeploymentPatch,
  LogKind,
  LogLine,
  Revision,
  SecretInput,
  SourceConfig,
  SourceRevisionConfig,
  UploadTarget,
} from "./contract/deployment.ts";
export type { ExperimentUploads } from "./experiment-upload/client.ts";
export type { UnclearPolicy } from "./experiment-upload/next-step.ts";
export type { ReadyExperiment, UploadOutcome, UploadTerms } from "./experiment-upload/terms.ts";
export * from "./experiment-upload/errors.ts";
export type { ExperimentUploadAnswer, UploadedDataset, UploadedExperiment } from "./contract/experiment-answer.ts";
export { FieldNames } from "./contract/field-names.ts";
export { GraphDeployError, type ErrorOptionsWithAdvice } from "./contract/graph-deploy-error.ts";
export type { Reason } from "./contract/error-reasons.ts";
export type { GraphEntry } from "./contract/graph-config.ts";
export {
  REVISION_STATUSES,
  type FailedFact,
  type NoFailure,
  type RevisionPhase,
  type RevisionStatus,
  type RevisionStatusFact,
  type StatusFact,
} from "./contract/revision-status.ts";
export { revisionStatusFact } from "./revision-status.ts";
export {
  SOURCES,
  type Edition,
  type RevisionConfigField,
  type RevisionConfigInput,
  type Source,
  type SourceConfigInput,
} from "./contract/source.ts";
export type { ValidationError } from "./contract/validation-error.ts";
export type { CallSettings, DeployOptions, UploadOptions } from "./connection-options.ts";
export { ArgumentsError } from "./contract/call-arguments.ts";
export type { DeployProject } from "./deploy-project.ts";
export type { FollowedRevision } from "./followed-revision.ts";
export type { GivenPatience, GivenSmokeRun } from "./given-patience.ts";
export type {
  GivenDeployDeps,
  GivenDeployRequest,
  GivenFollowRequest,
  GivenSource,
  WithDefaults,
} from "./given-request.ts";
export type { DeployDeps, Turns } from "./deployment/deps.ts";
export type * from "./deployment/given-options.ts";
export type { DryRunResult } from "./deployment/dry-run.ts";
export {
  ApplyError,
  CancelledError,
  DeployError,
  NoRevisionError,
  PlanError,
  RevisionFailedError,
  RollbackUnclearError,
  SupersededError,
  TimedOutError,
  VerifyError,
  WaitError,
  WaitTimeoutError,
  type DeployErrorOptions,
  type RollbackChoice,
} from "./deployment/errors.ts";
export { OUTCOMES, SUCCESSES, type Outcome, type Success } from "./deployment/outcomes.ts";
export type {
  AgentAnswer,
  DeployEvent,
  Emit,
  PlannedChange,
  PlannedField,
  Recalled,
  SmokeAnswer,
  Step as DeployStep,
  WarningCode,
} from "./deployment/events.ts";
export type { KnownSource, KnownSources } from "./deployment/known-sources.ts";
export type {
  Create as CreatePolicy,
  DeployRequest,
  DeploySource,
  DeploymentTarget,
  DirectorySource,
  EarlierSource,
  FollowRequest,
  ImageSource,
  Patience,
  RepositorySource,
  SmokeRun,
} from "./deployment/request.ts";
export type { DeployResult } from "./deployment/wait.ts";
export type { RescoreOptions } from "./evaluate.ts";
export type { Evaluation, KeptEvaluation } from "./given-evaluation.ts";
export type { GivenEvaluationOptions } from "./given-evaluation-options.ts";
export type { ServerFacts } from "./agent-server/server-facts.ts";
export type { Estimate, EvaluationEvent, EvaluationStatus, Progress } from "./evaluation/evaluation.ts";
export type { EvaluationSummary } from "./scoring/summary.ts";
export type { Price, Prices, Tokens } from "./scoring/usage.ts";
export * from "./scoring/errors.ts";
export {
  EvaluationError,
  JournalError,
  RevisionMismatchError,
  type Stop as EvaluationStop,
} from "./evaluation/errors.ts";
export type { TrialOutcome } from "./contract/trial-outcome.ts";
export type { SentExperiments } from "./upload-experiment.ts";
export type { Traces } from "./given-traces.ts";
export type { Experiment, GivenTime } from "./given-experiment.ts";
export type { GivenExperimentOptions } from "./experiments/given-options.ts";
export type { GivenTraceOptions } from "./trace-files/given-options.ts";
export type { Axis } from "./experiments/reading/axis-search.ts";
export { ResultsError, type FoundAxis, type Proposed } from "./experiments/reading/result-faults.ts";
export type { ResultRow } from "./experiments/rows/result-row.ts";
export type {
  FeedbackSource,
  NamedScore,
  ResultScore,
  ResultScores,
  ScoreFields,
} from "./experiments/rows/given-scores.ts";
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
  type ExchangeFacts,
  type StatusFacts,
  type TimeoutFacts,
} from "./http/errors.ts";
export type { Credentials } from "./http/endpoint.ts";
export type { HttpClientOptions } from "./http/http-client.ts";
export type { ApiRequest, CallOptions, Operation, StreamedOperation, StreamOptions } from "./http/json-api.ts";
export type { Method } from "./http/outcome.ts";
export type { ListOptions } from "./http/page-walk.ts";
export type { ResponseHead } from "./http/arriving-body.ts";
export type { ProxySettings } from "./http/proxy-settings.ts";
export { Redactor } from "./http/redactor.ts";
export type { Silence } from "./http/silence.ts";
export type { TimeLimit } from "./http/time-limit.ts";
export type { RetryNotice } from "./http/retry.ts";
export type { PrivateBody } from "./http/sent-echo.ts";
export type { Body, BodySource, TransportOptions } from "./http/transport.ts";
export type { Repeatable } from "./text/echo.ts";
export type { BatchBody, BatchLimits, BodyEncoding, RunFields, Tracing } from "./tracing/client/client.ts";
export type { PackOptions, SourceArchive } from "./source/archive/archive.ts";
export * from "./source/entry/errors.ts";
export type { SourceEntry } from "./source/entry/entry.ts";
export type { LeftOut } from "./source/ignore/left-out.ts";
export type { LeftOutReason } from "./source/ignore/rule.ts";
export type { SourceNotice } from "./source/tree/checkout-check.ts";
export type { SourceRequest, SourceTree } from "./source/tree/tree.ts";
export * from "./workflows.ts";
