import type { Clock } from "./clock.ts";
import { Silence } from "./silence.ts";

// How often a limit looks whether bytes have moved: a transfer that stalls ends so much later than the limit at most.
const WATCH_MILLISECONDS = 1_000;

const LAST_LOOK_MILLISECONDS = 1_000;
const SHARE_OF_LAST_LOOK = 0.1;

/** A transfer whose bytes are counted. */
interface Transfer {
  readonly bytes: () => number;
  /** How many there were at the last look, and when that was. */
  seen: number;
  at: number;
}

/**
 * How long an operation of many requests may take, from its first request on: a limit that someone has set. Time in which
 * the bytes of a transfer move does not count, nor does work on this machine.
 */
export class TimeLimit {
  /** The whole time, as it was set. */
  readonly milliseconds: number;
  /** How long the service may be silent within this time. */
  readonly silence: Silence;
  readonly #clock: Clock;
  #end?: number;
  #transfer: Transfer | undefined;

  /** `milliseconds`: the whole time. */
  constructor(clock: Clock, milliseconds: number, silence = new Silence(clock)) {
    this.#clock = clock;
    this.milliseconds = milliseconds;
    this.silence = silence;
  }

  /** The first request is sent now, unless there was one. */
  begin(): this {
    this.#end ??= this.#clock.now() + this.milliseconds;
    return this;
  }

  /** Milliseconds, negative once the time is over. */
  left(): number {
    return Math.min(this.#left(), this.silence.left());
  }

  #left(): number {
    this.#credit();
    return this.#end === undefined ? this.milliseconds : this.#end - this.#clock.now();
  }

  /** True once the time is over. */
  // Timers may fire a part of a millisecond early.
  isOver(): boolean {
    return this.left() < 1;
  }

  /** When to look again whether the time is over, milliseconds from now; at least 1. */
  nextLook(): number {
    return Math.max(1, Math.ceil(Math.min(this.left(), this.#transfer ? WATCH_MILLISECONDS : Infinity)));
  }

  /** How long to poll, milliseconds: the last look, right at the end of it, still has time for its response. */
  forLooks(): number {
    const left = Math.max(0, this.left());
    return left - Math.min(LAST_LOOK_MILLISECONDS, left * SHARE_OF_LAST_LOOK);
  }

  /** The same limit, which ends when this share of the time that is left has passed: the rest is for what follows. */
  early(share: number): TimeLimit {
    return this.#endingIn(share * this.#left());
  }

  /** The same limit, but with so much time left at least, milliseconds. */
  withAtLeast(milliseconds: number): TimeLimit {
    return this.#endingIn(Math.max(milliseconds, this.#left()));
  }

  /** As much time once more, from now on; the service may be silent for all of it. */
  again(): TimeLimit {
    return new TimeLimit(this.#clock, this.milliseconds).begin();
  }

  #endingIn(milliseconds: number): TimeLimit {
    const other = new TimeLimit(this.#clock, this.milliseconds, this.silence);
    other.#end = this.#clock.now() + milliseconds;
    return other;
  }

  /**
   * Work on this machine, whose time does not count.
   * @throws What the work throws.
   * @idempotence Sends nothing by itself.
   */
  async without<Result>(work: () => Promise<Result>): Promise<Result> {
    const start = this.#clock.now();
    try {
      return await work();
    } finally {
      this.#extend(this.#clock.now() - start);
    }
  }

  /**
   * A transfer, of which only the time counts in which no bytes move.
   * @throws What the work throws.
   * @idempotence Sends nothing by itself.
   */
  async whileMoving<Result>(bytes: () => number, work: () => Promise<Result>): Promise<Result> {
    this.#transfer = { bytes, seen: bytes(), at: this.#clock.now() };
    try {
      return await work();
    } finally {
      this.#credit();
      this.#transfer = undefined;
    }
  }

  // All time up to the last byte was needed, also on a line on which one chunk takes longer than a look.
  #credit(): void {
    if (!this.#transfer) return;
    const { bytes, seen, at } = this.#transfer;
    const now = bytes();
    if (now === seen) return;
    this.#transfer.seen = now;
    this.#transfer.at = this.#clock.now();
    this.silence.restart();
    this.#extend(this.#transfer.at - at);
  }

  #extend(milliseconds: number): void {
    if (this.#end !== undefined) this.#end += milliseconds;
  }
}

/** A limit for the requests of an operation, which begins with the first of them. */
export function limitOf(
  milliseconds: number,
  { clock, silenceMilliseconds }: { readonly clock: Clock; readonly silenceMilliseconds?: number | undefined },
): TimeLimit {
  return new TimeLimit(clock, milliseconds, new Silence(clock, silenceMilliseconds));
}
