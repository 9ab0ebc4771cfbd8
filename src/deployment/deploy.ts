import { apply, type Applied } from "./apply.ts";
import type { DeployDeps } from "./deps.ts";
import { makePlan } from "./plan.ts";
import type { DeployRequest } from "./request.ts";
import { runToEnd } from "./run.ts";
import { verify } from "./verify.ts";
import { isAcceptedEnding, waitForRevision } from "./wait.ts";

/** How a deploy that did not fail ended. */
export interface DeployResult {
  /** `superseded` only where the request declares that to be fine. */
  readonly outcome: "deployed" | "started" | "superseded";
  readonly deploymentId: string;
  readonly revisionId: string;
  readonly created: boolean;
  /** Where the agent answers, when it was waited for and the service says so. */
  readonly url: string | undefined;
}

/**
 * Deploys: plan → apply → wait → verify. Throws a GraphDeployError for every ending that is no success; what was
 * created is named in it and is picked up by the next deploy.
 */
export async function deploy(request: DeployRequest, deps: DeployDeps): Promise<DeployResult> {
  return await runToEnd(deps, async (watched, reached) => {
    const plan = await makePlan(request, watched);
    reached.plan = plan;
    const applied = await apply(plan, watched).finally(() => plan.archive?.remove());
    reached.applied = applied;
    return await seeThrough(applied, watched);
  });
}

async function seeThrough(applied: Applied, deps: DeployDeps): Promise<DeployResult> {
  const { request } = applied;
  const ids = { deploymentId: applied.deployment.id, revisionId: applied.revision.id, created: applied.created };
  if (!request.wait) return { ...ids, outcome: "started", url: undefined };
  try {
    const live = await waitForRevision(applied, deps);
    if (request.smokeTest) await verify(live, deps);
    return { ...ids, outcome: "deployed", url: live.url };
  } catch (error) {
    if (!isAcceptedEnding(error, request.onSuperseded)) throw error;
    deps.emit({ type: "warning", message: error instanceof Error ? error.message : String(error) });
    return { ...ids, outcome: "superseded", url: undefined };
  }
}
