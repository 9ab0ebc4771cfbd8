/** The fates of what comes next, in the order in which it comes. */
export class Fates<Fate extends object> {
  readonly #usual: Fate;
  #waiting: Fate[] = [];
  #gate = Promise.withResolvers<undefined>();

  constructor(usual: Fate) {
    this.#usual = usual;
  }

  push(fate: Fate): void {
    this.#waiting.push(fate);
  }

  take(): Fate {
    return this.#waiting.shift() ?? this.#usual;
  }

  /** Releases all that is held now; what comes later is held again. */
  release(): void {
    this.#gate.resolve(undefined);
    this.#gate = Promise.withResolvers<undefined>();
  }

  clear(): void {
    this.#waiting = [];
    this.release();
  }

  /** Resolves at the next `release()`. */
  get released(): Promise<undefined> {
    return this.#gate.promise;
  }
}

/** How a revision proceeds, if not as usual. */
export interface RevisionFate {
  /** The last status, after the statuses that lead to it; an unknown one is allowed. */
  readonly end?: string;
  /** All statuses, instead of the usual ones. */
  readonly walk?: readonly string[];
  /** Stays in this status until `release()`. */
  readonly hold?: string;
  /** The `status_message` of the last status. */
  readonly message?: string;
  /** Lines of the build log, or of the deploy log if `end` is DEPLOY_FAILED. */
  readonly log?: readonly string[];
}

/** How a run of the built-in agent proceeds, if not as usual. */
export interface RunFate {
  /** Stays in this status until `faults.runs.release()`: `pending` before a worker takes it, or `running` after that. */
  readonly hold?: "pending" | "running";
  /** A first attempt fails: its stream has an event `error`, and the run goes on. */
  readonly recovers?: boolean;
  /** With a state of nothing, with a question to a human, or with an error of the server; as usual if absent. */
  readonly end?: "empty" | "error" | "interrupted";
  /** The connection of its stream breaks after the first state; the run goes on. */
  readonly cut?: boolean;
  /** Time before each event of its stream, milliseconds; 0 if absent. */
  readonly pauseMilliseconds?: number;
}
