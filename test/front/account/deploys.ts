import { InputsError } from "../../../front/options/inputs-error.ts";
import type { DeployEvent } from "../../../src/deployment/events.ts";
import {
  ApplyError,
  CancelledError,
  RevisionFailedError,
  RollbackUnclearError,
  SupersededError,
  VerifyError,
  WaitTimeoutError,
} from "../../../src/deployment/errors.ts";
import {
  archive,
  beat,
  CREATED,
  DEPLOYMENT,
  deployment,
  ended,
  FOUND,
  NEW,
  PACKED,
  PAGE,
  REVISION,
  REVISION_BEFORE,
  REVISION_EARLIER,
  revision,
  seen,
  SOURCE_READ,
  STARTED,
  TO_LIVE,
  TRACE_PAGE,
  UPLOADED,
  URL_OF_AGENT,
  VERIFIED,
  VERIFIED_BY_A_RUN,
} from "./deploy-events.ts";

/** Whole deploys, as the workflow reports them. */
export const FIRST_DEPLOY: readonly DeployEvent[] = [
  SOURCE_READ,
  NEW,
  ...PACKED,
  CREATED,
  ...UPLOADED,
  ...TO_LIVE,
  ...VERIFIED,
  ended("deployed", 93),
];

/** A preview for which there is no pull request that may have one. */
export const NO_PREVIEW: readonly DeployEvent[] = [
  { type: "not-kept", reason: "pull request #7 comes from a fork" },
  ended("skipped", 0.3),
];

/** A preview that waits for a delete, and whose pull request is closed before it is live. */
export const TAKEN_AWAY: readonly DeployEvent[] = [
  { type: "delete-waiting", name: "support-agent", elapsedMilliseconds: 0 },
  { type: "delete-waiting", name: "support-agent", elapsedMilliseconds: 30_000 },
  ...FIRST_DEPLOY.slice(0, -1),
  { type: "not-kept", reason: "pull request #7 was closed in the meantime" },
  ended("removed", 124),
];

/** A first deploy whose agent was also run once. */
export const TRIED_DEPLOY: readonly DeployEvent[] = FIRST_DEPLOY.slice(0, -3).concat(
  VERIFIED_BY_A_RUN,
  ended("deployed", 124),
);

export const LATER_DEPLOY: readonly DeployEvent[] = [
  SOURCE_READ,
  FOUND,
  ...PACKED,
  ...UPLOADED,
  ...TO_LIVE,
  ...VERIFIED,
  ended("deployed", 92.4),
];

const ROLLBACK: DeployEvent = {
  type: "rollback",
  revision: revision("DEPLOYED", { id: REVISION_EARLIER, created_at: "2026-05-04T10:00:00Z" }),
  from: REVISION_BEFORE,
};

export const ROLLED_BACK: readonly DeployEvent[] = [FOUND, ROLLBACK, ...TO_LIVE, ...VERIFIED, ended("deployed", 92.4)];

/** A rollback to the previous revision, where no record tells the files of two revisions apart. */
export const UNCLEAR_ROLLBACK: readonly DeployEvent[] = [
  FOUND,
  {
    type: "warning",
    message: `Revision ${REVISION} of deployment ${DEPLOYMENT} is newer than the one that serves, and still BUILDING: the rollback leaves it out of account, and is made after it.`,
  },
  ended(
    "failed",
    0.6,
    new RollbackUnclearError(
      `The previous source of deployment ${DEPLOYMENT} is not known, because no record has the digest of the files of revision ${REVISION_EARLIER}. The last that were DEPLOYED: ${REVISION_BEFORE} (2026-05-05T10:00:00Z, serves now); ${REVISION_EARLIER} (2026-05-04T10:00:00Z, commit 1234567).`,
      {
        deploymentId: DEPLOYMENT,
        choices: [
          { id: REVISION_BEFORE, madeAt: "2026-05-05T10:00:00Z", commit: undefined, serves: true },
          { id: REVISION_EARLIER, madeAt: "2026-05-04T10:00:00Z", commit: "1234567".repeat(5), serves: false },
        ],
        advice: "Nothing was written. Name the revision to go back to by its id.",
        reasons: ["ROLLBACK_UNCLEAR"],
      },
    ),
  ),
];

/** An image by a tag that is not `latest`. */
export const TAGGED_IMAGE: readonly DeployEvent[] = [
  FOUND,
  { type: "image-tagged", image: "registry.example:5000/agent:1.4.2", tag: "1.4.2" },
  ...TO_LIVE,
  ...VERIFIED,
  ended("deployed", 40),
];

export const DRY_RUN_OF_A_ROLLBACK: readonly DeployEvent[] = [
  FOUND,
  ROLLBACK,
  {
    type: "planned",
    change: {
      target: "update",
      name: "support-agent",
      source: "internal_source",
      deployment: deployment(),
      latestRevision: revision("DEPLOYED", { id: REVISION_BEFORE }),
      fields: [{ name: "source_tarball_path", before: "a/1.tar.gz", after: "a/0.tar.gz" }],
      secretNames: undefined,
    },
  },
  ended("dry-run", 0.4),
];

const TO_BUILDING: readonly DeployEvent[] = [
  SOURCE_READ,
  { type: "deployment-found", deployment: deployment(), page: PAGE },
  ...PACKED,
  ...UPLOADED,
  STARTED,
  seen("AWAITING_BUILD", 0),
  seen("BUILDING", 4),
];

export const FAILED_BUILD: readonly DeployEvent[] = [
  ...TO_BUILDING,
  seen("BUILD_FAILED", 48),
  { type: "step-ended", step: "build", milliseconds: 48_000 },
  {
    type: "revision-logs",
    kind: "build",
    lines: [{ message: "Step 4/9 : RUN pip install .\n" }, { message: "    ::error::no such package\nexit 1" }],
  },
  ended(
    "build-failed",
    49,
    new RevisionFailedError(
      "build-failed",
      `support-agent: revision ${REVISION} ended as BUILD_FAILED after 48 s. The previous revision is still serving.`,
      {
        advice: `Fix the build and run again. No cleanup needed; the next run updates deployment ${DEPLOYMENT}.`,
      },
    ),
  ),
];

const SUPERSEDED_SENTENCE =
  `support-agent: revision ${REVISION} was DEPLOYED, but revision ${REVISION_BEFORE} (created 20 s later) ` +
  "is the latest now.";

export const SUPERSEDED: readonly DeployEvent[] = [
  ...TO_BUILDING,
  seen("DEPLOYED", 30),
  { type: "step-ended", step: "build", milliseconds: 30_000 },
  ended("superseded", 31, new SupersededError(SUPERSEDED_SENTENCE)),
];

export const SUPERSEDED_AS_EXPECTED: readonly DeployEvent[] = [
  ...SUPERSEDED.slice(0, -1),
  { type: "warning", message: SUPERSEDED_SENTENCE },
  ended("superseded", 31),
];

export const CANCELLED: readonly DeployEvent[] = [
  ...TO_BUILDING,
  beat("BUILDING", 34),
  // A wait that is broken off reports its steps too.
  { type: "step-ended", step: "build", milliseconds: 34_000 },
  { type: "wait-ended", elapsedMilliseconds: 34_000 },
  ended(
    "cancelled",
    36,
    new CancelledError(
      `support-agent: the run was cancelled; revision ${REVISION} of deployment ${DEPLOYMENT} is still running in the service.`,
      {
        advice:
          "Interrupt the revision in the service if it must not go live; the next run updates the same deployment.",
      },
    ),
  ),
];

/** A step that does not wait. */
export const STARTED_ONLY: readonly DeployEvent[] = [
  SOURCE_READ,
  NEW,
  ...PACKED,
  CREATED,
  ...UPLOADED,
  STARTED,
  ended("started", 2.1),
];

export const FAILED_DEPLOY: readonly DeployEvent[] = [
  ...TO_BUILDING,
  seen("DEPLOYING", 72),
  seen("DEPLOY_FAILED", 90, { status_message: "port 8000 is\nclosed" }),
  { type: "revision-logs", kind: "deploy", lines: [{ message: "address already in use\n" }] },
  ended(
    "deploy-failed",
    91,
    new RevisionFailedError("deploy-failed", `support-agent: revision ${REVISION} ended as DEPLOY_FAILED.`, {
      advice: "Read the log of the deployment.",
    }),
  ),
];

export const INTERRUPTED: readonly DeployEvent[] = [
  ...TO_BUILDING,
  seen("INTERRUPTED", 20),
  ended(
    "interrupted",
    21,
    new RevisionFailedError("interrupted", `support-agent: revision ${REVISION} ended as INTERRUPTED.`, {
      advice: "Run again.",
    }),
  ),
];

export const TIMED_OUT: readonly DeployEvent[] = [
  ...TO_BUILDING,
  beat("BUILDING", 34),
  { type: "wait-ended", elapsedMilliseconds: 60_000 },
  ended(
    "timed-out",
    61,
    new WaitTimeoutError(
      `support-agent: timed out waiting for revision ${REVISION}, which is still BUILDING after 1 min.`,
      { revisionId: REVISION, advice: `Look at deployment ${DEPLOYMENT} in the service to see how it ends.` },
    ),
  ),
];

/** A service that accepts nothing, after a retry. */
export const REFUSED: readonly DeployEvent[] = [
  SOURCE_READ,
  {
    type: "retry",
    notice: {
      target: "GET https://control.example/v2/deployments",
      attempt: 1,
      mostAttempts: 4,
      delayMilliseconds: 1_240,
      reason: "status 503",
    },
  },
  FOUND,
  ...PACKED,
  ended("failed", 3, new ApplyError("The service rejected the update.", { advice: "Correct it, and run again." })),
];

/** The first revision of a deployment fails. */
export const FAILED_FIRST: readonly DeployEvent[] = [
  NEW,
  CREATED,
  STARTED,
  seen("BUILD_FAILED", 3),
  ended("build-failed", 4, new RevisionFailedError("build-failed", "It failed.", {})),
];

export const REFUSED_AFTER_CREATE: readonly DeployEvent[] = [
  SOURCE_READ,
  NEW,
  ...PACKED,
  CREATED,
  ended("failed", 3, new ApplyError("Refused.")),
];

export const NO_ANSWER: readonly DeployEvent[] = [
  NEW,
  CREATED,
  ...TO_LIVE,
  ended("failed", 160, new VerifyError("It does not answer.")),
];

export const CRASHED: readonly DeployEvent[] = [SOURCE_READ, ended("failed", 3, new TypeError("x is not a function"))];

/** A wait with all of its lines: a queue, looks that fail, an agent that starts, its page and its trace. */
export const SLOW_DEPLOY: readonly DeployEvent[] = [
  { type: "deployment-created", deployment: deployment(), adopted: true, page: PAGE },
  { type: "upload-progress", sentBytes: 6_000_000, totalBytes: 60_000_000, milliseconds: 6_000 },
  { type: "uploaded", bytes: 60_000_000, milliseconds: 60_000 },
  STARTED,
  beat(undefined, 30),
  seen("PAUSED", 31),
  seen("QUEUED", 32),
  beat("QUEUED", 62),
  beat("QUEUED", 92),
  { type: "look-failed", message: "GET https://control.example/v2 failed: connection reset (ECONNRESET)" },
  seen("DEPLOYED", 100),
  { type: "agent-waiting", url: URL_OF_AGENT, reason: "it does not serve triage", elapsedMilliseconds: 3_000 },
  { type: "warning", message: "The image is large." },
  ...VERIFIED_BY_A_RUN,
  { type: "trace-sent", session: "my deploys", traceId: "t1", runs: 3, page: TRACE_PAGE },
  ended("deployed", 124),
];

const PLANNED: readonly DeployEvent[] = [
  {
    type: "planned",
    change: {
      target: "update",
      name: "support-agent",
      source: "internal_source",
      deployment: deployment(),
      latestRevision: revision("DEPLOYED", { id: REVISION_BEFORE }),
      fields: [
        { name: "graph_config_path", before: "agent.json", after: "graph.json" },
        { name: "source_config.build_on_push", before: "true", after: "true" },
      ],
      secretNames: ["OPENAI_API_KEY", "SENTRY_DSN"],
    },
  },
  ended("dry-run", 0.4),
];

export const DRY_RUN: readonly DeployEvent[] = [
  SOURCE_READ,
  FOUND,
  { type: "source-hashed", digest: archive().digest },
  { type: "step-ended", step: "source", milliseconds: 120 },
  ...PLANNED,
];

/** Only packing it shows whether it is larger than allowed. */
export const DRY_RUN_OF_A_LARGE_SOURCE: readonly DeployEvent[] = [SOURCE_READ, FOUND, ...PACKED, ...PLANNED];

export const BAD_INPUTS: readonly DeployEvent[] = [
  ended(
    "failed",
    0,
    new InputsError([
      { input: "timeout", message: '"soon" is not a valid duration (examples: 90s, 30m, 1.5h)' },
      { input: "on-superseded", message: '"maybe" is not valid (choose fail or succeed)' },
      { input: "path", message: "does/not/exist is not a directory in the workspace" },
    ]),
  ),
];

export const BAD_INPUT: readonly DeployEvent[] = [
  ended("failed", 0, new InputsError([{ input: "wait", message: '"yes" is not valid (choose true or false)' }])),
];

export const NOT_ASKED: readonly DeployEvent[] = [
  NEW,
  STARTED,
  { type: "revision-live", deployment: deployment(), url: URL_OF_AGENT },
  ended("deployed", 60),
];

const AS_BEFORE: readonly DeployEvent[] = [
  SOURCE_READ,
  { type: "deployment-found", deployment: deployment({ latest_revision_id: REVISION }) },
  { type: "source-hashed", digest: archive().digest },
];

export const UNCHANGED: readonly DeployEvent[] = [
  ...AS_BEFORE,
  { type: "recalled", verdict: "unchanged", reason: `revision ${REVISION} of this source is live` },
  { type: "revision-started", deploymentId: DEPLOYMENT, revisionId: REVISION, status: "DEPLOYED", resumed: true },
  {
    type: "revision-live",
    deployment: deployment({ latest_revision_id: REVISION, url: URL_OF_AGENT }),
    url: URL_OF_AGENT,
  },
  { type: "agent-answered", url: URL_OF_AGENT, milliseconds: 84, graphs: undefined, version: undefined },
  ended("unchanged", 0.4),
];

export const RESUMED: readonly DeployEvent[] = [
  ...AS_BEFORE,
  { type: "recalled", verdict: "resume", reason: `revision ${REVISION} of this source is in progress` },
  { type: "revision-started", deploymentId: DEPLOYMENT, revisionId: REVISION, status: "BUILDING", resumed: true },
  seen("BUILDING", 0),
  seen("DEPLOYED", 30),
  ...VERIFIED,
  ended("deployed", 31),
];

export const DRY_RUN_OF_THE_SAME: readonly DeployEvent[] = [
  ...AS_BEFORE,
  {
    type: "planned",
    change: {
      target: "update",
      recalled: { verdict: "unchanged", reason: `revision ${REVISION} of this source is live` },
      name: "support-agent",
      source: "internal_source",
      deployment: deployment(),
      latestRevision: revision("DEPLOYED"),
      fields: [],
      secretNames: undefined,
    },
  },
  ended("dry-run", 0.1),
];

export const DRY_RUN_OF_NEW_IMAGE: readonly DeployEvent[] = [
  { type: "deployment-new", name: "shop", source: "external_docker" },
  {
    type: "planned",
    change: {
      target: "create",
      name: "shop",
      source: "external_docker",
      deployment: undefined,
      latestRevision: undefined,
      fields: [{ name: "image_uri", before: undefined, after: "registry.example/shop:7" }],
      secretNames: undefined,
    },
  },
  ended("dry-run", 0.1),
];
