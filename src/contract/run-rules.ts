import { parseDottedOrder } from "./dotted-order.ts";
import { parseInstant } from "./instant.ts";
import { MOST_NAME_CHARACTERS, type Run } from "./run.ts";

/** What is wrong with a run, and in which of its fields. */
export interface RunFault {
  readonly field: string;
  /** Follows the name of the field: "is longer than 128 characters". */
  readonly what: string;
}

type Place = Pick<Run, "dotted_order" | "id" | "parent_run_id" | "trace_id">;

/**
 * Why a service refuses a run that a batch makes; empty for one that it takes. `made` is false for one that the batch
 * adds to, which needs its place in the trace, and nothing else.
 */
export function runFaults(run: Run, { made }: { readonly made: boolean }): readonly RunFault[] {
  return [...(made ? missingFaults(run) : []), ...nameFaults(run), ...timeFaults(run), ...placeFaults(run, made)];
}

function missingFaults(run: Run): readonly RunFault[] {
  const needed = ["name", "run_type", "start_time"] as const;
  return needed.filter((field) => run[field] == null).map((field) => ({ field, what: "is missing" }));
}

function nameFaults({ name }: Run): readonly RunFault[] {
  if (name == null) return [];
  if (name === "") return [{ field: "name", what: "is empty" }];
  if (name.length <= MOST_NAME_CHARACTERS) return [];
  return [{ field: "name", what: `is longer than ${String(MOST_NAME_CHARACTERS)} characters` }];
}

function timeFaults(run: Run): readonly RunFault[] {
  const times = ["start_time", "end_time"] as const;
  return times.filter((field) => !isTime(run[field])).map((field) => ({ field, what: "is not an ISO 8601 time" }));
}

function isTime(value: number | string | null | undefined): boolean {
  if (typeof value === "number") return Number.isFinite(value) && value >= 0;
  return value == null || parseInstant(value) !== undefined;
}

/** `dotted_order` says where in its trace a run is, and all the ids have to agree with it. */
function placeFaults(run: Place, made: boolean): readonly RunFault[] {
  const { id, trace_id: trace, parent_run_id: parent, dotted_order: order } = run;
  const missing = [...(trace == null ? ["trace_id"] : []), ...(order == null ? ["dotted_order"] : [])];
  if (trace == null || order == null) return missing.map((field) => ({ field, what: "is missing" }));
  const fault = (what: string): readonly RunFault[] => [{ field: "dotted_order", what }];
  const places = parseDottedOrder(order);
  if (places === undefined) return fault("must be segments like 20240102T030405678901Z and a UUID, joined by dots");
  const [root] = places;
  const [own, above] = [places.at(-1), places.at(-2)];
  if (!isSame(own?.id, id)) return fault("does not end with the id of the run");
  if (!isSame(root?.id, trace)) return [{ field: "trace_id", what: "does not match the first part of dotted_order" }];
  // What adds to a run need not name the parent again.
  if (made && parent == null && places.length > 1) return fault("must be a single part for a run without a parent");
  if (parent != null && !isSame(above?.id, parent)) {
    return [{ field: "parent_run_id", what: "does not match the part of dotted_order before the last" }];
  }
  const early = places.findIndex(({ startMicroseconds }, at) => {
    const before = places[at - 1];
    return before !== undefined && startMicroseconds < before.startMicroseconds;
  });
  return early === -1 ? [] : fault(`has a part ${String(early + 1)} that starts before its parent`);
}

function isSame(left: string | undefined, right: string): boolean {
  return left?.toLowerCase() === right.toLowerCase();
}
