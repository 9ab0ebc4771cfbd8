import { revisionStatusFact } from "../../../src/contract/revision-status.ts";
import { isSameId } from "../../../src/contract/uuid.ts";
import { internalsOf } from "./internals.ts";
import type { Properties } from "./state.ts";

/**
 * What is different from what our last update left, as sentences without values; the state has it after a refresh.
 * Without `foreign` only what became of our own revision counts, as long as it is the latest.
 */
export function driftOf(state: Properties, { foreign }: { readonly foreign: boolean }): readonly string[] {
  const { latestRevisionId: latest, managedRevisionId: ours, status } = state;
  if (typeof ours !== "string" || typeof latest !== "string") return foreign ? driftIn(state) : [];
  const isForeign = !isSameId(latest, ours);
  if (isForeign && !foreign) return [];
  return [
    ...(isForeign ? [`revision ${latest} was made outside this program`] : []),
    ...(typeof status === "string" && hasFailed(status) ? [`revision ${ours} ended as ${status}`] : []),
    ...(foreign ? driftIn(state) : []),
  ];
}

/** What the last refresh found, as state keeps it. */
export function driftIn(state: Properties): readonly string[] {
  const { drift } = internalsOf(state);
  return Array.isArray(drift) ? drift.filter((reason) => typeof reason === "string") : [];
}

/** The properties that a refresh has set to what the service shows. */
export function shownIn(state: Properties): readonly string[] {
  const { shown } = internalsOf(state);
  return Array.isArray(shown) ? shown.filter((key) => typeof key === "string") : [];
}

/** True for a status that a revision stays in without being live. */
export function hasFailed(status: string): boolean {
  const { terminal, succeeded } = revisionStatusFact(status);
  return terminal && !succeeded;
}
