import { merged, sizeOf, type RunOperation } from "./run-operation.ts";

/** How much is taken at once. */
export interface Portion {
  readonly runs: number;
  /** Characters; one operation is taken even if it is longer. */
  readonly size: number;
}

/**
 * What waits to be sent, in the order in which it came. What is added to a run that still waits becomes part of it; what
 * is added to one that is on its way waits until that has arrived, so that no addition overtakes its run.
 */
export class RunQueue {
  readonly #waiting = new Map<string, RunOperation>();
  /** The runs on their way, and what was added to them since. */
  readonly #underway = new Map<string, RunOperation | undefined>();
  #size = 0;

  /** How many runs can be taken. */
  get ready(): number {
    return this.#waiting.size;
  }

  /** About how many characters wait, also for runs that are on their way. */
  get size(): number {
    return this.#size;
  }

  /** True when nothing waits and nothing is on its way. */
  get isEmpty(): boolean {
    return this.#waiting.size === 0 && this.#underway.size === 0;
  }

  add(operation: RunOperation): void {
    const isUnderway = this.#underway.has(operation.id);
    const place = isUnderway ? this.#underway : this.#waiting;
    const earlier = place.get(operation.id);
    const now = earlier === undefined ? operation : merged(earlier, operation);
    place.set(operation.id, now);
    this.#size += sizeOf(now) - (earlier === undefined ? 0 : sizeOf(earlier));
  }

  /** Takes the first that wait; they are on their way then, until `settle`. */
  take({ runs, size }: Portion): readonly RunOperation[] {
    const taken: RunOperation[] = [];
    let takenSize = 0;
    for (const operation of this.#waiting.values()) {
      const more = sizeOf(operation);
      if (taken.length === runs || (taken.length > 0 && takenSize + more > size)) break;
      taken.push(operation);
      takenSize += more;
    }
    for (const { id } of taken) {
      this.#waiting.delete(id);
      this.#underway.set(id, undefined);
    }
    this.#size -= takenSize;
    return taken;
  }

  /** These have arrived, or never will. */
  settle(ids: readonly string[]): void {
    for (const id of ids) {
      const since = this.#underway.get(id);
      this.#underway.delete(id);
      if (since !== undefined) this.#waiting.set(id, since);
    }
  }
}
