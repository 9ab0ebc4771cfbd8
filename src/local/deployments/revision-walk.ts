import type { LogLevel } from "../../contract/deployment.ts";
import { setImmediate as tick, setTimeout as sleep } from "node:timers/promises";
import { revisionStatusFact } from "../../contract/revision-status.ts";
import type { DeploymentRow } from "../state/deployment-store.ts";
import { noRoom } from "../http/error.ts";
import type { RevisionFate } from "../faults/fates.ts";
import { hasSource, planWalk, stayOf } from "./walk-plan.ts";
import type { RevisionSteps } from "./revision-steps.ts";
import { isUnfinished, type RevisionRow } from "../state/revision-store.ts";
import type { Shared } from "../state/shared.ts";

export interface WalkerOptions extends Shared {
  readonly steps: RevisionSteps;
  /** The time from the first status to the last. */
  readonly walkMilliseconds: number;
}

/** The revisions of a deployment, which run one after the other, in order of creation. */
interface Lane {
  running: string | undefined;
  readonly waiting: Map<string, { readonly ready: boolean; readonly turn: PromiseWithResolvers<boolean> }>;
}

interface Walk {
  readonly id: string;
  readonly deployment: DeploymentRow;
  readonly plan: readonly string[];
  readonly fate: RevisionFate;
  readonly turn: Promise<boolean>;
  built: boolean;
  rolledOut: boolean;
  /** The last place in the plan that is stored; a full disk may stop it there, and its work must bear a repeat. */
  stored: number;
}

// How soon it looks again whether the disk has room.
const ROOM_MS = 500;

/** Takes revisions through their statuses. A waiting revision is skipped as soon as a newer one is created. */
export class RevisionWalker {
  readonly #options: WalkerOptions;
  readonly #lanes = new Map<string, Lane>();
  readonly #walks = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(options: WalkerOptions) {
    this.#options = options;
  }

  /**
   * Stores that the waiting revisions are skipped; call it in the transaction that stores the new one. What it returns
   * begins the walk of the new one; call that after the transaction.
   */
  add(revision: RevisionRow, deployment: DeploymentRow): () => void {
    const { faults, revisions } = this.#options;
    const lane = this.#lane(deployment.id);
    const skipped = [...lane.waiting.keys()].flatMap((id) => revisions.get(id) ?? []);
    for (const row of skipped) this.#store(row, "SKIPPED");
    return () => {
      for (const row of skipped) this.#tell(row, deployment, "SKIPPED");
      for (const { turn } of lane.waiting.values()) turn.resolve(false);
      lane.waiting.clear();
      // The placeholder of a create without a source takes no fate: it cannot fail.
      const fate = hasSource(deployment.source, revision.source_revision_config) ? faults.revisions.take() : {};
      this.#enter(revision, deployment, planWalk(deployment.source, fate), fate);
    };
  }

  /** Continues a revision that a restart interrupted; call it for the oldest first. */
  resume(revision: RevisionRow, deployment: DeploymentRow): void {
    const plan = planWalk(deployment.source);
    this.#enter(revision, deployment, plan.slice(Math.max(0, plan.indexOf(revision.status))), {});
  }

  /** Stops all walks at their current status. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#options.faults.revisions.release();
    for (const lane of this.#lanes.values()) for (const { turn } of lane.waiting.values()) turn.resolve(false);
    await Promise.all(this.#walks);
  }

  #lane(deploymentId: string): Lane {
    const lane = this.#lanes.get(deploymentId) ?? { running: undefined, waiting: new Map() };
    this.#lanes.set(deploymentId, lane);
    return lane;
  }

  #enter(revision: RevisionRow, deployment: DeploymentRow, plan: readonly string[], fate: RevisionFate): void {
    const lane = this.#lane(deployment.id);
    const turn = Promise.withResolvers<boolean>();
    const ready = hasSource(deployment.source, revision.source_revision_config);
    if (ready && lane.running === undefined) {
      lane.running = revision.id;
      turn.resolve(true);
    } else lane.waiting.set(revision.id, { ready, turn });
    const built = !fate.walk && fate.end === "BUILD_FAILED";
    const { id } = revision;
    const walk: Walk = { id, deployment, plan, fate, turn: turn.promise, built, rolledOut: false, stored: -1 };
    const walked = this.#run(walk).finally(() => this.#walks.delete(walked));
    this.#walks.add(walked);
  }

  async #run(walk: Walk): Promise<void> {
    let isBroken = false;
    let isTold = false;
    for (;;) {
      try {
        const broken = isBroken ? this.#current(walk.id) : undefined;
        if (broken) this.#end(broken, walk.deployment, "INTERRUPTED", "Internal error of the local service.");
        if (!isBroken) await this.#steps(walk);
        break;
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        const full = noRoom(error);
        const what = `${walk.deployment.name}: revision ${walk.id}`;
        if (full === "") {
          this.#options.log(`${what} failed: ${String(error)}`);
          if (isBroken) break;
          isBroken = true;
          continue;
        }
        // What is stored stays: it goes on from there when there is room, as it does after a restart.
        if (!isTold) this.#options.log(`${what} waits, because ${full}`);
        isTold = true;
        await sleep(ROOM_MS, undefined, { signal: this.#closing.signal }).catch(() => undefined);
      }
    }
    await this.#options.steps.leave(walk.id);
    this.#next(walk);
  }

  async #steps(walk: Walk): Promise<void> {
    const { plan } = walk;
    const last = plan.at(-1) ?? "DEPLOYED";
    for (let at = Math.max(0, walk.stored); at < plan.length - 1; at += 1) {
      const status = plan[at] ?? last;
      const revision = this.#current(walk.id);
      if (!revision) return;
      if (walk.stored < at) {
        this.#options.revisions.setStatus(revision, status, null);
        walk.stored = at;
        await this.#stay(walk, status);
      }
      if (status === "QUEUED" && !(await walk.turn)) return;
      if (status === "BUILDING" && !(await this.#build(walk))) return;
      if (status === "DEPLOYING" && !(await this.#rollOut(walk))) return;
    }
    if (last === "DEPLOYED" && !((await this.#build(walk)) && (await this.#rollOut(walk)))) return;
    const revision = this.#current(walk.id);
    if (revision) this.#finish(walk, revision, last);
  }

  async #build(walk: Walk): Promise<boolean> {
    const revision = this.#current(walk.id);
    if (!revision) return false;
    if (walk.built) return true;
    walk.built = await this.#options.steps.build(revision, this.#closing.signal);
    const current = this.#current(walk.id);
    if (!walk.built && current) this.#end(current, walk.deployment, "BUILD_FAILED");
    return walk.built;
  }

  async #rollOut(walk: Walk): Promise<boolean> {
    const revision = this.#current(walk.id);
    if (!revision) return false;
    if (walk.rolledOut) return true;
    const failure = await this.#options.steps.deploy(revision, this.#closing.signal);
    walk.rolledOut = failure === "";
    const current = this.#current(walk.id);
    if (failure !== "" && current) this.#end(current, walk.deployment, "DEPLOY_FAILED", failure);
    return walk.rolledOut;
  }

  #finish({ fate, deployment }: Walk, revision: RevisionRow, status: string): void {
    const { log: kind } = revisionStatusFact(status);
    const level: LogLevel = kind === undefined ? "INFO" : "ERROR";
    for (const line of fate.log ?? []) this.#options.logs.append(revision.id, kind ?? "build", level, line);
    if (status === "DEPLOYED") this.#options.steps.activate(revision);
    this.#end(revision, deployment, status, fate.message);
  }

  #end(revision: RevisionRow, deployment: DeploymentRow, status: string, message?: string): void {
    this.#store(revision, status, message);
    this.#tell(revision, deployment, status);
  }

  #store(revision: RevisionRow, status: string, message?: string): void {
    const fact = revisionStatusFact(status);
    const statusMessage = message ?? (fact.terminal && !fact.succeeded ? fact.sentence : null);
    this.#options.revisions.setStatus(revision, status, statusMessage);
  }

  #tell({ id }: RevisionRow, deployment: DeploymentRow, status: string): void {
    this.#options.log(`${deployment.name}: revision ${id} is ${status}`);
  }

  // At least one tick, so that each status can be observed.
  async #stay({ deployment, fate }: Walk, status: string): Promise<void> {
    const { signal } = this.#closing;
    // Taken before the wait: a caller may release as soon as it sees the status.
    const released = fate.hold === status ? this.#options.faults.revisions.released : undefined;
    const milliseconds = stayOf(status, deployment.source, this.#options.walkMilliseconds);
    await (milliseconds === 0 ? tick(undefined, { signal }) : sleep(milliseconds, undefined, { signal }));
    await released;
  }

  // Undefined if the revision was deleted or skipped, or the service is closing.
  #current(id: string): RevisionRow | undefined {
    const revision = this.#closing.signal.aborted ? undefined : this.#options.revisions.get(id);
    return revision && isUnfinished(revision) ? revision : undefined;
  }

  #next({ id, deployment }: Walk): void {
    const lane = this.#lane(deployment.id);
    if (lane.running !== id) return;
    lane.running = undefined;
    const next = [...lane.waiting].find(([, { ready }]) => ready);
    if (!next) return;
    lane.running = next[0];
    lane.waiting.delete(next[0]);
    next[1].turn.resolve(true);
  }
}
