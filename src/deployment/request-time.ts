import type { TimeLimit } from "../http/time-limit.ts";
import type { DeployDeps } from "./deps.ts";

/** The same deps, whose requests to the control plane take no longer together than the limit. */
export function within(timeLimit: TimeLimit, deps: DeployDeps): DeployDeps {
  return { ...deps, timeLimit, controlPlane: deps.controlPlane.within(timeLimit) };
}

/** Does what takes time on this machine only, which is not time of the requests. */
export async function besideRequests<Result>({ timeLimit }: DeployDeps, work: () => Promise<Result>): Promise<Result> {
  return await (timeLimit === undefined ? work() : timeLimit.without(work));
}
