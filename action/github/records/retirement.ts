import type { GitHub } from "../client.ts";
import { isStatus } from "../errors.ts";
import {
  isOpen,
  listRecords,
  setState,
  stateOf,
  type ListedPlace,
  type NewRecord,
  type RecordPlace,
} from "./record.ts";

// Failed deploys may lie between this one and the one that was live: so many are looked at.
const MOST_LOOKS = 10;
const MOST_PAGES = 10;
// An attempt before this one is not far below, unless the run is repeated after weeks.
const MOST_RECORDS = 100;

const REPLACED = { description: "Replaced by a newer deployment" };

/**
 * Leaves one record of a place as live, once that of a run says so. GitHub does so itself only for environments that are
 * neither transient nor production, and there for other deployments too. A newer record may be live as well: two runs
 * ended at the same time, or the older one began its revision last. Then `isServing` decides, which asks the service
 * whether the revision of the run serves.
 */
export async function retireOthers(
  github: GitHub,
  { place, id, isServing }: { readonly place: RecordPlace; readonly id: number; readonly isServing: IsServing },
): Promise<void> {
  let [looks, hasRetired] = [0, false];
  for await (const record of listRecords(github, place, { mostPages: MOST_PAGES })) {
    if (record.id === id) continue;
    const state = await stateOf(github, record.id);
    if (state === "success") {
      if (record.id > id && !(await isServing())) {
        await setState(github, id, "inactive", REPLACED);
        return;
      }
      await setState(github, record.id, "inactive", REPLACED);
      hasRetired = true;
    }
    looks += 1;
    // What lies below was retired before.
    if (looks === MOST_LOOKS || (hasRetired && state === "inactive")) return;
  }
}

/** Whether the service serves a revision at this moment. */
export type IsServing = () => Promise<boolean>;

/** Retires what earlier attempts of the same workflow run have left open. */
export async function retireAttempts(github: GitHub, { runId, attempt, ...place }: NewRecord): Promise<void> {
  if (runId === undefined || attempt === undefined || attempt === 1) return;
  let [records, looks] = [0, 0];
  for await (const record of listRecords(github, place, { mostPages: MOST_PAGES })) {
    records += 1;
    if (records > MOST_RECORDS) return;
    if (record.runId !== runId || record.attempt === undefined || record.attempt >= attempt) continue;
    if (isOpen(await stateOf(github, record.id))) {
      await setState(github, record.id, "inactive", { description: "Replaced by a newer attempt" });
    }
    looks += 1;
    if (looks === MOST_LOOKS) return;
  }
}

/** The ids of all records of a place. */
export async function recordsOf(github: GitHub, place: ListedPlace): Promise<readonly number[]> {
  const ids: number[] = [];
  for await (const { id } of listRecords(github, place, { mostPages: MOST_PAGES })) ids.push(id);
  return ids;
}

/** Retires and deletes these records. */
export async function deleteRecords(github: GitHub, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    try {
      // GitHub deletes none that is active.
      if ((await stateOf(github, id)) !== "inactive") await setState(github, id, "inactive");
      await github.request("DELETE /repos/{owner}/{repo}/deployments/{deployment_id}", { deployment_id: id });
    } catch (error) {
      // Another run was faster.
      if (!isStatus(error, 404)) throw error;
    }
  }
}
