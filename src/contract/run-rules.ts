import { parseDottedOrder } from "./dotted-order.ts";
import { parseInstant } from "./instant.ts";
import { MOST_NAME_CHARACTERS, RUN_TYPES, type Run } from "./run.ts";
import { isSameId, isUuid } from "./uuid.ts";

export interface RunFault {
  readonly field: string;
  /** Follows the name of the field: "is not an ISO 8601 time". */
  readonly what: string;
}

type Place = Pick<Run, "dotted_order" | "id" | "parent_run_id" | "trace_id">;

/**
 * What breaks the contract in a run that a batch makes; empty for a run that keeps it. `made` is false for one that the batch
 * adds to, which needs its place in the trace, and nothing else.
 */
export function runFaults(run: Run, { made }: { readonly made: boolean }): readonly RunFault[] {
  const needed = made ? (["name", "run_type", "start_time"] as const) : [];
  const times = ["start_time", "end_time"] as const;
  return [
    ...needed.filter((field) => run[field] == null).map((field) => ({ field, what: "is missing" })),
    ...times.flatMap((field) => {
      const time = run[field];
      const isTime =
        typeof time === "number" ? time >= 0 && time < Infinity : time == null || parseInstant(time) !== undefined;
      return isTime ? [] : [{ field, what: "is not an ISO 8601 time" }];
    }),
    ...placeFaults(run, made),
  ];
}

/** `dotted_order` says where in its trace a run is, and all the ids have to agree with it. */
function placeFaults(run: Place, made: boolean): readonly RunFault[] {
  const { id, trace_id: trace, parent_run_id: parent, dotted_order: order } = run;
  const missing = [...(trace == null ? ["trace_id"] : []), ...(order == null ? ["dotted_order"] : [])];
  if (trace == null || order == null) return missing.map((field) => ({ field, what: "is missing" }));
  const fault = (what: string): readonly RunFault[] => [{ field: "dotted_order", what }];
  const places = parseDottedOrder(order);
  if (!places) return fault("must be segments like 20240102T030405678901Z and a UUID, joined by dots");
  const [root] = places;
  const [own, above] = [places.at(-1), places.at(-2)];
  if (!isSameId(own?.id, id)) return fault("does not end with the id of the run");
  if (!isSameId(root?.id, trace)) return [{ field: "trace_id", what: "does not match the first part of dotted_order" }];
  // What adds to a run need not name the parent again.
  if (made && parent == null && places.length > 1) return fault("must be a single part for a run without a parent");
  if (parent != null && !isSameId(above?.id, parent)) {
    return [{ field: "parent_run_id", what: "does not match the part of dotted_order before the last" }];
  }
  return [];
}

/**
 * True for a run that ends before it starts. Some clients take one of the two times in milliseconds and the other in
 * microseconds, so less than a millisecond is no difference.
 */
export function endsBeforeStart(startMicroseconds: number, endMicroseconds: number): boolean {
  return Math.floor(endMicroseconds / 1000) < Math.floor(startMicroseconds / 1000);
}

/** What a client says of such a run, as `runDoubts` does. */
export const ENDS_EARLY = "an `end_time` before its `start_time`";

const KNOWN_TYPES: ReadonlySet<string> = new Set(RUN_TYPES);

/** What some services reject in a run though it keeps the contract: a few set clauses that follow "a run with". */
export function runDoubts({ name, run_type: type, session_id: session, dotted_order: order }: Run): readonly string[] {
  const places = parseDottedOrder(order ?? "") ?? [];
  const isEarly = places.some(({ startMicroseconds: at }, index) => at < (places[index - 1]?.startMicroseconds ?? 0));
  return [
    ...(name === "" ? ["an empty name"] : []),
    ...(name != null && name.length > MOST_NAME_CHARACTERS
      ? [`a name of more than ${String(MOST_NAME_CHARACTERS)} characters`]
      : []),
    ...(type != null && !KNOWN_TYPES.has(type) ? ["a `run_type` other than the known ones"] : []),
    ...(session != null && !isUuid(session) ? ["a `session_id` that is not a UUID"] : []),
    ...(isEarly ? ["a `dotted_order` whose times go back"] : []),
  ];
}
