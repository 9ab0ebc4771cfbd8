import type { Reporter, WarningEvent } from "./reporters.ts";

/** The facts that an event changes; undefined where it changes none. */
export type Learn<Event, Facts> = (event: Event | WarningEvent, facts: Facts) => Partial<Facts> | undefined;

/** Collects the facts of a run, from which the log's end, the outputs and the job summary follow. */
export class Ledger<Event, Facts extends object> implements Reporter<Event> {
  readonly name = "outputs";
  readonly #learn: Learn<Event, Facts>;
  #facts: Facts;

  /** `facts` are those before the first event. */
  constructor(facts: Facts, learn: Learn<Event, Facts>) {
    this.#facts = facts;
    this.#learn = learn;
  }

  get facts(): Facts {
    return this.#facts;
  }

  report(event: Event | WarningEvent): void {
    this.#facts = { ...this.#facts, ...this.#learn(event, this.#facts) };
  }
}
