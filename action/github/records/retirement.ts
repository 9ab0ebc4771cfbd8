import type { GitHub } from "../client.ts";
import { isStatus } from "../errors.ts";
import type { RecordPlace } from "./place.ts";
import { listRecords, type ListedPlace, type NewRecord } from "./record.ts";
import { isOpen, setState, stateOf } from "./states.ts";

const MOST_PAGES = 10;
// Each look is a request, and a repository has a thousand of them an hour.
const MOST_LOOKS = 200;
// And each write takes one of the eighty that it has a minute.
const MOST_RETIRED = 100;
// A run that is live closes what is below it, from the oldest up, so nothing is open below that many inactive ones in a
// row. Failed ones do not count: they close no success.
const MOST_INACTIVE = 30;
// An attempt before this one is not far below, unless the run is repeated after weeks.
const MOST_RECORDS = 100;

const REPLACED = "Replaced by a newer deployment";

/** Which run has ended, and how. */
export interface EndedRecord {
  readonly place: RecordPlace;
  readonly id: number;
  /** What it deployed is live. */
  readonly isLive: boolean;
  /** Asked only if another run seems to be live too. */
  readonly isServing: IsServing;
}

/** Whether the service serves a revision at this moment. */
export type IsServing = () => Promise<boolean>;

/**
 * Closes what older runs of a place have left open, once a run has ended; if that is live, also what they have as live.
 * GitHub does so itself only for environments that are neither transient nor production, and there for other deployments
 * too. A newer record may be live as well: two runs ended at the same time, or the older one began its revision last.
 * Then `isServing` decides, which asks the service whether the revision of the run serves.
 */
export async function retireOthers(github: GitHub, { place, id, isLive, isServing }: EndedRecord): Promise<void> {
  const left: number[] = [];
  let [looks, inactive] = [0, 0];
  for await (const record of listRecords(github, place, { mostPages: MOST_PAGES })) {
    if (record.id === id) continue;
    if (looks === MOST_LOOKS || inactive === MOST_INACTIVE) break;
    looks += 1;
    const look = await unlessGone(stateOf(github, record.id).then((state) => ({ state })));
    if (look === undefined) continue;
    const { state } = look;
    const isNewer = record.id > id;
    if (state === "success" ? isLive : !isNewer && isOpen(state)) {
      if (isNewer && !(await isServing())) {
        await setState(github, id, "inactive", { description: REPLACED });
        return;
      }
      left.push(record.id);
      inactive = 0;
    }
    if (state === "inactive") inactive += 1;
  }
  // The oldest first: what a kill, or the bound, leaves is at the top for the next run.
  for (const other of left.slice(-MOST_RETIRED).toReversed()) {
    await unlessGone(setState(github, other, "inactive", { description: REPLACED }));
  }
}

/** Retires what earlier attempts of the same workflow run have left open. */
export async function retireAttempts(
  github: GitHub,
  { runId, attempt, environment, task, service }: NewRecord,
): Promise<void> {
  if (runId === undefined || attempt === undefined || attempt === 1) return;
  let records = 0;
  for await (const record of listRecords(github, { environment, task, service }, { mostPages: MOST_PAGES })) {
    records += 1;
    if (records > MOST_RECORDS) return;
    if (record.runId !== runId || record.attempt === undefined || record.attempt >= attempt) continue;
    if (isOpen(await stateOf(github, record.id))) {
      await setState(github, record.id, "inactive", { description: "Replaced by a newer attempt" });
    }
  }
}

/** The ids of all records of a place that are not known to be of something else than a preview. */
export async function previewRecordsOf(github: GitHub, place: ListedPlace): Promise<readonly number[]> {
  const ids: number[] = [];
  for await (const { id, preview } of listRecords(github, place, { mostPages: MOST_PAGES })) {
    if (preview !== false) ids.push(id);
  }
  return ids;
}

/** Retires and deletes these records. */
export async function deleteRecords(github: GitHub, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    // Another run may be faster.
    await unlessGone(deleteRecord(github, id));
  }
}

async function deleteRecord(github: GitHub, id: number): Promise<void> {
  const state = await stateOf(github, id);
  // GitHub deletes none that is active.
  if (isOpen(state) || state === "success") await setState(github, id, "inactive");
  await github.request("DELETE /repos/{owner}/{repo}/deployments/{deployment_id}", { deployment_id: id });
}

async function unlessGone<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    return undefined;
  }
}
