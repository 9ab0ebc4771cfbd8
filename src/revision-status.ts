import { anyText, checkCall } from "./contract/call-arguments.ts";
import { revisionStatusFact as factOf, type RevisionStatusFact } from "./contract/revision-status.ts";

/** The fact of a status; one that is not in the list counts as UNKNOWN, which keeps a wait going. */
export function revisionStatusFact(status: string): RevisionStatusFact {
  checkCall("revisionStatusFact", { status: [anyText, status] });
  return factOf(status);
}
