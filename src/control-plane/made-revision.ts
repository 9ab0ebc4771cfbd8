import type { Revision } from "../contract/deployment.ts";
import { matchesConfig, type RevisionConfigInput } from "../contract/source.ts";
import { isSameId } from "../contract/uuid.ts";

/** How many pages of revisions are searched for one that was made a moment ago: it is among the newest. */
export const NEWEST_PAGES = 5;

/** What an update asked for, and the latest revision before it; undefined when there was none. */
export interface MadeBy {
  readonly before: string | undefined;
  readonly config: RevisionConfigInput | undefined;
}

/**
 * The revision that an update made, among the revisions of a deployment, newest first: one that came after `before`
 * and holds what was asked for. Never simply the newest, which may be somebody else's.
 */
export async function findMade(
  revisions: AsyncIterable<Revision>,
  { before, config }: MadeBy,
): Promise<Revision | undefined> {
  for await (const revision of revisions) {
    if (isSameId(revision.id, before)) return undefined;
    if (matchesConfig(revision.source_revision_config, config)) return revision;
  }
  return undefined;
}
