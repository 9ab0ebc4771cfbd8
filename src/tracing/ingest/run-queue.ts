import { PART_FIELDS, type PartField } from "../../contract/run.ts";
import { anyJson, cutJson, isBareObject } from "../client/any-json.ts";
import type { KeptText, TextStore } from "./text-store.ts";

/** `post` creates a run, `patch` adds to one. */
export type RunEvent = "patch" | "post";

/** One run to create or to add to, copied when it was handed over: what the caller changes later is not sent. */
export interface RunOperation {
  readonly event: RunEvent;
  readonly id: string;
  /** The fields of the main part; no object in them is the caller's. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The fields with a part of their own, as JSON; none is empty. */
  readonly parts: Readonly<Partial<Record<PartField, KeptText | string>>>;
  /** About how many bytes it has: the memory that it takes while it waits. */
  readonly size: number;
}

// An estimate of the names of the fields and the headers of the parts, which are written when the run is sent.
const HEAD_CHARACTERS = 300;

const PARTS: ReadonlySet<string> = new Set(["inputs", "outputs", "events"]);

/** Divides a run into its parts; null and undefined are not sent. `texts` has the long parts. */
export function runOperation(
  event: RunEvent,
  run: Readonly<Record<string, unknown>> & { readonly id: string },
  texts?: TextStore,
): RunOperation {
  const fields: Record<string, unknown> = {};
  const parts: Partial<Record<PartField, KeptText | string>> = {};
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
    const part = texts ? texts.keep(cutJson(value)) : anyJson(value);
    size += part.length;
    parts[field] = part;
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

/** The most that `take` returns. */
export interface Portion {
  readonly runs: number;
  /** As that of operations; a larger operation is taken alone. */
  readonly size: number;
}

/**
 * The operations that wait, in order of arrival. An addition to a waiting run becomes part of it; an addition to a run on
 * its way waits until `settle`, so that no addition overtakes its run.
 */
export class RunQueue {
  readonly #waiting = new PassingEntries<RunOperation>();
  /** The runs on their way, each with what was added to it since. */
  readonly #underway = new PassingEntries<RunOperation | undefined>();
  #size = 0;

  /** How many runs can be taken. */
  get ready(): number {
    return this.#waiting.map.size;
  }

  /** About how many bytes wait, additions to runs on their way included. */
  get size(): number {
    return this.#size;
  }

  /** The runs that wait or are on their way. */
  ids(): Set<string> {
    return new Set([...this.#waiting.map.keys(), ...this.#underway.map.keys()]);
  }

  /** True when the run, or an addition to it, waits or is on its way. */
  has(id: string): boolean {
    return this.#waiting.map.has(id) || this.#underway.map.has(id);
  }

  /** True when the run is on its way: what is added to it waits longer than others. */
  isUnderway(id: string): boolean {
    return this.#underway.map.has(id);
  }

  add(operation: RunOperation): void {
    const place = this.isUnderway(operation.id) ? this.#underway.map : this.#waiting.map;
    const earlier = place.get(operation.id);
    const now = earlier ? merged(earlier, operation) : operation;
    place.set(operation.id, now);
    this.#size += now.size - (earlier?.size ?? 0);
  }

  /** Takes the first that wait. They are on their way until `settle`. */
  take({ runs, size }: Portion): readonly RunOperation[] {
    const taken: RunOperation[] = [];
    let takenSize = 0;
    for (const operation of this.#waiting.map.values()) {
      const more = operation.size;
      if (taken.length === runs || (taken.length > 0 && takenSize + more > size)) break;
      taken.push(operation);
      takenSize += more;
    }
    for (const { id } of taken) {
      this.#waiting.delete(id);
      this.#underway.map.set(id, undefined);
    }
    this.#size -= takenSize;
    return taken;
  }

  /** Ends the way of these runs, whether they arrived or not. */
  settle(ids: readonly string[]): void {
    for (const id of ids) {
      const since = this.#underway.map.get(id);
      this.#underway.delete(id);
      if (since) this.#waiting.map.set(id, since);
    }
  }
}

/**
 * A Map of what comes and goes. V8 links each table that a Map outgrows to its next one: once one of them is old, all that
 * the later ones ever held stays in memory until a full collection. A copy has no such past.
 */
class PassingEntries<Value> {
  /** Another one after a delete: nobody keeps it, and only `delete` deletes. */
  map = new Map<string, Value>();
  #deleted = 0;

  delete(id: string): void {
    this.map.delete(id);
    this.#deleted += 1;
    if (this.#deleted <= this.map.size) return;
    this.map = new Map(this.map);
    this.#deleted = 0;
  }
}

/** Those who wait until all runs that they know of are settled. */
export class Flushes {
  readonly #flushes = new Set<{ readonly open: Set<string>; readonly done: PromiseWithResolvers<void> }>();

  get isAny(): boolean {
    return this.#flushes.size > 0;
  }

  /** Resolves when none of these runs waits or is on its way. */
  add(open: Set<string>): Promise<void> {
    const done: PromiseWithResolvers<void> = Promise.withResolvers();
    this.#flushes.add({ open, done });
    return done.promise;
  }

  /** These runs came to their end, apart from those that the queue still has. */
  settle(ids: readonly string[], queue: RunQueue): void {
    for (const flush of this.#flushes) {
      // An addition to a run on its way waits now.
      for (const id of ids) if (!queue.has(id)) flush.open.delete(id);
      if (flush.open.size > 0) continue;
      this.#flushes.delete(flush);
      flush.done.resolve();
    }
  }
}
