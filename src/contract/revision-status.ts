import type { LogKind } from "./deployment.ts";

/** The status of a revision, as the service spells it. */
export const REVISION_STATUSES = [
  "CREATING",
  "QUEUED",
  "AWAITING_BUILD",
  "BUILDING",
  "AWAITING_DEPLOY",
  "DEPLOYING",
  "CREATE_FAILED",
  "BUILD_FAILED",
  "DEPLOY_FAILED",
  "DEPLOYED",
  "SKIPPED",
  "INTERRUPTED",
  "UNKNOWN",
] as const;

/** One of these statuses. */
export type RevisionStatus = (typeof REVISION_STATUSES)[number];

/** The part of the way that a status belongs to; the job summary adds up the time of each. */
export type RevisionPhase = "queue" | "build" | "deploy" | "end";

/** What is to be known about every status. */
export interface StatusFact {
  readonly phase: RevisionPhase;
  /** Nothing follows this status. */
  readonly terminal: boolean;
  readonly succeeded: boolean;
  /** What it means, for a person. */
  readonly sentence: string;
  /** What a person does about it; empty while there is nothing to do but wait. */
  readonly advice: string;
  /** How a deploy of the revision ends; undefined unless the revision ended without going live. */
  readonly outcome?: string | undefined;
  /** Which log shows why it ended so; undefined if none does. */
  readonly log?: LogKind | undefined;
}

/** The end of a revision that failed. */
export interface FailedFact extends StatusFact {
  readonly terminal: true;
  readonly succeeded: false;
  readonly outcome: "build-failed" | "deploy-failed" | "interrupted";
  readonly log: LogKind | undefined;
}

export type NoFailure<Rest> = StatusFact & Rest & { readonly log?: undefined };

/** What is to be known about a status: of one that fails, also the outcome and the log. */
export type RevisionStatusFact =
  | FailedFact
  | NoFailure<{ readonly terminal: false; readonly succeeded: false; readonly outcome?: undefined }>
  | NoFailure<{ readonly terminal: true; readonly succeeded: true; readonly outcome?: undefined }>
  | NoFailure<{ readonly terminal: true; readonly succeeded: false; readonly outcome: "superseded" }>;

const WAITING = { terminal: false, succeeded: false, advice: "" } as const;
const ENDED = { phase: "end", terminal: true, succeeded: false } as const;

const FACTS = {
  CREATING: { ...WAITING, phase: "queue", sentence: "The service prepares the revision." },
  QUEUED: {
    ...WAITING,
    phase: "queue",
    sentence: "The revision waits for an earlier revision of this deployment.",
    advice: "If an earlier revision hangs, interrupt it in the service; then this one starts.",
  },
  AWAITING_BUILD: { ...WAITING, phase: "build", sentence: "The revision waits for a builder." },
  BUILDING: { ...WAITING, phase: "build", sentence: "The image is being built." },
  AWAITING_DEPLOY: { ...WAITING, phase: "deploy", sentence: "The image is ready and waits to be rolled out." },
  DEPLOYING: { ...WAITING, phase: "deploy", sentence: "The revision is being rolled out." },
  CREATE_FAILED: {
    ...ENDED,
    outcome: "deploy-failed",
    log: "build",
    sentence: "The service could not prepare the revision.",
    advice: "Look at the deployment in the service (quota, database, name), then run again.",
  },
  BUILD_FAILED: {
    ...ENDED,
    outcome: "build-failed",
    log: "build",
    sentence: "The image could not be built.",
    advice: "Fix the build and run again.",
  },
  DEPLOY_FAILED: {
    ...ENDED,
    outcome: "deploy-failed",
    log: "deploy",
    sentence: "The image was built, but it did not start.",
    advice: "Look at the deploy log for what the agent printed when it started, then run again.",
  },
  DEPLOYED: { phase: "end", terminal: true, succeeded: true, sentence: "The revision is live.", advice: "" },
  SKIPPED: {
    ...ENDED,
    outcome: "superseded",
    sentence: "The service skipped the revision, because a newer one took its place.",
    advice: "To prevent this, let only one run deploy at a time.",
  },
  INTERRUPTED: {
    ...ENDED,
    outcome: "interrupted",
    log: undefined,
    sentence: "The revision was interrupted in the service.",
    advice: "Find out who interrupted it in the service, then run again.",
  },
  UNKNOWN: { ...WAITING, phase: "queue", sentence: "The service does not know the state of the revision." },
} as const satisfies Readonly<Record<RevisionStatus, RevisionStatusFact>>;

/** A status in which a revision ends without going live. */
export type UnsuccessfulEnd = {
  [Status in RevisionStatus]: (typeof FACTS)[Status] extends { readonly outcome: string } ? Status : never;
}[RevisionStatus];

/** True for a status of the list above. */
export function isRevisionStatus(status: string): status is RevisionStatus {
  return Object.hasOwn(FACTS, status);
}

/** The fact of a status; one that is not in the list counts as UNKNOWN, which keeps a wait going. */
export function revisionStatusFact(status: string): RevisionStatusFact {
  return isRevisionStatus(status) ? FACTS[status] : FACTS.UNKNOWN;
}

/** True for a status that a revision stays in without being live. */
export function hasFailed(status: string): boolean {
  return revisionStatusFact(status).outcome !== undefined;
}
