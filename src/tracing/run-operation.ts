import { PART_FIELDS, type PartField } from "../contract/run.ts";
import { anyJson } from "./any-json.ts";

/** What an operation does: makes a run, or adds to one. */
export type RunEvent = "patch" | "post";

/** One run to be made or added to, as it was when it was handed over: what the caller changes later is not sent. */
export interface RunOperation {
  readonly event: RunEvent;
  readonly id: string;
  /** The fields that travel together. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The fields that travel alone, as JSON; none is empty. */
  readonly parts: Readonly<Partial<Record<PartField, string>>>;
}

// What the fields that travel together take, as a guess: they are written when the run is sent.
const FIELDS_CHARACTERS = 600;

const PARTS: Readonly<Record<string, true | undefined>> = { inputs: true, outputs: true, events: true };

/** Takes a run apart; what is null or undefined is not sent. */
export function runOperation(
  event: RunEvent,
  run: Readonly<Record<string, unknown>> & { readonly id: string },
): RunOperation {
  const fields: Record<string, unknown> = {};
  const parts: Partial<Record<PartField, string>> = {};
  // A loop: this is done for each run, and lists of entries would be half of the time.
  for (const field in run) {
    const value = run[field];
    if (PARTS[field] === undefined && value != null) fields[field] = value;
  }
  for (const field of PART_FIELDS) {
    const value = run[field];
    if (!isEmpty(value)) parts[field] = anyJson(value);
  }
  return { event, id: run.id, fields, parts };
}

/** A run and what was added to it before it was sent, as one: what came later wins. */
export function merged(first: RunOperation, later: RunOperation): RunOperation {
  const { event, id } = first;
  return { event, id, fields: { ...first.fields, ...later.fields }, parts: { ...first.parts, ...later.parts } };
}

/** About how long the operation is, characters: the memory that it takes while it waits. */
export function sizeOf({ parts: { inputs = "", outputs = "", events = "" } }: RunOperation): number {
  return FIELDS_CHARACTERS + inputs.length + outputs.length + events.length;
}

// Service.md §4.3: a part is there only when its value is not empty.
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value !== "object") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.keys(value).length === 0;
}
