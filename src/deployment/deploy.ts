import { apply, checkOnlyAtEnd } from "./apply.ts";
import type { DeployDeps } from "./deps.ts";
import type { Emit } from "./events.ts";
import { lookAround } from "./look.ts";
import { makePlan } from "./plan.ts";
import { recall } from "./recall.ts";
import { keeperOf } from "./record-keeper.ts";
import type { DeployRequest } from "./request.ts";
import { runToEnd } from "./run.ts";
import { type Begun, type DeployResult, seeThrough, takeUp } from "./wait.ts";

/**
 * Deploys: look → recall → plan → apply → wait → verify. With a record, continues with a revision that an earlier run made of the
 * same source. Throws a GraphDeployError unless the deploy succeeds; the error names what was created, and the next
 * deploy continues from there.
 */
export async function deploy(request: DeployRequest, deps: DeployDeps): Promise<DeployResult> {
  return await runToEnd(request.timeoutMilliseconds, deps, async (watched, reached) => {
    const look = await lookAround(request, watched);
    const recollection = await recall(look, watched);
    const known = !recollection || recollection.verdict === "new" ? undefined : recollection;
    const keeper = await keeperOf(look, known?.record, watched);
    const emit: Emit = (event) => {
      keeper?.note(event);
      watched.emit(event);
    };
    const kept = { ...watched, emit };
    try {
      const plan = await makePlan(look, known, kept);
      let begun: Begun;
      if (!known) {
        const beforeFirstWrite = async () => {
          await watched.beforeFirstWrite?.();
          watched.signal.throwIfAborted();
          reached.plan = plan;
        };
        begun = await apply(plan, { ...kept, beforeFirstWrite });
      } else {
        begun = takeUp({ ...look, ...known }, kept);
      }
      reached.begun = begun;
      const mustWait = known?.verdict !== "unchanged";
      const { deployment, revision, created } = begun;
      // Nobody needs to wait to know how a revision ends that has ended without going live.
      if (mustWait && !request.wait && begun.fact.outcome === undefined) {
        return { outcome: "started", deploymentId: deployment.id, revisionId: revision.id, created, url: undefined };
      }
      // The run that made the revision may have failed its smoke test, or have left it out.
      const proof = mustWait || keeper?.hasPassed !== true ? "full" : "health";
      const rest = { mustWait, proof: request.wait && request.smokeTest ? proof : undefined } as const;
      const result = await seeThrough(begun, rest, kept);
      if (created && !look.unlisted) await checkOnlyAtEnd(deployment, look.name, kept);
      return result;
    } finally {
      keeper?.write();
    }
  });
}
