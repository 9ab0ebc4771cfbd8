import type { Deployment, Revision } from "../contract/deployment.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { isRevisionStatus, type RevisionPhase, revisionStatusFact } from "../contract/revision-status.ts";
import { hasStatus, isTransient } from "../http/errors.ts";
import { poll, type PollResult } from "../http/poll.ts";
import type { DeployDeps } from "./deps.ts";
import { checkLatest, failureOf, findSuccessor, supersededBy, timedOut, unreadable } from "./ending.ts";
import { SupersededError } from "./errors.ts";
import { LAG_MILLISECONDS, type OurRevision, TOLERATED_LOOKS } from "./our-revision.ts";

// One read retries by itself; it ends before the next heartbeat is due, so that the log does not fall silent.
const LOOK_MILLISECONDS = 25_000;
// The last read before the timeout still gets a chance.
const SHORTEST_LOOK_MILLISECONDS = 1_000;

/** A revision that serves. */
export interface Live extends OurRevision {
  /** The agent's address; undefined if the service does not give one. */
  readonly url: string | undefined;
}

/** Waits until our revision is live; throws a DeployError for every other ending. */
export async function waitForRevision(ours: OurRevision, deps: DeployDeps): Promise<Live> {
  const result = await follow(ours, deps);
  if (!result.done) throw timedOut(ours, result.value?.status, result.elapsedMilliseconds);
  const ended = { ...ours, revision: result.value };
  const { status } = ended.revision;
  if (status === "SKIPPED") throw supersededBy(ended, await findSuccessor(ended, deps));
  if (!revisionStatusFact(status).succeeded) throw await failureOf(ended, result.elapsedMilliseconds, deps);
  const deployment = await checkLatest(ended, deps);
  return toLive({ ...ended, deployment }, deps);
}

/** Our revision as a live one, with the address in its deployment. */
export function toLive(ours: OurRevision, { emit }: DeployDeps): Live {
  const url = agentUrl(ours.deployment);
  emit({ type: "revision-live", deployment: ours.deployment, url });
  return { ...ours, url };
}

/** True for an ending that the request accepts. */
export function isAcceptedEnding(error: unknown, onSuperseded: "fail" | "succeed"): boolean {
  return error instanceof SupersededError && onSuperseded === "succeed";
}

async function follow(ours: OurRevision, deps: DeployDeps): Promise<PollResult<Revision>> {
  const { emit, clock, signal } = deps;
  const phases = new PhaseTimes();
  const start = clock.now();
  try {
    return await lookUntilItEnds(ours, phases, deps);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof GraphDeployError ? unreadable(ours, error) : error;
  } finally {
    const elapsedMilliseconds = clock.now() - start;
    for (const [step, milliseconds] of phases.end(elapsedMilliseconds)) {
      emit({ type: "step-ended", step, milliseconds });
    }
    emit({ type: "wait-ended", elapsedMilliseconds });
  }
}

async function lookUntilItEnds(ours: OurRevision, phases: PhaseTimes, deps: DeployDeps): Promise<PollResult<Revision>> {
  const { deployment, request } = ours;
  const { controlPlane, emit, clock, random, signal } = deps;
  const unknown = new Set<string>();
  // A new revision may be readable only after a moment; one that stays missing was deleted.
  let missingSince: number | undefined;
  const end = clock.now() + request.timeoutMilliseconds;
  // The revision was just read when it was found.
  let first: Revision | undefined = ours.revision;
  return await poll<Revision>({
    look: async () => {
      const known = first;
      first = undefined;
      const deadlineMilliseconds = lookMilliseconds(end - clock.now());
      const seen = known ?? (await controlPlane.revision(deployment.id, ours.revision.id, { deadlineMilliseconds }));
      missingSince = undefined;
      return seen;
    },
    stateOf: ({ status }) => status,
    isDone: ({ status }) => revisionStatusFact(status).terminal,
    onChange: (revision, elapsedMilliseconds) => {
      phases.enter(revision.status, elapsedMilliseconds);
      emit({ type: "revision-status", revision, elapsedMilliseconds });
      if (isRevisionStatus(revision.status) || unknown.has(revision.status)) return;
      unknown.add(revision.status);
      emit({ type: "warning", message: `Unknown status ${revision.status}; still waiting.` });
    },
    onHeartbeat: (revision, elapsedMilliseconds) => {
      emit({ type: "revision-heartbeat", status: revision?.status, elapsedMilliseconds });
    },
    isTransient: (error) => {
      if (!hasStatus(error, 404)) return isTransient(error);
      missingSince ??= clock.now();
      return clock.now() - missingSince < LAG_MILLISECONDS;
    },
    onTransient: (error) => {
      emit({ type: "look-failed", message: error instanceof Error ? error.message : String(error) });
    },
    tolerated: TOLERATED_LOOKS,
    timeoutMilliseconds: request.timeoutMilliseconds,
    capMilliseconds: request.pollCapMilliseconds,
    clock,
    random,
    signal,
  });
}

function lookMilliseconds(left: number): number {
  return Math.min(Math.max(left, SHORTEST_LOOK_MILLISECONDS), LOOK_MILLISECONDS);
}

/**
 * The agent's address; undefined if the service does not give one. Services differ in the field: `url` or
 * `source_config.custom_url`. A user name and a password are left out, because the address is printed.
 */
export function agentUrl({ url, source_config }: Deployment): string | undefined {
  return webAddress(url) ?? webAddress(source_config?.custom_url);
}

// Later steps of a job open it, so only web addresses count.
function webAddress(text: string | null | undefined): string | undefined {
  if (text == null || !/^https?:\/\/\S+$/.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null) return undefined;
  if (url.username === "" && url.password === "") return text;
  url.username = "";
  url.password = "";
  return url.href.replace(/\/$/, "");
}

type Waiting = Exclude<RevisionPhase, "end">;

/** Adds up how long a revision spends in each phase, milliseconds. */
class PhaseTimes {
  readonly #times = new Map<Waiting, number>();
  #phase: RevisionPhase = "end";
  #since = 0;

  enter(status: string, at: number): void {
    this.#close(at);
    this.#phase = revisionStatusFact(status).phase;
    this.#since = at;
  }

  end(at: number): ReadonlyMap<Waiting, number> {
    this.#close(at);
    this.#phase = "end";
    return this.#times;
  }

  #close(at: number): void {
    if (this.#phase === "end") return;
    this.#times.set(this.#phase, (this.#times.get(this.#phase) ?? 0) + at - this.#since);
  }
}
