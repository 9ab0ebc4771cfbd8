import type { Random } from "./text.ts";

/** What a revision goes through on its way to DEPLOYED: each status with the time at which it ends, milliseconds. */
export type StatusWalk = readonly { readonly status: string; readonly end: number }[];

// Shares of the whole, each taken a half to one and a half times: a build takes most of the time, and the rollout with
// its health checks most of the rest.
const SHARES = [
  ["CREATING", 0.02],
  ["QUEUED", 0.03],
  ["AWAITING_BUILD", 0.05],
  ["BUILDING", 0.55],
  ["AWAITING_DEPLOY", 0.03],
  ["DEPLOYING", 0.32],
] as const;

/** A walk that takes so long, a tenth more or less. */
export function statusWalk(milliseconds: number, random: Random): StatusWalk {
  const weights = SHARES.map(([status, share]) => ({ status, weight: share * (0.5 + random.fraction()) }));
  const sum = weights.reduce((total, { weight }) => total + weight, 0);
  const whole = milliseconds * (0.9 + 0.2 * random.fraction());
  let done = 0;
  return weights.map(({ status, weight }) => ({ status, end: ((done += weight) / sum) * whole }));
}

/** The status at a time of the walk. */
export function statusAt(walk: StatusWalk, milliseconds: number): string {
  return walk.find(({ end }) => milliseconds < end)?.status ?? "DEPLOYED";
}

/** When the walk reaches DEPLOYED. */
export function endOf(walk: StatusWalk): number {
  return walk.at(-1)?.end ?? 0;
}
