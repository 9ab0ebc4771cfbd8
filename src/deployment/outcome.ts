/** How a deploy ended: the output `outcome` of the action. */
export const OUTCOMES = [
  "deployed",
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
