import type { AgentServer } from "../agent-server/client.ts";
import type { Deployment } from "../contract/deployment.ts";
import type { ControlPlane } from "../control-plane/client.ts";
import type { Clock } from "../http/clock.ts";
import type { TimeLimit } from "../http/time-limit.ts";
import type { Emit } from "./events.ts";
import type { KnownSources } from "./known-sources.ts";

/** Runs one task at a time. */
export interface Turns {
  /**
   * Runs the task when all earlier ones have ended.
   * @throws What the task throws.
   * @idempotence Sends nothing by itself.
   */
  take<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** What the steps of a deploy work with. */
export interface DeployDeps {
  /** The client of the control plane. */
  readonly controlPlane: ControlPlane;
  /**
   * How long the requests of `controlPlane` may take together. Set by the workflows; the clients of the agent have times of
   * their own.
   */
  readonly timeLimit?: TimeLimit | undefined;
  /**
   * How long the service may be silent, from the first request without a response on, milliseconds; as long as there is
   * time when not given. Not for the wait for a revision.
   */
  readonly silenceMilliseconds?: number | undefined;
  /** A client of the agent server at this address. */
  readonly agentServer: (url: string) => AgentServer;
  /** The time; `systemClock` outside of tests. */
  readonly clock: Clock;
  /** Random numbers, which keep the runs of a matrix out of step; Math.random when not given. */
  readonly random?: (() => number) | undefined;
  /** An existing directory for the archive while it is sent. */
  readonly spoolDirectory: string;
  /** The queue for packing, in a process with many deploys: each pack takes memory and all processors. */
  readonly packing?: Turns | undefined;
  /** Cancels the deploy; a revision that the service has begun continues there. */
  readonly signal: AbortSignal;
  /** Called with each event, in order. */
  readonly emit: Emit;
  /**
   * Awaited once by a deploy, right before its first write to the control plane; not by one that writes nothing. If it
   * throws, nothing is written, and its error is that of the deploy.
   */
  readonly beforeFirstWrite?: (() => Promise<void>) | undefined;
  /**
   * Awaited for a deployment that appeared between our look and our create, right before it is updated. If it throws,
   * nothing is written to that, and its error is that of the deploy.
   */
  readonly checkAdopted?: ((deployment: Deployment) => Promise<void>) | undefined;
  /**
   * Awaited once the source is uploaded, to the path of its tarball, right before a revision is made of it; not by a deploy
   * that uploads nothing. If it throws, no revision is made, and its error is that of the deploy.
   */
  readonly afterUpload?: ((tarballPath: string) => Promise<void>) | undefined;
  /**
   * What other records than that of the request say of earlier revisions. Asked at most once, by a rollback to the previous
   * revision that cannot compare two sources; it should not throw.
   */
  readonly knownSources?: (() => Promise<KnownSources>) | undefined;
}

/** Deps whose requests to the control plane take no longer together than a limit. */
export interface TimedDeps extends DeployDeps {
  readonly timeLimit: TimeLimit;
}
