import { PART_FIELDS, type PartField } from "../../contract/run.ts";
import { anyJson } from "../client/any-json.ts";
import { isBareObject } from "../client/any-json.ts";

/** What an operation does: makes a run, or adds to one. */
export type RunEvent = "patch" | "post";

/** One run to be made or added to, as it was when it was handed over: what the caller changes later is not sent. */
export interface RunOperation {
  readonly event: RunEvent;
  readonly id: string;
  /** The fields that travel together; no object in them is the caller's. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The fields that travel alone, as JSON; none is empty. */
  readonly parts: Readonly<Partial<Record<PartField, string>>>;
  /** About how long it is, characters: the memory that it takes while it waits. */
  readonly size: number;
}

// The names of the fields and what stands around the parts, as a guess: they are written when the run is sent.
const HEAD_CHARACTERS = 300;

const PARTS: ReadonlySet<string> = new Set(["inputs", "outputs", "events"]);

/** Takes a run apart; what is null or undefined is not sent. */
export function runOperation(
  event: RunEvent,
  run: Readonly<Record<string, unknown>> & { readonly id: string },
): RunOperation {
  const fields: Record<string, unknown> = {};
  const parts: Partial<Record<PartField, string>> = {};
  let size = HEAD_CHARACTERS;
  // A loop: this is done for each run, and lists of entries would be half of the time.
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
 * A run and what was added to it before it was sent, as one: what came later wins, and what adds to a run over what makes
 * it, also where it came first.
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

// The service's rule: a part is there only when its value is not empty.
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (typeof value !== "object") return false;
  try {
    if (Array.isArray(value)) return value.length === 0;
    if (!isBareObject(value)) return false;
    for (const _ in value) return false;
    return true;
  } catch {
    // A proxy that refuses to be looked at is something.
    return false;
  }
}
