import { revisionStatusFact } from "../../src/contract/revision-status.ts";
import type { Properties } from "./state.ts";

/** What is different from what our last update left, as sentences without values; state tells it after a refresh. */
export function driftOf(state: Properties): readonly string[] {
  const { latestRevisionId, managedRevisionId, status } = state;
  const reasons: string[] = [];
  if (typeof managedRevisionId === "string" && typeof latestRevisionId === "string") {
    if (latestRevisionId !== managedRevisionId) {
      reasons.push(`revision ${latestRevisionId} was made outside of this program`);
    }
    if (typeof status === "string" && hasFailed(status))
      reasons.push(`revision ${managedRevisionId} ended as ${status}`);
  }
  return [...reasons, ...driftIn(state)];
}

/** What the last refresh found, as state keeps it. */
export function driftIn({ drift }: Properties): readonly string[] {
  return Array.isArray(drift) ? drift.filter((reason) => typeof reason === "string") : [];
}

/** True for a status that a revision stays in without being live. */
export function hasFailed(status: string): boolean {
  const { terminal, succeeded } = revisionStatusFact(status);
  return terminal && !succeeded;
}
