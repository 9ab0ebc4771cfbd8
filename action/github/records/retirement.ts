import type { GitHub } from "../client.ts";
import { unlessGone } from "../errors.ts";
import type { RecordPlace } from "./place.ts";
import { listPages, listRecords, type ListedPlace, type NewRecord } from "./record.ts";
import { isOpen, setState, stateOf, statesOf } from "./states.ts";

// Each takes one of the eighty writes that a repository has a minute, for the next of which a deploy would wait.
const MOST_RETIRED = 50;
// A run closes what is open below it, and one that is live also what is live: so a page with so many inactive ones is the last
// that is read, by a run that is live once it has seen another. Failed ones do not count: they close no success.
const ENOUGH_INACTIVE = 50;

const REPLACED = "Replaced by a newer deployment";

/** Which run has ended, and how. */
export interface EndedRecord {
  readonly place: RecordPlace;
  readonly id: number;
  /** What it leaves: its deployment `live`, no deployment at all, or what was there before. */
  readonly leaves: "live" | "none" | "others";
  /** Asked only if another run seems to be live too. */
  readonly isServing: IsServing;
}

/** Whether the service serves a revision at this moment. */
export type IsServing = () => Promise<boolean>;

/**
 * Closes what older runs of a place have left open, once a run has ended; if that is live, or took the deployment away, also
 * what they have as live. GitHub does so itself only for environments that are neither transient nor production, and there
 * for other deployments too. A newer record may be live as well: two runs ended at the same time, or the older one began its
 * revision last. Then `isServing` decides, which asks the service whether the revision of the run serves.
 */
export async function retireOthers(github: GitHub, { place, id, leaves, isServing }: EndedRecord): Promise<void> {
  const left: number[] = [];
  let serves = false;
  // One that did not wait becomes inactive too, and closes no success.
  let isBelowLive = leaves === "others";
  for await (const page of listPages(github, place, { isPartEnough: true })) {
    let inactive = 0;
    const others = page.filter((record) => record.id !== id);
    const { states, isPart } = await statesOf(github, others);
    for (const [other, state] of states) {
      const isNewer = other > id;
      const isOver =
        state === "success" ? leaves === "live" || (leaves === "none" && !isNewer) : isOpen(state) && !isNewer;
      if (isOver && isNewer && !(serves ||= await isServing())) {
        await setState(github, id, "inactive", { description: REPLACED });
        return;
      }
      if (isOver) left.push(other);
      if (state === "inactive") inactive += 1;
      if (state === "success") isBelowLive = true;
    }
    if (isPart || (inactive >= ENOUGH_INACTIVE && isBelowLive)) break;
  }
  // The oldest first: what a kill, or the bound, leaves is at the top for the next run.
  for (const other of left.slice(-MOST_RETIRED).toReversed()) {
    await unlessGone(setState(github, other, "inactive", { description: REPLACED }));
  }
}

/** Retires what earlier attempts of the same workflow run have left open. They are among the newest hundred of a place. */
export async function retireAttempts(
  github: GitHub,
  { runId, attempt, environment, task, service }: NewRecord,
): Promise<void> {
  if (runId === undefined || attempt === undefined || attempt === 1) return;
  for await (const page of listPages(github, { environment, task, service })) {
    const earlier = page.filter((record) => record.runId === runId && (record.attempt ?? attempt) < attempt);
    const { states } = await statesOf(github, earlier);
    for (const [id, state] of states) {
      if (isOpen(state))
        await unlessGone(setState(github, id, "inactive", { description: "Replaced by a newer attempt" }));
    }
    return;
  }
}

/** The ids of all records of a place that are not known to be of something else than a preview. */
export async function previewRecordsOf(github: GitHub, place: ListedPlace): Promise<readonly number[]> {
  const ids: number[] = [];
  for await (const { id, preview } of listRecords(github, place)) {
    if (preview !== false) ids.push(id);
  }
  return ids;
}

export async function endedRecordsOf(github: GitHub, place: ListedPlace): Promise<readonly number[]> {
  const ids: number[] = [];
  for await (const page of listPages(github, place)) {
    const previews = page.filter(({ preview }) => preview !== false);
    const { states } = await statesOf(github, previews);
    for (const [id, state] of states) if (!isOpen(state)) ids.push(id);
  }
  return ids;
}

/** Retires and deletes these records. */
export async function deleteRecords(github: GitHub, ids: readonly number[]): Promise<void> {
  const route = "DELETE /repos/{owner}/{repo}/deployments/{deployment_id}";
  for (const id of ids) {
    // GitHub deletes none that is active.
    await unlessGone(closeRecord(github, id).then(() => github.request(route, { deployment_id: id })));
  }
}

/** Retires these records, whose deployment is gone. */
export async function closeRecords(github: GitHub, ids: readonly number[]): Promise<void> {
  for (const id of ids) await unlessGone(closeRecord(github, id));
}

async function closeRecord(github: GitHub, id: number): Promise<void> {
  const state = await stateOf(github, id);
  if (isOpen(state) || state === "success") await setState(github, id, "inactive");
}
