/** Where a revision stands on its way, as the service spells it. */
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

/** What is to be known about a status. */
export interface RevisionStatusFact {
  readonly phase: RevisionPhase;
  /** Nothing follows this status. */
  readonly terminal: boolean;
  readonly succeeded: boolean;
  /** What it means, for a person. */
  readonly sentence: string;
  /** What a person does about it; empty while there is nothing to do but wait. */
  readonly advice: string;
}

const WAITING = { terminal: false, succeeded: false, advice: "" } as const;
const FAILED = { phase: "end", terminal: true, succeeded: false } as const;

const FACTS: Readonly<Record<RevisionStatus, RevisionStatusFact>> = {
  CREATING: { ...WAITING, phase: "queue", sentence: "The service prepares the revision." },
  QUEUED: {
    ...WAITING,
    phase: "queue",
    sentence: "The revision waits for an earlier revision of this deployment.",
    advice: "If an earlier revision hangs, interrupt it in the service; this one starts then.",
  },
  AWAITING_BUILD: { ...WAITING, phase: "build", sentence: "The revision waits for a builder." },
  BUILDING: { ...WAITING, phase: "build", sentence: "The image is being built." },
  AWAITING_DEPLOY: { ...WAITING, phase: "deploy", sentence: "The image is ready and waits to be rolled out." },
  DEPLOYING: { ...WAITING, phase: "deploy", sentence: "The revision is being rolled out." },
  CREATE_FAILED: {
    ...FAILED,
    sentence: "The service could not prepare the revision.",
    advice: "Look at the deployment in the service (quota, database, name), then run again.",
  },
  BUILD_FAILED: {
    ...FAILED,
    sentence: "The image could not be built.",
    advice: "Fix the build and run again.",
  },
  DEPLOY_FAILED: {
    ...FAILED,
    sentence: "The image was built, but it did not start.",
    advice: "Look at the deploy log for what the agent printed when it started, then run again.",
  },
  DEPLOYED: { phase: "end", terminal: true, succeeded: true, sentence: "The revision is live.", advice: "" },
  SKIPPED: {
    ...FAILED,
    sentence: "The service skipped the revision, because a newer one took its place.",
    advice: "To prevent this, let only one run deploy at a time.",
  },
  INTERRUPTED: {
    ...FAILED,
    sentence: "The revision was interrupted in the service.",
    advice: "Find out who interrupted it in the service, then run again.",
  },
  UNKNOWN: { ...WAITING, phase: "queue", sentence: "The service does not know the state of the revision." },
};

/** True for a status of the list above. */
export function isRevisionStatus(status: string): status is RevisionStatus {
  return Object.hasOwn(FACTS, status);
}

/** The fact of a status; one that is not in the list counts as UNKNOWN, which keeps a wait going. */
export function revisionStatusFact(status: string): RevisionStatusFact {
  return isRevisionStatus(status) ? FACTS[status] : FACTS.UNKNOWN;
}
