import { revisionStatusFact, type RevisionPhase } from "../../../src/contract/revision-status.ts";
import type { DeployFacts } from "./ledger.ts";

/** A status of our revision with the time that it took, milliseconds; next to nothing for the one that ended the wait. */
export interface StatusTime {
  readonly status: string;
  readonly phase: RevisionPhase;
  readonly milliseconds: number;
}

/** How long our revision had each of its statuses; that of the last one counts up to the end of the wait. */
export function statusTimes({ statuses, lastSeen }: DeployFacts): readonly StatusTime[] {
  return statuses.map(({ status, at }, index) => ({
    status,
    phase: revisionStatusFact(status).phase,
    milliseconds: Math.max(0, (statuses[index + 1]?.at ?? lastSeen) - at),
  }));
}
