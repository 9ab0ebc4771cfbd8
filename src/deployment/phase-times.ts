import { revisionStatusFact, type RevisionPhase } from "../contract/revision-status.ts";

type Waiting = Exclude<RevisionPhase, "end">;

/** Adds up how long a revision spends in each phase of its way, in milliseconds. */
export class PhaseTimes {
  readonly #times = new Map<Waiting, number>();
  #phase: RevisionPhase = "end";
  #since = 0;

  enter(status: string, at: number): void {
    this.#close(at);
    this.#phase = revisionStatusFact(status).phase;
    this.#since = at;
  }

  end(at: number): ReadonlyMap<Waiting, number> {
    this.#close(at);
    this.#phase = "end";
    return this.#times;
  }

  #close(at: number): void {
    if (this.#phase === "end") return;
    this.#times.set(this.#phase, (this.#times.get(this.#phase) ?? 0) + at - this.#since);
  }
}
