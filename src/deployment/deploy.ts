import { apply } from "./apply.ts";
import type { DeployDeps } from "./deps.ts";
import type { Emit } from "./events.ts";
import { lookAround, type Look } from "./look.ts";
import { makePlan } from "./plan.ts";
import type { Reached } from "./reached.ts";
import { recall, type Known } from "./recall.ts";
import { RecordKeeper } from "./record-keeper.ts";
import type { DeployRequest } from "./request.ts";
import { runToEnd } from "./run.ts";
import { idsOf, seeThrough, type Begun, type DeployResult } from "./see-through.ts";
import { verify, type Proof } from "./verify.ts";
import { toLive } from "./wait.ts";

/**
 * Deploys: look → plan → apply → wait → verify. With a record, a revision that an earlier run made of this very source
 * is taken up instead of a new one. Throws a GraphDeployError for every ending that is no success; what was created is
 * named in it and is picked up by the next deploy.
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
      if (known === undefined) return await deployNew(look, reached, kept);
      const proof: Proof = keeper?.hasPassed === true ? "health" : "full";
      return await takeUp({ ...look, known, proof }, reached, kept);
    } finally {
      keeper?.write();
    }
  });
}

async function deployNew(look: Look, reached: Reached, deps: DeployDeps): Promise<DeployResult> {
  const plan = await makePlan(look, deps);
  reached.plan = plan;
  // oxlint-disable-next-line typescript/no-misused-promises -- finally waits for what it returns.
  const applied = await apply(plan, deps).finally(() => plan.archive?.remove());
  reached.begun = applied;
  return look.request.wait ? await seeThrough(applied, deps) : notAwaited(applied);
}

/** Goes on with the revision of an earlier run; `proof` is what its agent is asked when it is live already. */
async function takeUp(
  { request, name, graphs, known, proof }: Look & { readonly known: Known; readonly proof: Proof },
  reached: Reached,
  deps: DeployDeps,
): Promise<DeployResult> {
  const { deployment, revision } = known;
  const begun = { request, name, existing: deployment, deployment, revision, graphs, created: false };
  reached.begun = begun;
  const { id: revisionId, status } = revision;
  deps.emit({ type: "revision-started", deploymentId: deployment.id, revisionId, status, resumed: true });
  if (known.verdict === "unchanged") {
    const live = toLive(begun, deps);
    // The run that made the revision may have failed at this very question, or not have asked it.
    if (request.wait && request.smokeTest) await verify(live, deps, proof);
    return { ...idsOf(begun), outcome: "unchanged", url: live.url };
  }
  return request.wait ? await seeThrough(begun, deps) : notAwaited(begun);
}

function notAwaited(begun: Begun): DeployResult {
  return { ...idsOf(begun), outcome: "started", url: undefined };
}
