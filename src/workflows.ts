import type { DeployOptions, UploadOptions } from "./connection-options.ts";
import type { DeployProject } from "./deploy-project.ts";
import type { DryRunResult } from "./deployment/dry-run.ts";
import type { DeployEvent } from "./deployment/events.ts";
import type { DeployResult } from "./deployment/wait.ts";
import type { EvaluationEvent } from "./evaluation/evaluation.ts";
import type { EvaluationSummary } from "./scoring/summary.ts";
import type { ExperimentEvent } from "./experiments/events.ts";
import type { PackOptions, SourceArchive } from "./source/archive/archive.ts";
import type { SourceRequest, SourceTree } from "./source/tree/tree.ts";
import type { FollowedRevision } from "./followed-revision.ts";
import type { Evaluation, KeptEvaluation } from "./given-evaluation.ts";
import type { Experiment } from "./given-experiment.ts";
import type { GivenDeployDeps, GivenDeployRequest, GivenFollowRequest } from "./given-request.ts";
import type { Traces } from "./given-traces.ts";
import type { UploadTracesDeps } from "./trace-files/arguments.ts";
import type { TraceEvent } from "./trace-files/events.ts";
import type { TraceRequest } from "./trace-files/request.ts";
import type { Sent } from "./trace-files/sending/trace-sending.ts";
import type { RescoreOptions } from "./evaluate.ts";
import type { SentExperiments } from "./upload-experiment.ts";

// What one workflow alone needs is loaded when it is called: a program that imports the library for its clients reads
// no archive, no result file and no tool's format.

/**
 * Deploys a directory, an image or a repository, waits until its revision is live, and checks that the agent answers.
 * `options` have the address of the control plane and the credentials; GRAPH_DEPLOY_URL, GRAPH_DEPLOY_API_KEY and
 * GRAPH_DEPLOY_TENANT_ID replace missing ones.
 * @throws ArgumentsError, which names every wrong argument, before anything is sent, and a GraphDeployError for every
 *   ending that is not a success.
 * @idempotence Safe to call again: it never makes a second deployment of a name. Each call makes a revision, unless a
 *   `record` shows that this source is live.
 * @contract Sections 1, 3 and 4.1.
 */
export function deploy(project: DeployProject, options?: DeployOptions<DeployEvent>): Promise<DeployResult>;
/**
 * The same for a request with clients that the caller creates and closes, such as those that `connect` returns.
 * @throws As above.
 * @idempotence As above.
 * @contract Sections 1, 3 and 4.1.
 */
export function deploy(request: GivenDeployRequest, deps: GivenDeployDeps): Promise<DeployResult>;
export async function deploy(
  given: DeployProject | GivenDeployRequest,
  more?: DeployOptions<DeployEvent> | GivenDeployDeps,
): Promise<DeployResult> {
  return await (await import("./deploy.ts")).deploy(given, more);
}

/**
 * Plans a deploy and reports what it would change; writes nothing. It takes what `deploy` takes.
 * @throws ArgumentsError before anything is sent, PlanError, and the errors of the source.
 * @idempotence It only reads, so it may be called again.
 * @contract Section 4.1.
 */
export function dryRun(project: DeployProject, options?: DeployOptions<DeployEvent>): Promise<DryRunResult>;
/**
 * The same for a request with clients that the caller creates and closes, such as those that `connect` returns.
 * @throws As above.
 * @idempotence As above.
 * @contract Section 4.1.
 */
export function dryRun(request: GivenDeployRequest, deps: GivenDeployDeps): Promise<DryRunResult>;
export async function dryRun(
  given: DeployProject | GivenDeployRequest,
  more?: DeployOptions<DeployEvent> | GivenDeployDeps,
): Promise<DryRunResult> {
  return await (await import("./deploy.ts")).dryRun(given, more);
}

/**
 * Waits for a revision that exists already, and checks its agent; writes nothing. `options` are those of `deploy`.
 * @throws What `deploy` throws.
 * @idempotence It only reads, so it may be called again.
 * @contract Sections 3 and 4.1.
 */
export function follow(revision: FollowedRevision, options?: DeployOptions<DeployEvent>): Promise<DeployResult>;
/**
 * The same for a request with clients that the caller creates and closes, such as those that `connect` returns.
 * @throws As above.
 * @idempotence As above.
 * @contract Sections 3 and 4.1.
 */
export function follow(request: GivenFollowRequest, deps: GivenDeployDeps): Promise<DeployResult>;
export async function follow(
  given: FollowedRevision | GivenFollowRequest,
  more?: DeployOptions<DeployEvent> | GivenDeployDeps,
): Promise<DeployResult> {
  return await (await import("./deploy.ts")).follow(given, more);
}

/**
 * Uploads rows, or the files of a tool, as an experiment of a dataset: POST /datasets/upload-experiment of the
 * contract, sections 2.6 and 4.2. Each row gets an id that is the same in every run of the evaluation, and times if it
 * has none; the rows wait on the disk while they are sent. `options` have the address and the credentials of the
 * service; GRAPH_DEPLOY_BASE_URL, GRAPH_DEPLOY_API_KEY and GRAPH_DEPLOY_TENANT_ID replace missing ones. Each call is an
 * upload of its own, which is stored once. Rejects with ArgumentsError, and with ResultsError, whose `faults` name each
 * wrong row by its number or by its file, before anything is sent.
 * @idempotence Each call is an upload of its own, which is stored once.
 * @contract Sections 2.6, 2.7 and 4.2.
 */
export async function uploadExperiment(
  experiment: Experiment,
  options?: UploadOptions<ExperimentEvent>,
): Promise<SentExperiments> {
  return await (await import("./upload-experiment.ts")).uploadExperiment(experiment, options);
}

/**
 * Uploads files of runs, or of OpenTelemetry spans, as traces. `options` are those of `uploadExperiment`.
 * @throws ArgumentsError and TracesError before anything is sent, RunsNotStoredError when some runs are not stored, and
 *   the error of the service when none is.
 * @idempotence Safe to call again: runs that are stored already stay as they are.
 * @contract Sections 2.5 and 4.3.
 */
export function uploadTraces(traces: Traces, options?: UploadOptions<TraceEvent>): Promise<Sent>;
/**
 * The same for files that were found, with the client that `connectTracing` returns.
 * @throws As above.
 * @idempotence As above.
 * @contract Sections 2.5 and 4.3.
 */
export function uploadTraces(request: TraceRequest, deps: UploadTracesDeps): Promise<Sent>;
export async function uploadTraces(
  given: TraceRequest | Traces,
  more?: UploadOptions<TraceEvent> | UploadTracesDeps,
): Promise<Sent> {
  return await (await import("./upload-traces.ts")).uploadTraces(given, more);
}

/**
 * Looks at an agent project and decides what its archive holds; writes nothing. Throws SourceFolderError or
 * GraphConfigError when there is no project, SourceTreeError with all that keeps it from being packed, and the reason
 * of the signal.
 * @idempotence Sends nothing, so it may be called again.
 */
export async function readSourceTree(request: SourceRequest): Promise<SourceTree> {
  return await (await import("./source-tree.ts")).readSourceTree(request);
}

/**
 * Packs a tree into a `.tar.gz` whose bytes follow from the tree alone. Throws SourceTooLargeError, SourceChangedError,
 * SourceUnreadableError, an error with the code SPOOL, or the reason of the signal, and leaves nothing behind.
 * @idempotence Sends nothing; each call makes an archive with the same bytes.
 */
export async function packSource(tree: SourceTree, options: PackOptions): Promise<SourceArchive> {
  return await (await import("./source/archive/archive.ts")).packSource(tree, options);
}

/**
 * Asks a deployed agent every case of a dataset, scores the answers and writes the results. `options` have the address of
 * the agent server and the key; GRAPH_DEPLOY_AGENT_URL, GRAPH_DEPLOY_API_KEY and GRAPH_DEPLOY_TENANT_ID replace missing
 * ones.
 * @throws ArgumentsError, which names every wrong argument, before anything is sent; EvaluationError for an evaluation that
 *   did not measure all that it should; DatasetError, ScorerError, JournalError, EvaluationResultsError,
 *   RevisionMismatchError, and the errors of a request.
 * @idempotence A call that was killed is continued by the next one with the same arguments: no case is asked twice.
 * @contract Section 1, the groups Threads and Thread Runs; the paths are those of public servers.
 */
export async function evaluate(
  evaluation: Evaluation,
  options?: UploadOptions<EvaluationEvent>,
): Promise<EvaluationSummary> {
  return await (await import("./evaluate.ts")).evaluate(evaluation, options);
}

/**
 * Scores the answers of an earlier evaluation again, and replaces its results. It asks no agent and sends nothing.
 * @throws ArgumentsError, which names every wrong argument; EvaluationError where a scorer broke, with the results written;
 *   ScorerError, and the error of a file without results.
 * @idempotence The same scorers give the same results, unless a command among them does not.
 * @contract Not in the contract.
 */
export async function rescore(evaluation: KeptEvaluation, options?: RescoreOptions): Promise<EvaluationSummary> {
  return await (await import("./evaluate.ts")).rescore(evaluation, options);
}
