import type { JsonValue } from "../../../files/json/value.ts";
import type { OutlinedMember } from "../../../files/json/outline.ts";
import type { FormatContext } from "../shared/format.ts";

/**
 * Takes what stands beside the rows: plain values that are not long go to the metadata of the experiment, all others are
 * reported as not read.
 */
export function takeBeside(members: readonly OutlinedMember[], { tell, columns }: FormatContext): void {
  const taken = members.filter(isTaken).slice(0, MOST_TAKEN);
  const metadata = taken.map(({ key, value = null }): [string, JsonValue] => [key, value]);
  if (metadata.length > 0) tell({ metadata: Object.fromEntries(metadata) });
  const unread = members.filter((member) => !taken.includes(member)).map(({ key }) => key);
  if (members.length > 0) {
    columns(
      taken.map(({ key }) => ({ name: key, role: { part: "metadata", key } })),
      unread.slice(0, MOST_UNREAD),
    );
  }
}

const MOST_TAKEN = 50;
const MOST_UNREAD = 50;
const LONGEST_TEXT = 200;
/** What the step says itself of the run of the workflow, and what should not be stored for others to read. */
const LEFT_OUT =
  /^(?:commit|ref|pull_request|repository|workflow|job|actor|run_url|run_id|run_attempt)$|key|secret|password|credential|authorization|(?:^|_)token$/i;

function isTaken({ key, kind, value }: OutlinedMember): boolean {
  if (kind !== "plain" || value === undefined || value === null || LEFT_OUT.test(key)) return false;
  return typeof value !== "string" || value.length <= LONGEST_TEXT;
}
