import { previewNumber } from "../../src/deployment/preview-name.ts";
import { readPullRequestState } from "../github/pull-request.ts";
import { nameIn } from "../github/records/place.ts";
import { listRecords, type ListedRecord } from "../github/records/record.ts";
import { isOpen, statesOf } from "../github/records/states.ts";
import { numberOf, type LookContext } from "./previews.ts";
import type { GonePreview } from "./tidying.ts";

const MOST_RECORDS = 100;
// A deploy that makes its deployment in a moment has its record already, which shows whose a plain name is.
const LONGEST_DEPLOY_MILLISECONDS = 24 * 3_600_000;

/**
 * The records of previews that are gone: a removal does not see a record that GitHub does not list yet, and may have been
 * cut off. `existing` are the names of previews that are known to be there. Of each other one the deployment and the pull
 * request are looked at before it is yielded.
 */
export async function* findLeftRecords(
  existing: ReadonlySet<string>,
  context: LookContext & { readonly now: Date },
): AsyncGenerator<GonePreview, void, undefined> {
  const { controlPlane, github, names, now } = context;
  for (const [name, found] of await listed(context)) {
    if (existing.has(name)) continue;
    const pullRequest = numberOf(names, name);
    if (pullRequest === undefined) continue;
    const isUnique = previewNumber(names, name) !== undefined;
    const isYoung = ({ madeAt }: ListedRecord): boolean =>
      !madeAt || now.getTime() - madeAt.getTime() < LONGEST_DEPLOY_MILLISECONDS;
    const young = isUnique ? [] : found.filter(isYoung);
    const { states } = await statesOf(github, young);
    const running = new Set(young.filter(({ id }) => !states.has(id) || isOpen(states.get(id))));
    const records = found.filter((record) => !running.has(record)).map(({ id }) => id);
    if (records.length === 0 || (await controlPlane.findByName(name)) !== undefined) continue;
    if ((await readPullRequestState(github, pullRequest)).state === "open") continue;
    yield { preview: { name, pullRequest }, why: "closed", records };
  }
}

/** The newest records of the environment by the preview that they are of. */
async function listed({ github, names, environment, service }: LookContext) {
  const byName = new Map<string, ListedRecord[]>();
  // Each preview is looked at by itself.
  for await (const record of listRecords(github, { environment, service }, { isPartEnough: true })) {
    const name = nameIn(record.task);
    if (name === undefined || record.preview === false || numberOf(names, name) === undefined) continue;
    const records = byName.get(name) ?? [];
    if (records.length < MOST_RECORDS) records.push(record);
    byName.set(name, records);
  }
  return byName;
}
