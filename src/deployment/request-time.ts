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

/** The same deps, whose requests to the control plane take no longer together than the limit. */
export function within(timeLimit: TimeLimit, deps: DeployDeps): DeployDeps {
  return { ...deps, timeLimit, controlPlane: deps.controlPlane.within(timeLimit) };
}

/** The same deps for what only reads, once all is written: no request outlives a deploy that is cancelled. */
export function reading(deps: DeployDeps): DeployDeps {
  return { ...deps, controlPlane: deps.controlPlane.until(deps.signal) };
}

/** Does what takes time on this machine only, which is not time of the requests. */
export async function besideRequests<Result>({ timeLimit }: DeployDeps, work: () => Promise<Result>): Promise<Result> {
  return await (timeLimit === undefined ? work() : timeLimit.without(work));
}
