import type { Deployment, Revision } from "../contract/deployment.ts";
import { hasStatus } from "../http/errors.ts";
import { quoted } from "../text/quoted.ts";
import type { DeployDeps } from "./deps.ts";
import { PlanError } from "./errors.ts";
import { lookPastLag, type OurRevision } from "./our-revision.ts";
import type { FollowRequest, Patience } from "./request.ts";
import { runToEnd } from "./run.ts";
import { checkSmokeRun } from "./smoke-run.ts";
import { findTarget, nameOf } from "./target.ts";
import { verify } from "./verify.ts";
import { isAcceptedEnding, waitForRevision } from "./wait.ts";

/** A revision that was begun, by this run or by an earlier one. */
export interface Begun extends OurRevision {
  readonly request: Patience;
  /** True when this run made the deployment. */
  readonly created: boolean;
}

/** How a deploy succeeded. */
export interface DeployResult {
  /** `superseded` only if the request accepts it. */
  readonly outcome: "deployed" | "started" | "superseded" | "unchanged";
  readonly deploymentId: string;
  readonly revisionId: string;
  readonly created: boolean;
  /** The agent's address, if the deploy waited for it and the service gives one. */
  readonly url: string | undefined;
}

/** The part of a result that each outcome has. */
export function idsOf({ deployment, revision, created }: Begun) {
  return { deploymentId: deployment.id, revisionId: revision.id, created };
}

/** Waits until a revision is live, then checks its agent: wait → verify. */
export async function seeThrough(begun: Begun, deps: DeployDeps): Promise<DeployResult> {
  const { request } = begun;
  try {
    const live = await waitForRevision(begun, deps);
    if (request.smokeTest) await verify(live, deps);
    return { ...idsOf(begun), outcome: "deployed", url: live.url };
  } catch (error) {
    if (!isAcceptedEnding(error, request.onSuperseded)) throw error;
    deps.emit({ type: "warning", message: error instanceof Error ? error.message : String(error) });
    return { ...idsOf(begun), outcome: "superseded", url: undefined };
  }
}

/** Waits for a revision that exists already; writes nothing. Throws like `deploy`. */
export async function follow(request: FollowRequest, deps: DeployDeps): Promise<DeployResult> {
  return await runToEnd(deps, async (watched, reached) => {
    checkSmokeRun(request.smokeRun, undefined);
    const deployment = await findExisting(request, watched);
    const revision = await readRevision(request, deployment, watched);
    const { id: revisionId, status } = revision;
    watched.emit({ type: "revision-started", deploymentId: deployment.id, revisionId, status, resumed: true });
    const name = nameOf(request.target, deployment);
    const begun = { request, name, existing: deployment, deployment, revision, graphs: undefined, created: false };
    reached.begun = begun;
    return await seeThrough(begun, watched);
  });
}

async function findExisting({ target }: FollowRequest, deps: DeployDeps): Promise<Deployment> {
  const deployment = await findTarget(target, deps);
  if (deployment === undefined) {
    throw new PlanError(`No deployment named ${quoted(nameOf(target, deployment))}.`, {
      reasons: ["NAME_NOT_FOUND"],
    });
  }
  deps.emit({ type: "deployment-found", deployment, page: deps.controlPlane.pageOf(deployment) });
  return deployment;
}

async function readRevision(request: FollowRequest, { id }: Deployment, deps: DeployDeps): Promise<Revision> {
  const { revisionId } = request;
  try {
    // Another step may have made it a moment ago.
    const look = () => deps.controlPlane.revision(id, revisionId);
    return await lookPastLag({ look, isDone: () => true, patience: request }, deps);
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
    throw new PlanError(`Deployment ${id} has no revision ${revisionId}.`, {
      cause: error,
      deploymentId: id,
      reasons: ["REVISION_NOT_FOUND"],
    });
  }
}
