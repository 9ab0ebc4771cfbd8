// How many runs have to end before one more may be open.
const QUIET_ENDS = 10;

/** One open run, until it is disposed of. */
export interface Lane extends Disposable {
  /** How many were open when it began, with itself. */
  readonly inFlight: number;
  /** The server asked to wait: half as many may be open. True if that is news; a wave of refusals is one. */
  pushedBack(): boolean;
}

/** How many runs are open at a time: fewer while the server asks to wait, and then slowly more again. */
export class Lanes {
  #most: number;
  #limit: number;
  #open = 0;
  #quiet = 0;
  #halvings = 0;
  #waiting: ((_: unknown) => void)[] = [];

  constructor(most: number) {
    this.#most = most;
    this.#limit = most;
  }

  /** How many may be open now. */
  get concurrency(): number {
    return this.#limit;
  }

  /** The server works on so many at a time. */
  bound(most: number): void {
    this.#most = Math.min(this.#most, most);
    this.#limit = Math.min(this.#limit, most);
  }

  /** Waits until one more may be open; throws the reason of the signal. */
  async take(signal: AbortSignal): Promise<Lane> {
    signal.throwIfAborted();
    while (this.#open >= this.#limit) {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      this.#waiting.push(resolve);
      signal.addEventListener("abort", resolve);
      await promise;
      signal.removeEventListener("abort", resolve);
      signal.throwIfAborted();
    }
    this.#open += 1;
    const halvings = this.#halvings;
    return {
      inFlight: this.#open,
      pushedBack: () => {
        this.#quiet = 0;
        if (halvings !== this.#halvings || this.#limit === 1) return false;
        this.#halvings += 1;
        this.#limit = Math.floor(this.#limit / 2);
        return true;
      },
      [Symbol.dispose]: () => {
        this.#open -= 1;
        this.#wake();
      },
    };
  }

  /** A run ended, and the server had taken it at once. */
  quiet(): void {
    this.#quiet += 1;
    if (this.#quiet < QUIET_ENDS || this.#limit >= this.#most) return;
    this.#quiet = 0;
    this.#limit += 1;
    this.#wake();
  }

  // All: one that was aborted meanwhile would swallow the only call, and the others look again.
  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve(undefined);
  }
}
