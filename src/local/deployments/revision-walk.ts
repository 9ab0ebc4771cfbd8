import { setImmediate as tick, setTimeout as sleep } from "node:timers/promises";
import { revisionStatusFact, type RevisionStatus, type UnsuccessfulEnd } from "../../contract/revision-status.ts";
import type { Source, RevisionConfigInput } from "../../contract/source.ts";
import type { DeploymentRow } from "../state/deployment-store.ts";
import type { LogLevel, LogStore } from "../state/log-store.ts";
import type { RevisionFate, RevisionFates } from "../faults/revision-fate.ts";
import { isUnfinished, type RevisionRow, type RevisionStore } from "../state/revision-store.ts";

/** The work behind the statuses of a walk. */
export interface WalkSteps {
  /** False if the build fails. */
  build(revision: RevisionRow, source: Source, signal: AbortSignal): Promise<boolean>;
  /** Starts the deployment's agent server. Returns why that failed; undefined if it runs. */
  deploy(revision: RevisionRow, source: Source, signal: AbortSignal): Promise<string | undefined>;
  /** Makes this revision serve. */
  activate(revision: RevisionRow): void;
  /** After every walk: stops what was started for a revision that does not serve. */
  leave(revisionId: string): Promise<void>;
}

export interface WalkerOptions {
  readonly revisions: RevisionStore;
  readonly logs: LogStore;
  readonly fates: RevisionFates;
  readonly steps: WalkSteps;
  /** The time from the first status to the last. */
  readonly walkMilliseconds: number;
  readonly log: (line: string) => void;
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
}

/** Takes revisions through their statuses. A waiting revision is skipped as soon as a newer one is created. */
export class RevisionWalker {
  readonly #options: WalkerOptions;
  readonly #lanes = new Map<string, Lane>();
  readonly #walks = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(options: WalkerOptions) {
    this.#options = options;
  }

  /** Begins the walk of a new revision. */
  start(revision: RevisionRow, deployment: DeploymentRow): void {
    const lane = this.#lane(deployment.id);
    for (const [id, { turn }] of lane.waiting) {
      const skipped = this.#options.revisions.get(id);
      if (skipped !== undefined) this.#end(skipped, deployment, "SKIPPED");
      turn.resolve(false);
    }
    lane.waiting.clear();
    // The placeholder of a create without a source takes no fate: it cannot fail.
    const fate = hasSource(deployment.source, revision.config) ? this.#options.fates.take() : {};
    this.#enter(revision, deployment, planWalk(deployment.source, fate), fate);
  }

  /** Continues a revision that a restart interrupted; call it for the oldest first. */
  resume(revision: RevisionRow, deployment: DeploymentRow): void {
    const plan = planWalk(deployment.source);
    this.#enter(revision, deployment, plan.slice(Math.max(0, plan.indexOf(revision.status))), {});
  }

  /** Stops all walks at their current status. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#options.fates.release();
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
    const ready = hasSource(deployment.source, revision.config);
    if (ready && lane.running === undefined) {
      lane.running = revision.id;
      turn.resolve(true);
    } else lane.waiting.set(revision.id, { ready, turn });
    const built = fate.walk === undefined && fate.end === "BUILD_FAILED";
    const walk: Walk = { id: revision.id, deployment, plan, fate, turn: turn.promise, built, rolledOut: false };
    const walked = this.#run(walk).finally(() => this.#walks.delete(walked));
    this.#walks.add(walked);
  }

  async #run(walk: Walk): Promise<void> {
    try {
      await this.#steps(walk);
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#options.log(`${walk.deployment.name}: revision ${walk.id} failed: ${String(error)}`);
      const revision = this.#current(walk.id);
      if (revision !== undefined)
        this.#end(revision, walk.deployment, "INTERRUPTED", "Internal error of the local service.");
    }
    await this.#options.steps.leave(walk.id);
    this.#next(walk);
  }

  async #steps(walk: Walk): Promise<void> {
    const last = walk.plan.at(-1) ?? "DEPLOYED";
    for (const status of walk.plan.slice(0, -1)) {
      const revision = this.#current(walk.id);
      if (revision === undefined) return;
      this.#options.revisions.setStatus(revision, status, null);
      await this.#stay(walk, status);
      if (status === "QUEUED" && !(await walk.turn)) return;
      if (status === "BUILDING" && !(await this.#build(walk))) return;
      if (status === "DEPLOYING" && !(await this.#rollOut(walk))) return;
    }
    if (last === "DEPLOYED") {
      if (!(await this.#build(walk)) || !(await this.#rollOut(walk))) return;
    }
    const revision = this.#current(walk.id);
    if (revision !== undefined) this.#finish(walk, revision, last);
  }

  async #build(walk: Walk): Promise<boolean> {
    const revision = this.#current(walk.id);
    if (revision === undefined) return false;
    if (walk.built) return true;
    walk.built = await this.#options.steps.build(revision, walk.deployment.source, this.#closing.signal);
    const current = this.#current(walk.id);
    if (!walk.built && current !== undefined) this.#end(current, walk.deployment, "BUILD_FAILED");
    return walk.built;
  }

  async #rollOut(walk: Walk): Promise<boolean> {
    const revision = this.#current(walk.id);
    if (revision === undefined) return false;
    if (walk.rolledOut) return true;
    const failure = await this.#options.steps.deploy(revision, walk.deployment.source, this.#closing.signal);
    walk.rolledOut = failure === undefined;
    const current = this.#current(walk.id);
    if (failure !== undefined && current !== undefined) this.#end(current, walk.deployment, "DEPLOY_FAILED", failure);
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
    const fact = revisionStatusFact(status);
    const statusMessage = message ?? (fact.terminal && !fact.succeeded ? fact.sentence : null);
    this.#options.revisions.setStatus(revision, status, statusMessage);
    this.#options.log(`${deployment.name}: revision ${revision.id} is ${status}`);
  }

  // At least one tick, so that each status can be observed.
  async #stay({ deployment, fate }: Walk, status: string): Promise<void> {
    const { signal } = this.#closing;
    // Taken before the wait: a caller may release as soon as it sees the status.
    const released = fate.hold === status ? this.#options.fates.released : undefined;
    const milliseconds = stayOf(status, deployment.source, this.#options.walkMilliseconds);
    await (milliseconds === 0 ? tick(undefined, { signal }) : sleep(milliseconds, undefined, { signal }));
    await released;
  }

  // Undefined if the revision was deleted or skipped, or the service is closing.
  #current(id: string): RevisionRow | undefined {
    const revision = this.#closing.signal.aborted ? undefined : this.#options.revisions.get(id);
    return revision !== undefined && isUnfinished(revision) ? revision : undefined;
  }

  #next({ id, deployment }: Walk): void {
    const lane = this.#lane(deployment.id);
    if (lane.running !== id) return;
    lane.running = undefined;
    const next = [...lane.waiting].find(([, { ready }]) => ready);
    if (next === undefined) return;
    lane.running = next[0];
    lane.waiting.delete(next[0]);
    next[1].turn.resolve(true);
  }
}

// The statuses of a revision that succeeds; an image has nothing to build.
const BUILD_AND_DEPLOY = ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING"];
const DEPLOY_ONLY = ["CREATING", "QUEUED", "AWAITING_DEPLOY", "DEPLOYING"];

const IMAGE_SOURCES: ReadonlySet<Source> = new Set<Source>(["external_docker", "internal_docker"]);

// The status after which a revision ends in another way than DEPLOYED.
const ENDS_AFTER = {
  CREATE_FAILED: "CREATING",
  SKIPPED: "QUEUED",
  BUILD_FAILED: "BUILDING",
  INTERRUPTED: "BUILDING",
  DEPLOY_FAILED: "DEPLOYING",
} as const satisfies Readonly<Record<UnsuccessfulEnd, RevisionStatus>>;

// How long a status lasts, relative to the others.
const SHARES: Readonly<Record<string, number>> = { BUILDING: 4, DEPLOYING: 2 };

/** All statuses of a revision, including the last. */
function planWalk(source: Source, fate: RevisionFate = {}): readonly string[] {
  if (fate.walk !== undefined && fate.walk.length > 0) return fate.walk;
  const statuses = IMAGE_SOURCES.has(source) ? DEPLOY_ONLY : BUILD_AND_DEPLOY;
  const { end = "DEPLOYED" } = fate;
  const after = statuses.indexOf(isUnsuccessful(end) ? ENDS_AFTER[end] : "DEPLOYING");
  return [...statuses.slice(0, after === -1 ? statuses.length : after + 1), end];
}

function isUnsuccessful(status: string): status is UnsuccessfulEnd {
  return Object.hasOwn(ENDS_AFTER, status);
}

/** How long a status lasts, milliseconds; all statuses of a successful walk take `total`. */
function stayOf(status: string, source: Source, total: number): number {
  const statuses = IMAGE_SOURCES.has(source) ? DEPLOY_ONLY : BUILD_AND_DEPLOY;
  const shares = statuses.reduce((sum, step) => sum + (SHARES[step] ?? 1), 0);
  return (total * (SHARES[status] ?? 1)) / shares;
}

/** Without a source there is nothing to build or to roll out: the revision waits for the update that brings it. */
function hasSource(source: Source, config: RevisionConfigInput): boolean {
  if (source === "internal_source") return config.source_tarball_path != null;
  return source !== "external_docker" || config.image_uri != null;
}
