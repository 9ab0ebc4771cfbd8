// The runner sends SIGINT, SIGTERM 7.5 s later, and kills 2.5 s after that: ProcessInvoker.cs of actions/runner.
const GRACE_MILLISECONDS = 4_500;

/** Turns the signals of the runner into an abort, and into an exit when the run does not end by itself in time. */
export class Cancellation implements Disposable {
  readonly #controller = new AbortController();
  readonly #process: NodeJS.Process;
  readonly #onGraceOver: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(process: NodeJS.Process, onGraceOver: () => void) {
    this.#process = process;
    this.#onGraceOver = onGraceOver;
    process.on("SIGINT", this.#cancel);
    process.on("SIGTERM", this.#cancel);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly #cancel = (): void => {
    this.#controller.abort();
    this.#timer ??= setTimeout(this.#onGraceOver, GRACE_MILLISECONDS);
  };

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#process.off("SIGINT", this.#cancel);
    this.#process.off("SIGTERM", this.#cancel);
  }
}
