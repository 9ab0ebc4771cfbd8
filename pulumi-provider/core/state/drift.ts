import { hasFailed } from "../../../src/contract/revision-status.ts";
import { isSameId } from "../../../src/contract/uuid.ts";
import { internalsOf } from "./internals.ts";
import type { Properties } from "./state.ts";

/**
 * What is different from what our last update left, as sentences without values; the state has it after a refresh.
 * Without `foreign` only what became of our own revision counts, as long as it is the latest.
 */
export function driftOf(state: Properties, { foreign }: { readonly foreign: boolean }): readonly string[] {
  const { latestRevisionId: latest, managedRevisionId: ours, status } = state;
  const { drift = [] } = internalsOf(state);
  if (typeof ours !== "string" || typeof latest !== "string") return foreign ? drift : [];
  const isForeign = !isSameId(latest, ours);
  if (isForeign && !foreign) return [];
  return [
    ...(isForeign ? [`revision ${latest} was made outside this program`] : []),
    ...(typeof status === "string" && hasFailed(status) ? [`revision ${ours} ended as ${status}`] : []),
    ...(foreign ? drift : []),
  ];
}
