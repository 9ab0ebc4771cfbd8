import type { Deployment, Revision } from "../contract/deployment.ts";
import { isRevisionStatus, revisionStatusFact } from "../contract/revision-status.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { hasStatus, isTransient } from "../http/errors.ts";
import { poll, type PollResult } from "../http/poll.ts";
import type { Applied } from "./apply.ts";
import type { DeployDeps } from "./deps.ts";
import { failureOf, supersededBy, timedOut, unreadable } from "./ending.ts";
import { SupersededError } from "./errors.ts";
import { PhaseTimes } from "./phase-times.ts";

// One look retries by itself; a service that is down must not eat the whole wait.
const LOOK_MILLISECONDS = 60_000;

/** A revision that serves. */
export interface Live {
  readonly applied: Applied;
  readonly revision: Revision;
  /** The deployment as it is after the revision went live. */
  readonly deployment: Deployment;
  /** Where the agent answers; undefined when the service does not say. */
  readonly url: string | undefined;
}

/** Waits until our revision is live; throws a DeployError for every other ending. */
export async function waitForRevision(applied: Applied, deps: DeployDeps): Promise<Live> {
  const phases = new PhaseTimes();
  const result = await follow(applied, phases, deps);
  for (const [step, milliseconds] of phases.end(result.elapsedMilliseconds)) {
    deps.emit({ type: "step-ended", step, milliseconds });
  }
  if (!result.done) throw timedOut(applied, result.value?.status, result.elapsedMilliseconds);
  const revision = result.value;
  if (revision.status === "SKIPPED")
    throw supersededBy(applied, revision, await readDeployment(applied, deps), undefined);
  if (!revisionStatusFact(revision.status).succeeded) {
    throw await failureOf(applied, revision, result.elapsedMilliseconds, deps);
  }
  const deployment = await readDeployment(applied, deps);
  if (deployment.latest_revision_id !== revision.id) {
    throw supersededBy(applied, revision, deployment, await readLatest(deployment, deps));
  }
  const url = agentUrl(deployment);
  deps.emit({ type: "revision-live", deployment, url });
  return { applied, revision, deployment, url };
}

/** True for an ending that the user declared to be fine. */
export function isAcceptedEnding(error: unknown, onSuperseded: "fail" | "succeed"): boolean {
  return error instanceof SupersededError && onSuperseded === "succeed";
}

/** Where the agent answers: service.md leaves the field open, services name it `url` or `source_config.custom_url`. */
function agentUrl({ url, source_config }: Deployment): string | undefined {
  for (const candidate of [url, source_config?.custom_url]) if (candidate != null && candidate !== "") return candidate;
  return undefined;
}

async function follow(applied: Applied, phases: PhaseTimes, deps: DeployDeps): Promise<PollResult<Revision>> {
  const { deployment, plan } = applied;
  const { controlPlane, emit, clock, signal, random } = deps;
  const unknown = new Set<string>();
  // The first look was taken when the revision was found.
  let first: Revision | undefined = applied.revision;
  try {
    return await poll<Revision>({
      look: async () => {
        const known = first;
        first = undefined;
        return (
          known ??
          (await controlPlane.revision(deployment.id, applied.revision.id, { deadlineMilliseconds: LOOK_MILLISECONDS }))
        );
      },
      stateOf: ({ status }) => status,
      isDone: ({ status }) => revisionStatusFact(status).terminal,
      onChange: (revision, elapsedMilliseconds) => {
        phases.enter(revision.status, elapsedMilliseconds);
        emit({ type: "revision-status", revision, elapsedMilliseconds });
        if (isRevisionStatus(revision.status) || unknown.has(revision.status)) return;
        unknown.add(revision.status);
        emit({ type: "warning", message: `The status ${revision.status} is not known here; the wait goes on.` });
      },
      onHeartbeat: (revision, elapsedMilliseconds) => {
        emit({ type: "revision-heartbeat", status: revision?.status, elapsedMilliseconds });
      },
      // A revision may be readable a moment after it was made.
      isTransient: (error) => isTransient(error) || hasStatus(error, 404),
      onTransient: (error) => {
        emit({ type: "look-failed", message: error instanceof Error ? error.message : String(error) });
      },
      timeoutMilliseconds: plan.request.timeoutMilliseconds,
      capMilliseconds: plan.request.pollCapMilliseconds,
      clock,
      ...(random === undefined ? {} : { random }),
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof GraphDeployError ? unreadable(applied, error) : error;
  }
}

async function readDeployment(applied: Applied, { controlPlane, signal }: DeployDeps): Promise<Deployment> {
  try {
    return await controlPlane.get(applied.deployment.id);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof GraphDeployError ? unreadable(applied, error) : error;
  }
}

// Only for the message: who was it, and when.
async function readLatest({ id, latest_revision_id }: Deployment, { controlPlane, signal }: DeployDeps) {
  try {
    return latest_revision_id == null ? undefined : await controlPlane.revision(id, latest_revision_id);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
