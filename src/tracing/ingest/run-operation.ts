import { PART_FIELDS, type PartField } from "../../contract/run.ts";
import { anyJson } from "../client/any-json.ts";
import { isBareObject } from "../client/any-json.ts";

/** `post` creates a run, `patch` adds to one. */
export type RunEvent = "patch" | "post";

/** One run to create or to add to, copied when it was handed over: what the caller changes later is not sent. */
export interface RunOperation {
  readonly event: RunEvent;
  readonly id: string;
  /** The fields of the main part; no object in them is the caller's. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The fields with a part of their own, as JSON; none is empty. */
  readonly parts: Readonly<Partial<Record<PartField, string>>>;
  /** About how many characters it has: the memory that it takes while it waits. */
  readonly size: number;
}

// An estimate of the names of the fields and the headers of the parts, which are written when the run is sent.
const HEAD_CHARACTERS = 300;

const PARTS: ReadonlySet<string> = new Set(["inputs", "outputs", "events"]);

/** Divides a run into its parts; null and undefined are not sent. */
export function runOperation(
  event: RunEvent,
  run: Readonly<Record<string, unknown>> & { readonly id: string },
): RunOperation {
  const fields: Record<string, unknown> = {};
  const parts: Partial<Record<PartField, string>> = {};
  let size = HEAD_CHARACTERS;
  // A loop: lists of entries for each run would take half of the time.
  for (const field in run) {
    const value = run[field];
    if (PARTS.has(field) || value == null) continue;
    if (typeof value === "object") {
      const json = anyJson(value);
      size += json.length;
      fields[field] = JSON.parse(json);
    } else {
      if (typeof value === "string") size += value.length;
      fields[field] = value;
    }
  }
  for (const field of PART_FIELDS) {
    const value = run[field];
    if (isEmpty(value)) continue;
    const json = anyJson(value);
    size += json.length;
    parts[field] = json;
  }
  return { event, id: run.id, fields, parts, size };
}

/**
 * Two operations on one run as one. The later value of a field wins, but an addition always wins over the creation, even
 * if it came first.
 */
export function merged(first: RunOperation, later: RunOperation): RunOperation {
  const [below, above] = first.event === "patch" && later.event === "post" ? [later, first] : [first, later];
  const { event, id } = below;
  return {
    event,
    id,
    fields: { ...below.fields, ...above.fields },
    parts: { ...below.parts, ...above.parts },
    size: below.size + above.size,
  };
}

// The service takes only parts with a value that is not empty.
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (typeof value !== "object") return false;
  try {
    if (Array.isArray(value)) return value.length === 0;
    if (!isBareObject(value)) return false;
    for (const _ in value) return false;
    return true;
  } catch {
    // A proxy that throws counts as a value.
    return false;
  }
}
