import type { Revision } from "../contract/deployment.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { isRevisionStatus, type RevisionPhase, revisionStatusFact } from "../contract/revision-status.ts";
import { poll, type PollResult } from "../http/poll.ts";
import { TimeLimit } from "../http/time-limit.ts";
import type { DeployDeps } from "./deps.ts";
import { reading, within } from "./request-time.ts";
import { checkLive, unreadable } from "./ending.ts";
import { DeployError, SupersededError } from "./errors.ts";
import { findStanding, type OurRevision } from "./our-revision.ts";
import { ReadPatience } from "./read-patience.ts";
import type { Patience } from "./request.ts";
import { type Live, type Proof, toLive, verify } from "./verify.ts";

// One read retries by itself; it ends before the next heartbeat is due, so that the log does not fall silent.
const LOOK_MILLISECONDS = 25_000;
// The last read before the timeout still gets a chance.
const SHORTEST_LOOK_MILLISECONDS = 1_000;
// So do the few reads that a revision needs which goes live right before it.
const LAST_READS_MILLISECONDS = 5_000;

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

/** Takes up a revision that an earlier run began. */
export function takeUp(begun: Omit<Begun, "created" | "existing">, { emit, timeLimit }: DeployDeps): Begun {
  const { deployment, revision } = begun;
  const { id: revisionId, status } = revision;
  emit({ type: "revision-started", deploymentId: deployment.id, revisionId, status, resumed: true });
  return { ...begun, existing: deployment, created: false, timeLimit };
}

/** True for a revision that has ended without going live: nobody needs to wait to know how. */
export function hasEnded({ revision }: Pick<OurRevision, "revision">): boolean {
  const { terminal, succeeded } = revisionStatusFact(revision.status);
  return terminal && !succeeded;
}

/** What is left to do for a revision. */
interface Rest {
  /** False for a revision that was live before this run. */
  readonly mustWait: boolean;
  /** How its agent is checked; undefined if it is not. */
  readonly proof: Proof | undefined;
}

/** Waits until a revision is live, then checks its agent: wait → verify. */
export async function seeThrough(begun: Begun, { mustWait, proof }: Rest, deps: DeployDeps): Promise<DeployResult> {
  const { request, deployment, revision, created } = begun;
  const ids = { deploymentId: deployment.id, revisionId: revision.id, created };
  try {
    const live = mustWait ? await waitForRevision(begun, deps) : await toLive(begun, deps);
    if (proof !== undefined) await verify(live, proof, deps);
    return { ...ids, outcome: mustWait ? "deployed" : "unchanged", url: live.url };
  } catch (error) {
    if (!(error instanceof SupersededError) || request.onSuperseded === "fail") throw error;
    deps.emit({ type: "warning", message: error.message });
    return { ...ids, outcome: "superseded", url: undefined };
  }
}

/** Waits until our revision is live; throws a DeployError for every other ending. */
export async function waitForRevision(ours: OurRevision, given: DeployDeps): Promise<Live> {
  const deps = reading(given);
  const timeLimit = ours.timeLimit ?? new TimeLimit(deps.clock, ours.request.timeoutMilliseconds).begin();
  const result = await readable(ours, deps, async () => {
    const { emit, clock } = deps;
    const phases = new PhaseTimes();
    const start = clock.now();
    try {
      return await lookUntilItEnds(ours, { phases, limit: timeLimit }, deps);
    } finally {
      const elapsedMilliseconds = clock.now() - start;
      for (const [step, milliseconds] of phases.end(elapsedMilliseconds)) {
        emit({ type: "step-ended", step, milliseconds });
      }
      emit({ type: "wait-ended", elapsedMilliseconds });
    }
  });
  const ended = { ...ours, revision: result.value ?? ours.revision };
  const last = within(timeLimit.withAtLeast(LAST_READS_MILLISECONDS), deps);
  const live = await readable(ended, deps, async () => {
    const standing = await findStanding(ended, last);
    return { ...ended, deployment: await checkLive(ended, result, standing, last) };
  });
  return await toLive(live, last);
}

/** Throws a WaitError where our revision or its deployment cannot be read. */
async function readable<Value>(ours: OurRevision, deps: DeployDeps, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DeployError) throw error;
    deps.signal.throwIfAborted();
    throw error instanceof GraphDeployError ? unreadable(ours, error) : error;
  }
}

async function lookUntilItEnds(
  ours: OurRevision,
  { phases, limit }: { readonly phases: PhaseTimes; readonly limit: TimeLimit },
  deps: DeployDeps,
): Promise<PollResult<Revision>> {
  const { deployment, request, revision } = ours;
  const { emit, clock, random, signal } = deps;
  // Each look has a time of its own, as a part of this limit or right at its end.
  const controlPlane = deps.controlPlane.within(undefined);
  const unknown = new Set<string>();
  const patience = new ReadPatience(clock, { ids: [deployment.id, revision.id], hasRead: true });
  // The revision was just read when it was found.
  let first: Revision | undefined = revision;
  return await poll<Revision>({
    look: async () => {
      const known = first;
      first = undefined;
      const deadlineMilliseconds = Math.min(Math.max(limit.left(), SHORTEST_LOOK_MILLISECONDS), LOOK_MILLISECONDS);
      const seen = known ?? (await controlPlane.revision(deployment.id, revision.id, { deadlineMilliseconds }));
      patience.end();
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
    isTransient: (error) => patience.tolerates(error),
    onTransient: (error) => {
      emit({ type: "look-failed", message: error instanceof Error ? error.message : String(error) });
    },
    timeoutMilliseconds: limit.left(),
    capMilliseconds: request.pollCapMilliseconds,
    clock,
    random,
    signal,
  });
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
