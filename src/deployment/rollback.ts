import type { Deployment, Revision } from "../contract/deployment.ts";
import { readImageReference } from "../contract/image.ts";
import type { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { revisionStatusFact } from "../contract/revision-status.ts";
import { REVISION_CONFIG_FIELDS, type RevisionConfigInput, type Source } from "../contract/source.ts";
import { isSameId } from "../contract/uuid.ts";
import { EndlessListError, hasStatus, isMissingEndpoint } from "../http/errors.ts";
import { quoted } from "../text/quoted.ts";
import type { DeployDeps } from "./deps.ts";
import { PlanError } from "./errors.ts";
import { PREVIOUS } from "./request.ts";

// 1,000 revisions at the usual size of a page: a caller who goes back further knows the id.
const MOST_PAGES = 10;

/** A revision that was live, and what a new revision of its source is made from. */
export interface Earlier {
  readonly revision: Revision;
  readonly source: Source;
  readonly config: RevisionConfigInput;
}

/** The revision to go back to, by its id or PREVIOUS. Throws a PlanError if its source cannot be deployed again. */
export async function findEarlier(wanted: string, deployment: Deployment, deps: DeployDeps): Promise<Earlier> {
  const { id, active_revision_id: serving } = deployment;
  const revision = await read(wanted === PREVIOUS ? await previousOf(deployment, deps) : wanted, id, deps);
  const { status } = revision;
  if (isSameId(revision.id, serving)) throw wrong(`Revision ${revision.id} of deployment ${id} is already live.`);
  if (!isLive(revision)) throw wrong(`Revision ${revision.id} of deployment ${id} is ${status}, not DEPLOYED.`);
  const earlier = { revision, ...sourceOf(revision) };
  deps.emit({ type: "rollback", revision, from: serving ?? undefined });
  const { image_uri: image } = earlier.config;
  if (image != null && readImageReference(image).digest === undefined) {
    const message = `Image ${quoted(image)} has no digest: it may no longer be the image of revision ${revision.id}.`;
    deps.emit({ type: "warning", message });
  }
  return earlier;
}

async function previousOf(deployment: Deployment, { controlPlane }: DeployDeps): Promise<string> {
  const { id, active_revision_id: serving } = deployment;
  const none = `Deployment ${id} has no earlier revision that was DEPLOYED from another source`;
  try {
    const previous = await findPrevious(controlPlane.revisions(id, { mostPages: MOST_PAGES }), serving ?? undefined);
    if (previous === undefined) throw wrong(`${none}.`);
    return previous.id;
  } catch (error) {
    if (error instanceof EndlessListError) throw wrong(`${none} among its newest revisions.`, error);
    if (!isMissingEndpoint(error)) throw error;
    throw wrong(`This service cannot list revisions, so the previous one of deployment ${id} is not known.`, error);
  }
}

/**
 * The newest of these revisions, newest first, that was live before the one that serves and was made from something else.
 * Without the id of the one that serves, it is the newest that was live.
 */
export async function findPrevious(
  revisions: AsyncIterable<Revision>,
  serving: string | undefined,
): Promise<Revision | undefined> {
  let now: Revision | undefined;
  for await (const revision of revisions) {
    if (now !== undefined && isLive(revision) && !hasSameSource(revision, now)) return revision;
    if (serving === undefined ? isLive(revision) : isSameId(revision.id, serving)) now ??= revision;
  }
  return undefined;
}

function isLive({ status }: Revision): boolean {
  return revisionStatusFact(status).succeeded;
}

// A branch may be another commit in each revision.
function hasSameSource(
  { source_revision_config: one }: Revision,
  { source_revision_config: other }: Revision,
): boolean {
  if (one == null || other == null) return false;
  return [...REVISION_CONFIG_FIELDS, "repo_commit_sha" as const].every(
    (field) => (one[field] ?? undefined) === (other[field] ?? undefined),
  );
}

async function read(revisionId: string, id: string, { controlPlane }: DeployDeps): Promise<Revision> {
  try {
    return await controlPlane.revision(id, revisionId);
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
    throw wrong(`Deployment ${id} has no revision ${revisionId}.`, error);
  }
}

/** What a new revision of the same source is made from. */
function sourceOf({ id, source = "", source_revision_config: config }: Revision): Omit<Earlier, "revision"> {
  const { image_uri, source_tarball_path, graph_config_path, repo_ref, repo_commit_sha: commit } = config ?? {};
  if (image_uri != null) return { source: "external_docker", config: { image_uri } };
  const path = graph_config_path == null ? {} : { graph_config_path };
  if (source_tarball_path != null) return { source: "internal_source", config: { source_tarball_path, ...path } };
  if (repo_ref?.startsWith("refs/tags/") === true) return { source: "github", config: { repo_ref, ...path } };
  if (repo_ref == null) {
    const what = source === "" ? "" : `, whose source is ${quoted(source)},`;
    throw wrong(`The service does not say what revision ${id}${what} was made from.`);
  }
  const which = commit == null ? "an earlier commit" : `commit ${quoted(commit)}`;
  throw new PlanError(
    `Revision ${id} was built from branch ${quoted(repo_ref)}; the service builds the head of a branch, not ${which}.`,
    { advice: "Revert the change on the branch and deploy that, or deploy a tag of the earlier commit." },
  );
}

function wrong(message: string, cause?: GraphDeployError): PlanError {
  return new PlanError(message, { cause, reasons: ["ROLLBACK_REVISION"] });
}
