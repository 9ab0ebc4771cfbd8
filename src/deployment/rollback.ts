import type { Deployment, Revision } from "../contract/deployment.ts";
import type { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { readImageReference } from "../contract/image.ts";
import { revisionStatusFact } from "../contract/revision-status.ts";
import type { RevisionConfigInput, Source } from "../contract/source.ts";
import { isSameId } from "../contract/uuid.ts";
import { EndlessListError, hasStatus, isMissingEndpoint, noneIf } from "../http/errors.ts";
import { quoted } from "../text/quoted.ts";
import type { DeployDeps } from "./deps.ts";
import { aboutChoice, PlanError, RollbackUnclearError } from "./errors.ts";
import { RevisionSources } from "./known-sources.ts";
import { isLive, PreviousSearch } from "./previous.ts";
import { type RecordReading, sourcesIn } from "./record.ts";
import { PREVIOUS } from "./options.ts";

// 1,000 revisions at the usual size of a page: a caller who goes back further knows the id.
const MOST_PAGES = 10;
// As many as a deploy record keeps: each revision of which a list says too little takes a request.
const MOST_READS = 20;

/** A revision that was live, and what a new revision of its source is made from. */
export interface Earlier {
  readonly revision: Revision;
  readonly source: Source;
  readonly config: RevisionConfigInput;
  /** The digest of an uploaded source, where a record has it. */
  readonly digest: string | undefined;
}

export interface RollbackFrom {
  readonly deployment: Deployment;
  /** The record of earlier deploys; undefined if none was requested. */
  readonly record: RecordReading | undefined;
}

/** The revision to go back to, by its id or PREVIOUS. Throws a PlanError if its source cannot be deployed again. */
export async function findEarlier(wanted: string, from: RollbackFrom, deps: DeployDeps): Promise<Earlier> {
  const { id, active_revision_id: serving } = from.deployment;
  const sources = new RevisionSources(sourcesIn(from.record));
  await tellOfNewer(from.deployment, wanted, deps);
  const named = wanted === PREVIOUS ? await previousOf(from, sources, deps) : wanted;
  const revision = await deps.controlPlane.revision(id, named).catch((error: unknown) => {
    throw hasStatus(error, 404) ? wrong(`Deployment ${id} has no revision ${named}.`, error) : error;
  });
  const { status } = revision;
  if (isSameId(revision.id, serving)) throw wrong(`Revision ${revision.id} of deployment ${id} is already live.`);
  if (!isLive(revision)) throw wrong(`Revision ${revision.id} of deployment ${id} is ${status}, not DEPLOYED.`);
  const earlier = { revision, digest: sources.digestOf(revision), ...sourceOf(revision) };
  deps.emit({ type: "rollback", revision, from: serving ?? undefined, digest: earlier.digest });
  const { image_uri: image } = earlier.config;
  if (image != null && readImageReference(image).digest === undefined) {
    const message = `Image ${quoted(image)} has no digest: it may no longer be the image of revision ${revision.id}.`;
    deps.emit({ type: "warning", message });
  }
  return earlier;
}

/** Says that a revision is on its way: what it will bring is nothing that a rollback knows of. */
async function tellOfNewer(
  { id, active_revision_id: serving, latest_revision_id: latest }: Deployment,
  wanted: string,
  { controlPlane, emit, signal }: DeployDeps,
): Promise<void> {
  if (latest == null || isSameId(latest, serving) || isSameId(latest, wanted)) return;
  try {
    const { status } = await controlPlane.revision(id, latest);
    if (revisionStatusFact(status).terminal) return;
    const what = `Revision ${latest} of deployment ${id} is newer than the one that serves, and still ${status}`;
    emit({ type: "warning", message: `${what}: the rollback leaves it out of account, and is made after it.` });
  } catch {
    // What cannot be read stops no rollback.
    signal.throwIfAborted();
  }
}

async function previousOf(from: RollbackFrom, sources: RevisionSources, deps: DeployDeps): Promise<string> {
  const { id } = from.deployment;
  const search = new PreviousSearch(from.deployment, sources);
  let reads = 0;
  let endless: EndlessListError | undefined;
  try {
    for await (const listed of deps.controlPlane.revisions(id, { mostPages: MOST_PAGES })) {
      const mustRead = search.mustRead(listed);
      if (mustRead) reads += 1;
      // What is not known cannot be passed over.
      if (reads > MOST_READS) break;
      // The list of revisions is not in the contract, and may say less of one than the read by its id.
      const read = mustRead ? await deps.controlPlane.revision(id, listed.id).catch(noneIf(404)) : undefined;
      const previous = search.take(read ?? listed);
      if (previous) return previous.id;
    }
  } catch (error) {
    if (error instanceof EndlessListError) endless = error;
    else if (!isMissingEndpoint(error)) throw error;
    else
      throw wrong(`This service cannot list revisions, so the previous one of deployment ${id} is not known.`, error);
  }
  if (search.unclear.length > 0 && deps.knownSources) {
    sources.learn(await deps.knownSources());
    const previous = search.find();
    if (previous) return previous.id;
  }
  if (search.unclear.length > 0) throw unclear(from, search, sources);
  const none = `Deployment ${id} has no earlier revision that was DEPLOYED from another source`;
  const isWhole = !endless && reads <= MOST_READS;
  throw isWhole ? wrong(`${none}.`) : wrong(`${none} among its newest revisions.`, endless);
}

/** Files are compared by their digests, everything else by what the service says of it, and one of these is not known. */
function unclear(
  { deployment: { id }, record }: RollbackFrom,
  search: PreviousSearch,
  sources: RevisionSources,
): RollbackUnclearError {
  const choices = search.newest.map((revision) => ({
    id: revision.id,
    madeAt: revision.created_at ?? undefined,
    commit: sources.commitOf(revision),
    serves: revision === search.serving,
  }));
  const ids = search.unclear.map((revision) => revision.id).join(" and ");
  const what = search.unclear.some((revision) => search.isArchive(revision))
    ? "no record has the digest of the files of"
    : "the service does not say the source of";
  const reason = !record?.record && record ? ` (${record.reason})` : "";
  const named = choices.map((choice) => `${choice.id}${aboutChoice(choice)}`).join("; ");
  return new RollbackUnclearError(
    `The previous source of deployment ${id} is not known, because ${what} revision ${ids}${reason}. The last that were DEPLOYED: ${named}.`,
    {
      deploymentId: id,
      choices,
      advice: "Nothing was written. Name the revision to go back to by its id.",
      reasons: ["ROLLBACK_UNCLEAR"],
    },
  );
}

/** What a new revision of the same source is made from. */
function sourceOf({ id, source = "", source_revision_config: config }: Revision): Pick<Earlier, "config" | "source"> {
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
