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
