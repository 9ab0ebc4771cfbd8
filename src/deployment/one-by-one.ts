import type { Turns } from "./deps.ts";

/** Runs the work of many callers one at a time, in the order of their calls. */
export class OneByOne implements Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Fails as the work does; the next one begins all the same. */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return await turn;
  }
}
