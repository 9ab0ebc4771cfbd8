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

const USUAL: RevisionFate = {};

/** The fates of the next revisions, in order of creation. */
export class RevisionFates {
  #waiting: RevisionFate[] = [];
  #gate = Promise.withResolvers<undefined>();

  push(fate: RevisionFate): void {
    this.#waiting.push(fate);
  }

  take(): RevisionFate {
    return this.#waiting.shift() ?? USUAL;
  }

  /** Releases all revisions that are held now; later ones are held again. */
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
