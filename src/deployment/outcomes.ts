/** What an outcome of a deploy means. */
interface OutcomeFact {
  /** It is a success; that of `superseded` only if the request accepts it. */
  readonly success: boolean;
  /** In a word or two. */
  readonly state: string;
  /** How it went, at a glance. */
  readonly sign: "bad" | "gone" | "good" | "neutral" | "warning";
  /** The state of a record of the deploy; undefined where there is nothing to record. */
  readonly record: "error" | "failure" | "in_progress" | "inactive" | "success" | undefined;
  /** What serves afterwards: the revision of this run or the one before it. Undefined where anything may. */
  readonly serves?: "before" | "ours";
  /** The deployment is there afterwards and has the source of this run. */
  readonly isThere?: boolean;
  /** What was reported of an earlier run is still true. */
  readonly isQuiet?: boolean;
}

const BAD = { success: false, sign: "bad" } as const;
const IDLE = { success: true, sign: "neutral" } as const;
const THERE = { success: true, sign: "good", isThere: true } as const;

const FACTS = {
  deployed: { ...THERE, state: "live", record: "success", serves: "ours" },
  unchanged: { ...THERE, state: "unchanged", record: "success", serves: "ours" },
  // It is still running in the service.
  started: { ...THERE, state: "started", record: "in_progress" },
  "dry-run": { ...IDLE, state: "dry run", record: undefined },
  skipped: { ...IDLE, state: "skipped", record: "inactive", isQuiet: true },
  removed: { success: true, sign: "gone", state: "removed", record: "inactive" },
  "build-failed": { ...BAD, state: "build failed", record: "failure", serves: "before" },
  "deploy-failed": { ...BAD, state: "deploy failed", record: "failure", serves: "before" },
  superseded: { success: true, sign: "warning", state: "superseded", record: "inactive" },
  interrupted: { ...BAD, state: "interrupted", record: "error", serves: "before" },
  "timed-out": { ...BAD, state: "timed out", record: "error" },
  cancelled: { ...BAD, state: "cancelled", record: "error" },
  failed: { ...BAD, state: "failed", record: "error" },
} as const satisfies Readonly<Record<string, OutcomeFact>>;

/** One of the outcomes. */
export type Outcome = keyof typeof FACTS;

/** One of the successes. */
export type Success = {
  [Name in Outcome]: (typeof FACTS)[Name]["success"] extends true ? Name : never;
}[Outcome];

/** How a deploy ended: the output `outcome` of the action. */
export const OUTCOMES: readonly Outcome[] = Object.keys(FACTS).filter((name) => isOutcome(name));

/** The outcomes that are a success; `superseded` only if the request accepts it. */
export const SUCCESSES: readonly Success[] = OUTCOMES.filter((outcome) => isSuccess(outcome));

/** What is to be known about an outcome. */
export function outcomeFact(outcome: Outcome): OutcomeFact {
  return FACTS[outcome];
}

/** True for the outcome of a success. */
export function isSuccess(outcome: Outcome): outcome is Success {
  return FACTS[outcome].success;
}

function isOutcome(name: string): name is Outcome {
  return Object.hasOwn(FACTS, name);
}
