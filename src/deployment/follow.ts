import type { Deployment, Revision } from "../contract/deployment.ts";
import { hasStatus } from "../http/errors.ts";
import { durationText } from "../text/duration.ts";
import type { DeployDeps, TimedDeps } from "./deps.ts";
import { PlanError } from "./errors.ts";
import { findExisting, nameOf } from "./target.ts";
import { readPastLag } from "./read-patience.ts";
import type { FollowRequest } from "./request.ts";
import { runToEnd } from "./run.ts";
import { planSmokeRun } from "./smoke-plan.ts";
import { type DeployResult, seeThrough, takeUp } from "./wait.ts";

/** Waits for a revision that exists already; writes nothing. Throws like `deploy`. */
export async function follow(request: FollowRequest, deps: DeployDeps): Promise<DeployResult> {
  return await runToEnd(request.timeoutMilliseconds, deps, async (watched, reached) => {
    const smokeRun = planSmokeRun(request.smokeRun, undefined);
    const deployment = await findExisting(request.target, watched);
    const revision = await readRevision(request, deployment, watched);
    const name = nameOf(request.target, deployment);
    const begun = takeUp({ request, name, deployment, revision, graphs: undefined, smokeRun }, watched);
    reached.begun = begun;
    return await seeThrough(begun, { mustWait: true, proof: request.smokeTest ? "full" : undefined }, watched);
  });
}

async function readRevision(request: FollowRequest, deployment: Deployment, deps: TimedDeps): Promise<Revision> {
  const { id, latest_revision_id: latest } = deployment;
  const { revisionId } = request;
  const start = deps.clock.now();
  try {
    // Another step may have made it a moment ago.
    const look = () => deps.controlPlane.revision(id, revisionId);
    return await readPastLag({ look, isDone: () => true, patience: request }, deps);
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
    const looked = `It was looked for over ${durationText(deps.clock.now() - start)}, since it may have just been made`;
    const known = latest == null ? "" : `; the latest revision is ${latest}`;
    throw new PlanError(`Deployment ${id} has no revision ${revisionId}. ${looked}${known}.`, {
      cause: error,
      deploymentId: id,
      reasons: ["REVISION_NOT_FOUND"],
    });
  }
}
