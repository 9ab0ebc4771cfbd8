import type { Revision } from "../contract/deployment.ts";
import type { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { revisionStatusFact } from "../contract/revision-status.ts";
import { elapsedText } from "../text/duration.ts";
import type { DeployDeps } from "./deps.ts";
import { RevisionFailedError, SupersededError, WaitError, WaitTimeoutError } from "./errors.ts";
import type { OurRevision } from "./our-revision.ts";

/** A revision that is newer than ours; when it was made, where the service says so. */
export type Successor = Pick<Revision, "created_at" | "id">;

const LOG_LINES = 30;

/** The error of a wait whose time was over. */
export function timedOut(ours: OurRevision, status: string | undefined, elapsedMilliseconds: number): WaitTimeoutError {
  const { deployment, revision } = ours;
  const state = status === undefined ? "could not be read" : `is still ${status}`;
  return new WaitTimeoutError(
    `${ours.name}: timed out waiting for revision ${revision.id}, which ${state} after ${elapsedText(elapsedMilliseconds)}. It is still running in the service.`,
    {
      revisionId: revision.id,
      deploymentId: deployment.id,
      advice:
        `Look at deployment ${deployment.id} in the service to see how it ends. ` +
        "No cleanup needed; the next run updates the same deployment.",
    },
  );
}

/** The error of a revision that cannot be looked at any more. */
export function unreadable(ours: OurRevision, error: GraphDeployError): WaitError {
  const { deployment, revision } = ours;
  return new WaitError(
    `${ours.name}: revision ${revision.id} of deployment ${deployment.id} can no longer be followed: ${error.message}`,
    {
      cause: error,
      revisionId: revision.id,
      deploymentId: deployment.id,
      advice: [error.advice, "The revision continues in the service."].filter(Boolean).join(" "),
    },
  );
}

/** The error of a revision whose place a newer one took, which is undefined where the service does not say which. */
export function supersededBy(
  { name, deployment, revision }: OurRevision,
  newer: Successor | undefined,
): SupersededError {
  const other = newer === undefined ? "a newer revision" : `revision ${newer.id}`;
  const what =
    revision.status === "SKIPPED"
      ? `was SKIPPED, because ${other} took its place`
      : `was DEPLOYED, but ${other}${createdLater(revision, newer)} is the latest now`;
  return new SupersededError(`${name}: revision ${revision.id} ${what}.`, { deploymentId: deployment.id });
}

/** The error of a revision that failed, after its last log lines were told. */
export async function failureOf(
  ours: OurRevision,
  elapsedMilliseconds: number,
  deps: DeployDeps,
): Promise<RevisionFailedError> {
  const { revision } = ours;
  const fact = revisionStatusFact(revision.status);
  if (revision.status !== "INTERRUPTED") await tellLogs(ours, deps);
  const said = asSentence(revision.status_message ?? "");
  const before = servedBefore(ours) ? " The previous revision is still serving." : "";
  const outcome =
    revision.status === "INTERRUPTED"
      ? "interrupted"
      : revision.status === "BUILD_FAILED"
        ? "build-failed"
        : "deploy-failed";
  return new RevisionFailedError(
    outcome,
    `${ours.name}: revision ${revision.id} ended as ${revision.status} after ${elapsedText(elapsedMilliseconds)}.${said}${before}`,
    {
      deploymentId: ours.deployment.id,
      advice: `${fact.advice} No cleanup needed; the next run updates deployment ${ours.deployment.id}.`,
    },
  );
}

// Logs are a help, never a reason to hide the real error.
async function tellLogs({ deployment, revision }: OurRevision, deps: DeployDeps): Promise<void> {
  const { controlPlane, emit, signal } = deps;
  const kind = revision.status === "DEPLOY_FAILED" ? "deploy" : "build";
  try {
    const options = { limit: LOG_LINES, deadlineMilliseconds: 10_000 };
    const lines = await controlPlane.logs(deployment.id, revision.id, kind, options);
    if (lines !== undefined && lines.length > 0) emit({ type: "revision-logs", kind, lines });
  } catch {
    signal.throwIfAborted();
  }
}

// A service may end its messages with a full stop, or not.
function asSentence(message: string): string {
  const text = message.trim();
  return text === "" ? "" : ` ${text}${/[.!?…]$/u.test(text) ? "" : "."}`;
}

function servedBefore({ existing }: OurRevision): boolean {
  return existing?.active_revision_id != null || (existing?.source_config?.custom_url ?? "") !== "";
}

function createdLater(ours: Revision, latest: Successor | undefined): string {
  const later = Date.parse(latest?.created_at ?? "") - Date.parse(ours.created_at ?? "");
  return later >= 1_000 ? ` (created ${elapsedText(later)} later)` : "";
}
