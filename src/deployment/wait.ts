import { messageOf } from "../text/reasons.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { isRevisionStatus, type RevisionPhase } from "../contract/revision-status.ts";
import { poll, type PollResult } from "../http/poll.ts";
import type { TimedDeps } from "./deps.ts";
import { checkLive, type Live, toLive, unreadable } from "./ending.ts";
import { DeployError, SupersededError } from "./errors.ts";
import { asSeen, findStanding, type OurRevision, type Seen } from "./our-revision.ts";
import { ReadPatience } from "./read-patience.ts";
import type { Patience } from "./request.ts";
import { reading, within } from "./run.ts";
import { type Proof, verify } from "./verify.ts";

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
export function takeUp(
  begun: Omit<Begun, "created" | "existing" | "timeLimit" | keyof Seen> & Pick<Seen, "revision">,
  { emit, timeLimit }: TimedDeps,
): Begun {
  const { deployment, revision } = begun;
  const { id: revisionId, status } = revision;
  emit({ type: "revision-started", deploymentId: deployment.id, revisionId, status, resumed: true });
  return { ...begun, ...asSeen(revision), existing: deployment, created: false, timeLimit };
}

/** What is left to do for a revision. */
interface Rest {
  /** False for a revision that was live before this run. */
  readonly mustWait: boolean;
  /** How its agent is checked; undefined if it is not. */
  readonly proof: Proof | undefined;
}

/** Waits until a revision is live, then checks its agent: wait → verify. */
export async function seeThrough(begun: Begun, { mustWait, proof }: Rest, deps: TimedDeps): Promise<DeployResult> {
  const { request, deployment, revision, created } = begun;
  const ids = { deploymentId: deployment.id, revisionId: revision.id, created };
  try {
    const live = await waitForRevision(begun, deps, mustWait);
    if (proof !== undefined) await verify(live, proof, deps);
    return { ...ids, outcome: mustWait ? "deployed" : "unchanged", url: live.url };
  } catch (error) {
    if (!(error instanceof SupersededError) || request.onSuperseded === "fail") throw error;
    deps.emit({ type: "warning", message: error.message });
    return { ...ids, outcome: "superseded", url: undefined };
  }
}

/** Waits until our revision is live, unless it is known to be; throws a DeployError for every other ending. */
export async function waitForRevision(begun: OurRevision, given: TimedDeps, mustWait = true): Promise<Live> {
  const deps = reading(given);
  let ours = begun;
  let last = deps;
  try {
    if (mustWait) {
      const result = await lookUntilItEnds(ours, deps);
      ours = { ...ours, ...result.value };
      last = within(ours.timeLimit.withAtLeast(LAST_READS_MILLISECONDS), deps);
      const standing = await findStanding(ours, last);
      ours = { ...ours, deployment: await checkLive(ours, result, standing, last) };
    }
  } catch (error) {
    if (error instanceof DeployError) throw error;
    deps.signal.throwIfAborted();
    throw error instanceof GraphDeployError ? unreadable(ours, error) : error;
  }
  return await toLive(ours, last);
}

async function lookUntilItEnds(ours: OurRevision, deps: TimedDeps): Promise<PollResult<Seen>> {
  const { deployment, request, revision, timeLimit } = ours;
  const { emit, clock, random, signal } = deps;
  // Each look has a time of its own, as a part of this limit or right at its end.
  const controlPlane = deps.controlPlane.within(undefined);
  const unknown = new Set<string>();
  const phases = new PhaseTimes();
  const patience = new ReadPatience(clock, { ids: [deployment.id, revision.id], hasRead: true });
  // The revision was just read when it was found.
  let first: Seen | undefined = ours;
  const start = clock.now();
  try {
    return await poll<Seen>({
      look: async () => {
        const known = first;
        first = undefined;
        if (known) return known;
        const deadlineMilliseconds = Math.min(
          Math.max(timeLimit.left(), SHORTEST_LOOK_MILLISECONDS),
          LOOK_MILLISECONDS,
        );
        const seen = await controlPlane.revision(deployment.id, revision.id, { deadlineMilliseconds });
        patience.end();
        return asSeen(seen);
      },
      stateOf: (seen) => seen.revision.status,
      isDone: (seen) => seen.fact.terminal,
      onChange: (seen, elapsedMilliseconds) => {
        const { status } = seen.revision;
        phases.enter(seen.fact.phase, elapsedMilliseconds);
        emit({ type: "revision-status", revision: seen.revision, elapsedMilliseconds });
        if (isRevisionStatus(status) || unknown.has(status)) return;
        unknown.add(status);
        emit({ type: "warning", message: `Unknown status ${status}; still waiting.` });
      },
      onHeartbeat: (seen, elapsedMilliseconds) => {
        emit({ type: "revision-heartbeat", status: seen?.revision.status, elapsedMilliseconds });
      },
      isTransient: (error) => patience.tolerates(error),
      onTransient: (error) => {
        emit({ type: "look-failed", message: messageOf(error) });
      },
      timeoutMilliseconds: timeLimit.left(),
      capMilliseconds: request.pollCapMilliseconds,
      clock,
      random,
      signal,
    });
  } finally {
    const elapsedMilliseconds = clock.now() - start;
    for (const [step, milliseconds] of phases.end(elapsedMilliseconds)) {
      emit({ type: "step-ended", step, milliseconds });
    }
    emit({ type: "wait-ended", elapsedMilliseconds });
  }
}

type Waiting = Exclude<RevisionPhase, "end">;

/** Adds up how long a revision spends in each phase, milliseconds. */
class PhaseTimes {
  readonly #times = new Map<Waiting, number>();
  #phase: RevisionPhase = "end";
  #since = 0;

  enter(phase: RevisionPhase, at: number): void {
    const before = this.#phase;
    if (before !== "end") this.#times.set(before, (this.#times.get(before) ?? 0) + at - this.#since);
    this.#phase = phase;
    this.#since = at;
  }

  end(at: number): ReadonlyMap<Waiting, number> {
    this.enter("end", at);
    return this.#times;
  }
}
