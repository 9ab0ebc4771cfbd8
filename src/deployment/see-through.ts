import type { DeployDeps } from "./deps.ts";
import type { OurRevision } from "./our-revision.ts";
import type { Patience } from "./request.ts";
import { verify } from "./verify.ts";
import { isAcceptedEnding, waitForRevision } from "./wait.ts";

/** A revision that was begun, by this run or by an earlier one. */
export interface Begun extends OurRevision {
  readonly request: Patience;
  /** True when this run made the deployment. */
  readonly created: boolean;
}

/** How a deploy that did not fail ended. */
export interface DeployResult {
  /** `superseded` only where the request declares that to be fine. */
  readonly outcome: "deployed" | "started" | "superseded" | "unchanged";
  readonly deploymentId: string;
  readonly revisionId: string;
  readonly created: boolean;
  /** Where the agent answers, when it was waited for and the service says so. */
  readonly url: string | undefined;
}

/** What a result says of any revision that was begun. */
export function idsOf({ deployment, revision, created }: Begun) {
  return { deploymentId: deployment.id, revisionId: revision.id, created };
}

/** Waits until a revision is live and proves that it answers: wait → verify. */
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
