import { apply } from "./apply.ts";
import type { DeployDeps } from "./deps.ts";
import type { Emit } from "./events.ts";
import { type Begun, type DeployResult, idsOf, seeThrough } from "./follow.ts";
import { type Look, lookAround } from "./look.ts";
import { makePlan } from "./plan.ts";
import { type Known, recall } from "./recall.ts";
import { RecordKeeper } from "./record.ts";
import type { DeployRequest } from "./request.ts";
import { type Reached, runToEnd } from "./run.ts";
import { verify } from "./verify.ts";
import { toLive } from "./wait.ts";

/**
 * Deploys: look → plan → apply → wait → verify. With a record, continues with a revision that an earlier run made of the
 * same source. Throws a GraphDeployError unless the deploy succeeds; the error names what was created, and the next
 * deploy continues from there.
 */
export async function deploy(request: DeployRequest, deps: DeployDeps): Promise<DeployResult> {
  return await runToEnd(deps, async (watched, reached) => {
    const look = await lookAround(request, watched);
    const recollection = await recall(look, watched);
    const known = recollection === undefined || recollection.verdict === "new" ? undefined : recollection;
    const keeper = await RecordKeeper.of(look, known?.record, watched);
    const emit: Emit = (event) => {
      keeper?.note(event);
      watched.emit(event);
    };
    const kept = { ...watched, emit };
    try {
      const begun = known === undefined ? await begin(look, reached, kept) : resume(look, known, kept);
      reached.begun = begun;
      if (known?.verdict === "unchanged") {
        const live = toLive(begun, kept);
        // The run that made the revision may have failed its smoke test, or have left it out.
        if (request.wait && request.smokeTest) await verify(live, kept, keeper?.hasPassed === true ? "health" : "full");
        return { ...idsOf(begun), outcome: "unchanged", url: live.url };
      }
      return request.wait ? await seeThrough(begun, kept) : { ...idsOf(begun), outcome: "started", url: undefined };
    } finally {
      keeper?.write();
    }
  });
}

/** Starts a new revision: plan → apply. */
async function begin(look: Look, reached: Reached, deps: DeployDeps): Promise<Begun> {
  const plan = await makePlan(look, deps);
  reached.plan = plan;
  try {
    return await apply(plan, deps);
  } finally {
    await plan.archive?.remove();
  }
}

/** Continues with the revision of an earlier run. */
function resume({ request, name, graphs }: Look, { deployment, revision }: Known, { emit }: DeployDeps): Begun {
  const { id: revisionId, status } = revision;
  emit({ type: "revision-started", deploymentId: deployment.id, revisionId, status, resumed: true });
  return { request, name, existing: deployment, deployment, revision, graphs, created: false };
}
