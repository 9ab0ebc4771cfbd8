import type { KnownSource, KnownSources } from "../../../src/deployment/known-sources.ts";
import type { GitHub } from "../client.ts";
import { unlessGone } from "../errors.ts";
import type { RecordPlace } from "./place.ts";
import { listRecords } from "./record.ts";
import { revisionOf } from "./states.ts";

// As many as a deploy record keeps; each takes a request.
const MOST_LOOKS = 20;
const MOST_PAGES = 3;

/** What the newest records of a place say of the revisions that they name. */
export async function readKnownSources(github: GitHub, place: RecordPlace): Promise<KnownSources> {
  const known = new Map<string, KnownSource>();
  let looks = 0;
  for await (const { id, digest, commit } of listRecords(github, place, {
    mostPages: MOST_PAGES,
    isPartEnough: true,
  })) {
    if (looks === MOST_LOOKS) break;
    looks += 1;
    const revision = (await unlessGone(revisionOf(github, id)))?.toLowerCase();
    // The newer of two records of one revision knows as much of it, or more.
    if (revision !== undefined && !known.has(revision)) known.set(revision, { digest, commit });
  }
  return known;
}
