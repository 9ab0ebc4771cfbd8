import { Silence } from "../http/silence.ts";
import { TimeLimit } from "../http/time-limit.ts";
import type { DeployDeps } from "./deps.ts";

/** A limit for the requests of an operation, which begins with the first of them. */
export function limitOf(
  milliseconds: number,
  { clock, silenceMilliseconds }: Pick<DeployDeps, "clock" | "silenceMilliseconds">,
): TimeLimit {
  const silence = silenceMilliseconds === undefined ? undefined : new Silence(clock, silenceMilliseconds);
  return new TimeLimit(clock, milliseconds, silence);
}

/** Deps whose requests to the control plane take no longer together than a limit. */
export interface TimedDeps extends DeployDeps {
  readonly timeLimit: TimeLimit;
}

/** The same deps within this limit. */
export function within(timeLimit: TimeLimit, deps: DeployDeps): TimedDeps {
  return { ...deps, timeLimit, controlPlane: deps.controlPlane.within(timeLimit) };
}

/** The same deps for what only reads, once all is written: no request outlives a deploy that is cancelled. */
export function reading(deps: TimedDeps): TimedDeps {
  return { ...deps, controlPlane: deps.controlPlane.until(deps.signal) };
}

/** Does what takes time on this machine only, which is not time of the requests. */
export async function besideRequests<Result>({ timeLimit }: TimedDeps, work: () => Promise<Result>): Promise<Result> {
  return await timeLimit.without(work);
}
