import type { Spelling } from "../contract/options.ts";

// What is said of a failure comes from its error.
type OutcomeFact = (AnyFact & { readonly success: false }) | SuccessFact;

interface AnyFact {
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

interface SuccessFact extends AnyFact {
  /** That of `superseded` only if the request accepts it. */
  readonly success: true;
  readonly title: (told: Told) => string;
  /** What else is to be known at once: items to stand behind the address and the revision, or a sentence in their place. */
  readonly lead: (told: Told) => string | readonly string[];
  /** The last line of a log; absent where it shows in another way how the run ended. */
  readonly done?: (told: Told) => string;
}

/** What the words of a success are made of; names as the reader writes them. */
export interface Told {
  readonly name: string;
  readonly took: string;
  readonly revisionId: string;
  /** The revision that a rollback went back to; empty for no rollback. */
  readonly rollbackTo: string;
  /** The deployment of a dry run, and what would become of it. */
  readonly deploymentId: string;
  readonly planned: string;
  readonly isUnlisted: boolean;
  /** Why there is no preview. */
  readonly notKept: string;
  readonly spelling: Spelling;
}

const BAD = { success: false, sign: "bad" } as const;
const IDLE = { success: true, sign: "neutral" } as const;
const THERE = { success: true, sign: "good", isThere: true } as const;
const NO_PREVIEW = { record: "inactive", lead: ({ notKept }: Told) => `There is no preview: ${notKept}.` } as const;

const FACTS = {
  deployed: {
    ...THERE,
    state: "live",
    record: "success",
    serves: "ours",
    title: ({ name, rollbackTo }) => `✅ ${name} is ${rollbackTo === "" ? "live" : "rolled back"}`,
    lead: ({ took }) => [`deployed in ${took}`],
    done: ({ name, took, rollbackTo }) =>
      `${name} is ${rollbackTo === "" ? "live" : `rolled back to revision ${rollbackTo}`} after ${took}`,
  },
  unchanged: {
    ...THERE,
    state: "unchanged",
    record: "success",
    serves: "ours",
    title: ({ name }) => `✅ ${name} is unchanged`,
    lead: ({ took }) => [`nothing to deploy, checked in ${took}`],
    done: ({ name, took, revisionId }) => `${name} is unchanged after ${took}: revision ${revisionId} is live`,
  },
  // It is still running in the service.
  started: {
    ...THERE,
    state: "started",
    record: "in_progress",
    title: ({ name }) => `✅ ${name}: revision started`,
    lead: ({ took }) => [`started after ${took}`, "this step did not wait for it"],
    done: ({ name, took, revisionId, spelling }) =>
      `started revision ${revisionId} of ${name} after ${took}; not waiting for it (\`${spelling("wait")}: false\`)`,
  },
  "dry-run": {
    ...IDLE,
    state: "dry run",
    record: undefined,
    title: ({ name, planned }) => `Dry run: ${name} would be ${planned}`,
    lead: ({ deploymentId, isUnlisted }) => {
      if (deploymentId !== "") return `Deployment \`${deploymentId}\`. Nothing was written.`;
      return `${isUnlisted ? "No list shows whether it exists already. " : ""}Nothing was written.`;
    },
  },
  skipped: {
    ...IDLE,
    ...NO_PREVIEW,
    state: "skipped",
    isQuiet: true,
    title: () => "No preview",
    done: () => "nothing was deployed",
  },
  removed: {
    ...NO_PREVIEW,
    success: true,
    sign: "gone",
    state: "removed",
    title: ({ name }) => `${name} was removed`,
    done: ({ name, took }) => `${name} was removed after ${took}`,
  },
  "build-failed": { ...BAD, state: "build failed", record: "failure", serves: "before" },
  "deploy-failed": { ...BAD, state: "deploy failed", record: "failure", serves: "before" },
  superseded: {
    success: true,
    sign: "warning",
    state: "superseded",
    record: "inactive",
    title: ({ name }) => `⚠️ ${name} was superseded`,
    lead: ({ took }) => [`after ${took}`, "a newer revision took its place"],
    done: ({ name, took, revisionId, spelling }) =>
      `${name}: revision ${revisionId} was superseded after ${took}, which ` +
      `\`${spelling("onSuperseded")}: succeed\` allows`,
  },
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
export const OUTCOMES: readonly Outcome[] = Object.keys(FACTS).filter((name): name is Outcome =>
  Object.hasOwn(FACTS, name),
);

/** The outcomes that are a success; `superseded` only if the request accepts it. */
export const SUCCESSES: readonly Success[] = OUTCOMES.filter((outcome) => isSuccess(outcome));

export function outcomeFact(outcome: Outcome): OutcomeFact {
  return FACTS[outcome];
}

export function isSuccess(outcome: Outcome): outcome is Success {
  return FACTS[outcome].success;
}
