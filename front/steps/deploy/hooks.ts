import type { DeployDeps } from "../../../src/deployment/deps.ts";
import type { DeployEvent } from "../../../src/deployment/events.ts";
import type { DeployRequest } from "../../../src/deployment/request.ts";

/** How a deploy has ended. */
export type Ended = Extract<DeployEvent, { type: "ended" }>;

/** Where the records on GitHub take part in a deploy. */
export interface Hooks extends Pick<DeployDeps, "beforeFirstWrite" | "knownSources"> {
  /** Awaited by a preview before it tidies up after its end: the record says how the deploy has ended by then. */
  readonly onEnd?: ((ended: Omit<Ended, "type">) => Promise<void>) | undefined;
}

/** What a deploy of the step works with. */
export interface StepDeps extends DeployDeps, Pick<Hooks, "onEnd"> {}

/** Deploys, in the place of `deploy`. */
export type DeployAs = (request: DeployRequest, deps: StepDeps) => Promise<unknown>;
