import type { ControlPlane } from "../../src/control-plane/client.ts";
import { previewNumber, type PreviewNames } from "../../src/deployment/preview-name.ts";
import { EndlessListError } from "../../src/http/errors.ts";
import type { GitHub } from "../github/client.ts";
import { readPullRequestState } from "../github/pull-request-state.ts";
import { isOpen, listRecords, nameIn, stateOf, type ListedRecord } from "../github/records/record.ts";
import { deleteRecords } from "../github/records/retirement.ts";
import type { Preview } from "./previews.ts";

/** Where records without a preview are looked for. */
export interface LeftRecordsContext {
  readonly controlPlane: ControlPlane;
  readonly github: GitHub;
  readonly names: PreviewNames;
  readonly environment: string;
  readonly service: string;
  readonly isDryRun: boolean;
  readonly now: Date;
}

/** The records of a preview that is gone. */
export interface LeftRecords {
  readonly preview: Pick<Preview, "name" | "pullRequest">;
  /** How many were deleted; in a dry run, would be. */
  readonly count: number;
}

const MOST_PAGES = 10;
// Others are for the next run.
const MOST_PREVIEWS = 50;
const MOST_RECORDS = 100;
// A deploy that makes its deployment in a moment has its record already, which shows whose deployment it is.
const LONGEST_DEPLOY_MILLISECONDS = 24 * 3_600_000;

/**
 * Retires and deletes the records of previews that are gone: a removal does not see a record that GitHub does not list
 * yet. `existing` are the names of previews that are known to be there. Of each other one the deployment and the pull
 * request are looked at right before its records are deleted.
 */
export async function* deleteLeftRecords(
  existing: ReadonlySet<string>,
  context: LeftRecordsContext,
): AsyncGenerator<LeftRecords, void, undefined> {
  const { controlPlane, github, names, isDryRun, now } = context;
  const found = [...(await listed(context))].filter(([name]) => !existing.has(name));
  for (const [name, records] of found.slice(0, MOST_PREVIEWS)) {
    const pullRequest = previewNumber(names, name);
    if (pullRequest === undefined) continue;
    const ids: number[] = [];
    for (const { id, madeAt } of records) {
      const mayRun = madeAt === undefined || now.getTime() - madeAt.getTime() < LONGEST_DEPLOY_MILLISECONDS;
      if (!mayRun || !isOpen(await stateOf(github, id))) ids.push(id);
    }
    if (ids.length === 0 || (await controlPlane.findByName(name)) !== undefined) continue;
    if ((await readPullRequestState(github, pullRequest)).state === "open") continue;
    if (!isDryRun) await deleteRecords(github, ids);
    yield { preview: { name, pullRequest }, count: ids.length };
  }
}

/** The newest records of the environment by the preview that they are of. */
async function listed({ github, names, environment, service }: LeftRecordsContext) {
  const byName = new Map<string, ListedRecord[]>();
  try {
    for await (const record of listRecords(github, { environment, service }, { mostPages: MOST_PAGES })) {
      const name = nameIn(record.task);
      if (name === undefined || previewNumber(names, name) === undefined) continue;
      const records = byName.get(name) ?? [];
      if (records.length < MOST_RECORDS) records.push(record);
      byName.set(name, records);
    }
  } catch (error) {
    // Each preview is looked at by itself, so that a part of the list is good enough.
    if (!(error instanceof EndlessListError)) throw error;
  }
  return byName;
}
