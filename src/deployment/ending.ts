import { withFullStop } from "../text/reasons.ts";
import type { Deployment, LogKind, LogLine, Revision } from "../contract/deployment.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import type { FailedFact } from "../contract/revision-status.ts";
import type { PollResult } from "../http/poll.ts";
import { elapsedText } from "../text/duration.ts";
import type { ForeignText } from "../text/foreign-text.ts";
import type { DeployDeps, TimedDeps } from "./deps.ts";
import { RevisionFailedError, SupersededError, WaitError, WaitTimeoutError } from "./errors.ts";
import type { OurRevision, Seen, Standing, Successor } from "./our-revision.ts";
import { readPastLag } from "./read-patience.ts";
import { isBeingDeleted } from "./remove.ts";

const LOG_LINES = 30;
// An entry may have several lines.
const MOST_SHOWN_LINES = 100;

/**
 * The deployment of our live revision. Throws the error of every other end: SupersededError only if another revision that
 * has not failed is proved to be newer; without proof ours counts as the latest, with a warning.
 */
export async function checkLive(
  ours: OurRevision,
  result: PollResult<Seen>,
  { deployment, isLatest, successor }: Standing,
  deps: DeployDeps,
): Promise<Deployment> {
  const { elapsedMilliseconds } = result;
  if (!result.done) throw timedOut(ours, result.value?.revision.status, elapsedMilliseconds);
  const { fact } = ours;
  if (fact.outcome === "superseded") throw supersededBy(ours, successor);
  if (fact.outcome !== undefined) throw await failureOf(ours, fact, elapsedMilliseconds, deps);
  if (successor) throw supersededBy(ours, successor);
  if (isBeingDeleted(deployment)) {
    // The error of a live revision whose deployment was deleted while it was on its way.
    throw new WaitError(
      `${ours.name}: revision ${ours.revision.id} is DEPLOYED, but deployment ${ours.deployment.id} is being deleted.`,
      {
        deploymentId: ours.deployment.id,
        advice: "Run again once the service has deleted it; a run that gives the name creates it again.",
      },
    );
  }
  if (!isLatest) {
    const { id, latest_revision_id: latest } = deployment;
    const named = latest == null ? "no revision" : `revision ${latest}`;
    deps.emit({
      type: "warning",
      message:
        `${ours.name}: revision ${ours.revision.id} is DEPLOYED, but deployment ${id} still names ${named} as its latest. ` +
        "Nothing shows that it is newer, so this deploy counts as live; check the deployment in the service.",
    });
  }
  return deployment;
}

// Services without addresses make each first deploy wait so long.
const ADDRESS_MILLISECONDS = 10_000;
export interface Live extends OurRevision {
  /** The agent's address; undefined if the service does not give one. */
  readonly url: string | undefined;
}

/**
 * Our revision as a live one, with the agent's address if the service gives one: the first address of a deployment may
 * come a moment after DEPLOYED.
 */
export async function toLive(ours: OurRevision, deps: TimedDeps): Promise<Live> {
  const { deployment: known, existing, request } = ours;
  let found = { deployment: known, url: agentUrl(known) };
  // What served before without an address gets none.
  if (found.url === undefined && existing?.active_revision_id == null) {
    const look = async () => {
      const deployment = await deps.controlPlane.get(known.id);
      return { deployment, url: agentUrl(deployment) };
    };
    const timeoutMilliseconds = Math.min(ADDRESS_MILLISECONDS, request.timeoutMilliseconds);
    const patience = { ...request, timeoutMilliseconds };
    try {
      found = await readPastLag({ look, isDone: ({ url }) => url !== undefined, patience }, deps);
    } catch (error) {
      deps.signal.throwIfAborted();
      if (!(error instanceof GraphDeployError)) throw error;
    }
  }
  deps.emit({ type: "revision-live", ...found });
  return { ...ours, ...found };
}

/**
 * The agent's address; undefined if the service does not give one. Services differ in the field: `url` or
 * `source_config.custom_url`. A user name and a password are left out, because the address is printed.
 */
export function agentUrl({ url, source_config }: Deployment): string | undefined {
  return webAddress(url) ?? webAddress(source_config?.custom_url);
}

// Later steps of a job open it, so only web addresses count.
function webAddress(text: string | null | undefined): string | undefined {
  if (text == null || !/^https?:\/\/\S+$/i.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null) return undefined;
  if (url.username === "" && url.password === "") return text;
  url.username = "";
  url.password = "";
  return url.href.replace(/\/$/, "");
}

export function timedOut(ours: Named, status: string | undefined, elapsedMilliseconds: number): WaitTimeoutError {
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

/** A revision that is ours, with what errors say about it. */
export interface Named {
  readonly name: string;
  readonly deployment: Pick<Deployment, "id">;
  readonly revision: Pick<Revision, "id">;
}

/** The error of a revision that can no longer be read, or whose deployment cannot once it is live. */
export function unreadable({ name, deployment, revision, fact }: OurRevision, error: GraphDeployError): WaitError {
  const isLive = fact.succeeded;
  const what = isLive
    ? `is ${revision.status}, but whether a newer one has taken its place cannot be read`
    : "can no longer be followed";
  const then = isLive ? [] : ["The revision continues in the service."];
  return new WaitError(`${name}: revision ${revision.id} of deployment ${deployment.id} ${what}: ${error.message}`, {
    cause: error,
    revisionId: revision.id,
    deploymentId: deployment.id,
    advice: [error.advice, ...then].filter(Boolean).join(" "),
  });
}

/** The error of a revision that a newer one has replaced; `newer` is undefined if the service does not name it. */
export function supersededBy(
  { name, deployment, revision, fact }: OurRevision,
  newer: Successor | undefined,
): SupersededError {
  const other = newer ? `revision ${newer.id}` : "a newer revision";
  const later = Date.parse(newer?.created_at ?? "") - Date.parse(revision.created_at ?? "");
  const after = later >= 1_000 ? ` (created ${elapsedText(later)} later)` : "";
  const what =
    fact.outcome === "superseded"
      ? `was ${revision.status}, because ${other} took its place`
      : `was DEPLOYED, but ${other}${after} is the latest now`;
  return new SupersededError(`${name}: revision ${revision.id} ${what}.`, { deploymentId: deployment.id });
}

/** The error of a failed revision; reports its last log lines first. */
async function failureOf(
  ours: OurRevision,
  { outcome, log, advice }: FailedFact,
  elapsedMilliseconds: number,
  deps: DeployDeps,
): Promise<RevisionFailedError> {
  const { deployment, revision } = ours;
  const { controlPlane, emit, signal } = deps;
  if (log !== undefined) {
    // A failure to read the logs must not hide the real error.
    try {
      const options = { limit: LOG_LINES, deadlineMilliseconds: 10_000 };
      const lines = await controlPlane.logs(deployment.id, revision.id, log, options);
      if (lines && lines.length > 0) emit({ type: "revision-logs", kind: log, lines });
    } catch {
      signal.throwIfAborted();
    }
  }
  // A service may end its messages with a full stop, or not.
  const text = (revision.status_message ?? "").trim();
  const said = text === "" ? "" : ` ${withFullStop(text)}`;
  const before =
    ours.existing?.active_revision_id != null || (ours.existing?.source_config?.custom_url ?? "") !== ""
      ? " The previous revision is still serving."
      : "";
  return new RevisionFailedError(
    outcome,
    `${ours.name}: revision ${revision.id} ended as ${revision.status} after ${elapsedText(elapsedMilliseconds)}.${said}${before}`,
    {
      deploymentId: deployment.id,
      advice: `${advice} No cleanup needed; the next run updates deployment ${deployment.id}.`,
    },
  );
}

/** The last lines of a log, safe to show; an entry may have several lines. */
export function logTail(entries: readonly LogLine[], text: ForeignText): readonly string[] {
  return entries.flatMap(({ message }) => text.lines(message.trimEnd())).slice(-MOST_SHOWN_LINES);
}

/** `Build log, last 30 lines` */
export function logTitle(kind: LogKind, count: number): string {
  const lines = count === 1 ? "line" : `${String(count)} lines`;
  return `${kind === "build" ? "Build" : "Deploy"} log, last ${lines}`;
}
