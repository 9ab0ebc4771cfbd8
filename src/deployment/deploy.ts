import { apply, type Applied } from "./apply.ts";
import type { DeployDeps } from "./deps.ts";
import { CancelledError, outcomeOf } from "./errors.ts";
import type { Outcome } from "./outcome.ts";
import { makePlan, type Plan } from "./plan.ts";
import type { DeployRequest } from "./request.ts";
import { verify } from "./verify.ts";
import { isAcceptedEnding, waitForRevision } from "./wait.ts";

/** How a deploy that did not fail ended. */
export interface DeployResult {
  readonly outcome: Outcome;
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
  return await told(deps, async (reached) => {
    const plan = await makePlan(request, deps);
    reached.plan = plan;
    const applied = await apply(plan, deps).finally(() => plan.archive?.remove());
    reached.applied = applied;
    return await seeThrough(applied, deps);
  });
}

async function seeThrough(applied: Applied, deps: DeployDeps): Promise<DeployResult> {
  const { request } = applied.plan;
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

interface Reached {
  plan?: Plan;
  applied?: Applied;
}

/** Runs a deploy, tells how it ended, and says what goes on remotely when it was cancelled. */
export async function told<Result extends { readonly outcome: Outcome }>(
  { clock, emit, signal }: DeployDeps,
  work: (reached: Reached) => Promise<Result>,
): Promise<Result> {
  const start = clock.now();
  const reached: Reached = {};
  try {
    const result = await work(reached);
    emit({ type: "ended", outcome: result.outcome, milliseconds: clock.now() - start, error: undefined });
    return result;
  } catch (thrown) {
    const error = signal.aborted ? cancelled(reached) : thrown;
    emit({
      type: "ended",
      outcome: outcomeOf(error),
      milliseconds: clock.now() - start,
      error: error instanceof Error ? error : new Error(String(error)),
    });
    throw error;
  }
}

function cancelled({ plan, applied }: Reached): CancelledError {
  if (applied !== undefined) {
    const { deployment, revision } = applied;
    return new CancelledError(
      `${applied.plan.name}: the run was cancelled; revision ${revision.id} of deployment ${deployment.id} goes on remotely.`,
      {
        advice:
          "Interrupt the revision in the service if it must not go live; the next run updates the same deployment.",
      },
    );
  }
  const name = plan?.request.target.name ?? plan?.existing?.id;
  const what =
    plan === undefined ? "nothing was written" : `${name ?? "the deployment"} may have been created or updated`;
  return new CancelledError(`The run was cancelled; ${what}.`, {
    advice: plan === undefined ? undefined : "The next run picks up what is there.",
  });
}
