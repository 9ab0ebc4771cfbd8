import type { Deployment } from "../contract/deployment.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { parseInstant } from "../contract/instant.ts";
import { isSameId } from "../contract/uuid.ts";
import { NEWEST_PAGES } from "../control-plane/patch.ts";
import { EndlessListError, hasStatus, isMissingEndpoint } from "../http/errors.ts";
import type { DeployDeps } from "./deps.ts";
import { supersededBy, unreadable, type Successor } from "./ending.ts";
import { lookPastLag } from "./lag.ts";
import type { OurRevision } from "./our-revision.ts";

/** A deployment as it was read, and what that says of our revision. */
interface Look {
  readonly deployment: Deployment;
  /** Our revision is the latest. */
  readonly isOurs: boolean;
  /** The latest revision, when it is proved to be newer than ours. */
  readonly successor: Successor | undefined;
}

/**
 * The deployment whose latest revision is ours, which is live. Throws SupersededError when a newer one is proved to be
 * the latest. A read that lags behind names another one too: without proof it is read again, and then our revision's
 * own state counts, with a warning.
 */
export async function checkLatest(ours: OurRevision, deps: DeployDeps): Promise<Deployment> {
  const last = await lookPastLag(
    {
      look: () => lookAt(ours, deps),
      isDone: ({ isOurs, successor }) => isOurs || successor !== undefined,
      patience: ours.request,
    },
    deps,
  ).catch((error: unknown) => {
    deps.signal.throwIfAborted();
    throw error instanceof GraphDeployError ? unreadable(ours, error) : error;
  });
  if (last.successor !== undefined) throw supersededBy(ours, last.successor);
  if (!last.isOurs) deps.emit({ type: "warning", message: unproved(ours, last.deployment) });
  return last.deployment;
}

/** The revision that took the place of ours, for the message; undefined when none is proved to be newer. */
export async function findSuccessor(ours: OurRevision, deps: DeployDeps): Promise<Successor | undefined> {
  try {
    return (await lookAt(ours, deps)).successor;
  } catch {
    deps.signal.throwIfAborted();
    return undefined;
  }
}

async function lookAt(ours: OurRevision, deps: DeployDeps): Promise<Look> {
  const deployment = await deps.controlPlane.get(ours.deployment.id);
  const latest = deployment.latest_revision_id;
  const isOurs = isSameId(latest, ours.revision.id);
  const mayBeNewer = latest != null && !isOurs && !isSameId(latest, ours.before);
  return { deployment, isOurs, successor: mayBeNewer ? await asSuccessor(latest, ours, deps) : undefined };
}

async function asSuccessor(latest: string, ours: OurRevision, deps: DeployDeps): Promise<Successor | undefined> {
  const other = await readIfThere(latest, ours, deps);
  const [made, before] = [madeAt(other), madeAt(ours.revision)];
  const isNewer = made === before || made === undefined || before === undefined ? undefined : made > before;
  return (isNewer ?? (await standsAbove(latest, ours, deps))) ? (other ?? { id: latest }) : undefined;
}

async function readIfThere(id: string, { deployment }: OurRevision, { controlPlane }: DeployDeps) {
  try {
    return await controlPlane.revision(deployment.id, id);
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  }
}

function madeAt(revision: Successor | undefined): bigint | undefined {
  return parseInstant(revision?.created_at ?? "")?.microseconds;
}

/** True when the list of revisions, which has the newest first, has that one above ours. */
async function standsAbove(id: string, { deployment, revision, before }: OurRevision, { controlPlane }: DeployDeps) {
  let isSeen = false;
  try {
    for await (const listed of controlPlane.revisions(deployment.id, { mostPages: NEWEST_PAGES })) {
      if (isSameId(listed.id, revision.id)) return isSeen;
      // A list without ours lags behind, and shows nothing of what came after it.
      if (isSameId(listed.id, before)) return false;
      isSeen ||= isSameId(listed.id, id);
    }
  } catch (error) {
    if (!isMissingEndpoint(error) && !(error instanceof EndlessListError)) throw error;
  }
  return false;
}

function unproved({ name, revision }: OurRevision, { id, latest_revision_id: latest }: Deployment): string {
  const named = latest == null ? "no revision" : `revision ${latest}`;
  return (
    `${name}: revision ${revision.id} is DEPLOYED, but deployment ${id} still names ${named} as its latest. ` +
    "Nothing shows that it is newer, so this deploy counts as live; check the deployment in the service."
  );
}
