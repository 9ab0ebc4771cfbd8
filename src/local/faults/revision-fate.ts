/** How one revision goes, when it does not go well. */
export interface RevisionFate {
  /** The status that it ends with, after the statuses that lead there; one that services do not have is allowed. */
  readonly end?: string;
  /** All statuses from the first to the last, instead of the usual ones. */
  readonly walk?: readonly string[];
  /** The status in which it stays until `release()`. */
  readonly hold?: string;
  /** `status_message` of the end. */
  readonly message?: string;
  /** Lines of the build log (of the deploy log, when the end is DEPLOY_FAILED). */
  readonly log?: readonly string[];
}

const USUAL: RevisionFate = {};

/** The fates of the revisions to come, in the order in which those are made. */
export class RevisionFates {
  #waiting: RevisionFate[] = [];
  #gate = Promise.withResolvers<undefined>();

  push(fate: RevisionFate): void {
    this.#waiting.push(fate);
  }

  /** The fate of a revision that is made now. */
  take(): RevisionFate {
    return this.#waiting.shift() ?? USUAL;
  }

  /** Lets go on all revisions that are held now; later ones are held again. */
  release(): void {
    this.#gate.resolve(undefined);
    this.#gate = Promise.withResolvers<undefined>();
  }

  clear(): void {
    this.#waiting = [];
    this.release();
  }

  /** Settles at the next `release()`. */
  get released(): Promise<undefined> {
    return this.#gate.promise;
  }
}
