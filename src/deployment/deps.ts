import type { AgentServer } from "../agent-server/client.ts";
import type { ControlPlane } from "../control-plane/client.ts";
import type { Clock } from "../http/clock.ts";
import type { Emit } from "./events.ts";

/** Lets one piece of work go on at a time. */
export interface Turns {
  /** Does the work when all that came before has ended. */
  take<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** What the steps of a deploy work with. */
export interface DeployDeps {
  readonly controlPlane: ControlPlane;
  /** A client of the agent server at this address. */
  readonly agentServer: (url: string) => AgentServer;
  readonly clock: Clock;
  /** Chance, which keeps the runs of a matrix out of step; Math.random when not given. */
  readonly random?: (() => number) | undefined;
  /** An existing folder for the archive while it is sent. */
  readonly spoolDirectory: string;
  /** Where packing waits for its turn, in a process with many deploys: each pack takes memory and all processors. */
  readonly packing?: Turns | undefined;
  /** Ends the deploy here; what goes on remotely goes on. */
  readonly signal: AbortSignal;
  readonly emit: Emit;
}
