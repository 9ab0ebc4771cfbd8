import { merged, type RunOperation } from "./run-operation.ts";

/** The most that `take` returns. */
export interface Portion {
  readonly runs: number;
  /** Characters; a longer operation is taken alone. */
  readonly size: number;
}

/**
 * The operations that wait, in order of arrival. An addition to a waiting run becomes part of it; an addition to a run on
 * its way waits until `settle`, so that no addition overtakes its run.
 */
export class RunQueue {
  readonly #waiting = new Map<string, RunOperation>();
  /** The runs on their way, each with what was added to it since. */
  readonly #underway = new Map<string, RunOperation | undefined>();
  #size = 0;

  /** How many runs can be taken. */
  get ready(): number {
    return this.#waiting.size;
  }

  /** About how many characters wait, additions to runs on their way included. */
  get size(): number {
    return this.#size;
  }

  /** The runs that wait or are on their way. */
  ids(): Set<string> {
    return new Set([...this.#waiting.keys(), ...this.#underway.keys()]);
  }

  /** True when the run, or an addition to it, waits or is on its way. */
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

  /** Takes the first that wait. They are on their way until `settle`. */
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

  /** Ends the way of these runs, whether they arrived or not. */
  settle(ids: readonly string[]): void {
    for (const id of ids) {
      const since = this.#underway.get(id);
      this.#underway.delete(id);
      if (since !== undefined) this.#waiting.set(id, since);
    }
  }
}
