import type { DeployOptions, UploadOptions } from "./connection-options.ts";
import type { DeployProject } from "./deploy-project.ts";
import type { DeployDeps } from "./deployment/deps.ts";
import type { DryRunResult } from "./deployment/dry-run.ts";
import type { DeployEvent } from "./deployment/events.ts";
import type { DeployRequest, FollowRequest } from "./deployment/request.ts";
import type { DeployResult } from "./deployment/wait.ts";
import type { ExperimentEvent } from "./experiments/events.ts";
import type { PackOptions, SourceArchive } from "./source/archive/archive.ts";
import type { SourceRequest, SourceTree } from "./source/tree/tree.ts";
import type { Experiment } from "./given-experiment.ts";
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
 * The same for a complete request, with clients that the caller creates and closes.
 * @throws As above.
 * @idempotence As above.
 * @contract Sections 1, 3 and 4.1.
 */
export function deploy(request: DeployRequest, deps: DeployDeps): Promise<DeployResult>;
export async function deploy(
  given: DeployProject | DeployRequest,
  more?: DeployOptions<DeployEvent> | DeployDeps,
): Promise<DeployResult> {
  return await (await import("./deploy.ts")).deploy(given, more);
}

/**
 * Plans a deploy and reports what it would change; writes nothing.
 * @throws ArgumentsError before anything is sent, PlanError, and the errors of the source.
 * @idempotence It only reads, so it may be called again.
 * @contract Section 4.1.
 */
export async function dryRun(request: DeployRequest, deps: DeployDeps): Promise<DryRunResult> {
  return await (await import("./deploy.ts")).dryRun(request, deps);
}

/**
 * Waits for a revision that exists already; writes nothing.
 * @throws What `deploy` throws.
 * @idempotence It only reads, so it may be called again.
 * @contract Sections 3 and 4.1.
 */
export async function follow(request: FollowRequest, deps: DeployDeps): Promise<DeployResult> {
  return await (await import("./deploy.ts")).follow(request, deps);
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
 * Looks at an agent project and decides what its archive holds; writes nothing. Throws SourceFolderError or
 * GraphConfigError when there is no project, SourceTreeError with all that keeps it from being packed, and the reason
 * of the signal.
 * @idempotence Sends nothing, so it may be called again.
 */
export async function readSourceTree(request: SourceRequest): Promise<SourceTree> {
  return await (await import("./source/tree/tree.ts")).readSourceTree(request);
}

/**
 * Packs a tree into a `.tar.gz` whose bytes follow from the tree alone. Throws SourceTooLargeError, SourceChangedError,
 * SourceUnreadableError, SpoolError or the reason of the signal, and leaves nothing behind.
 * @idempotence Sends nothing; each call makes an archive with the same bytes.
 */
export async function packSource(tree: SourceTree, options: PackOptions): Promise<SourceArchive> {
  return await (await import("./source/archive/archive.ts")).packSource(tree, options);
}
