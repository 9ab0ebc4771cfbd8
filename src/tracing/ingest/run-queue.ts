import { merged, type RunOperation } from "./run-operation.ts";

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

  /** The runs that wait or are on their way. */
  ids(): Set<string> {
    return new Set([...this.#waiting.keys(), ...this.#underway.keys()]);
  }

  /** True when something of the run waits or is on its way. */
  has(id: string): boolean {
    return this.#waiting.has(id) || this.#underway.has(id);
  }

  add(operation: RunOperation): void {
    const isUnderway = this.#underway.has(operation.id);
    const place = isUnderway ? this.#underway : this.#waiting;
    const earlier = place.get(operation.id);
    const now = earlier === undefined ? operation : merged(earlier, operation);
    place.set(operation.id, now);
    this.#size += now.size - (earlier?.size ?? 0);
  }

  /** Takes the first that wait; they are on their way then, until `settle`. */
  take({ runs, size }: Portion): readonly RunOperation[] {
    const taken: RunOperation[] = [];
    let takenSize = 0;
    for (const operation of this.#waiting.values()) {
      const more = operation.size;
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
