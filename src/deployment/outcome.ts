/** How a deploy ended: the output `outcome` of the action. */
export const OUTCOMES = [
  "deployed",
  "unchanged",
  "started",
  "dry-run",
  "build-failed",
  "deploy-failed",
  "superseded",
  "interrupted",
  "timed-out",
  "cancelled",
  "failed",
] as const;

/** One of the outcomes. */
export type Outcome = (typeof OUTCOMES)[number];

/** The outcomes that are a success; `superseded` is one only where the request declares that to be fine. */
export const SUCCESSES = [
  "deployed",
  "unchanged",
  "started",
  "dry-run",
  "superseded",
] as const satisfies readonly Outcome[];

/** One of the successes. */
export type Success = (typeof SUCCESSES)[number];
