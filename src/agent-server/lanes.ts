import { EventEmitter, once } from "node:events";

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
  #concurrency: number;
  #open = 0;
  #quiet = 0;
  #halvings = 0;
  readonly #freed = new EventEmitter().setMaxListeners(0);

  constructor(most: number) {
    this.#most = most;
    this.#concurrency = most;
  }

  get concurrency(): number {
    return this.#concurrency;
  }

  /** The server works on so many at a time. */
  bound(most: number): void {
    this.#most = Math.min(this.#most, most);
    this.#concurrency = Math.min(this.#concurrency, most);
  }

  /** Waits until one more may be open; throws once the signal fires. */
  async take(signal: AbortSignal): Promise<Lane> {
    signal.throwIfAborted();
    while (this.#open >= this.#concurrency) await once(this.#freed, "lane", { signal });
    this.#open += 1;
    const halvings = this.#halvings;
    return {
      inFlight: this.#open,
      pushedBack: () => {
        this.#quiet = 0;
        if (halvings !== this.#halvings || this.#concurrency === 1) return false;
        this.#halvings += 1;
        this.#concurrency = Math.floor(this.#concurrency / 2);
        return true;
      },
      [Symbol.dispose]: () => {
        this.#open -= 1;
        this.#freed.emit("lane");
      },
    };
  }

  /** A run ended, and the server had taken it at once. */
  quiet(): void {
    this.#quiet += 1;
    if (this.#quiet < QUIET_ENDS || this.#concurrency >= this.#most) return;
    this.#quiet = 0;
    this.#concurrency += 1;
    this.#freed.emit("lane");
  }
}
