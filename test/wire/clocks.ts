import { setImmediate as tick } from "node:timers/promises";
import type { Clock } from "../../src/http/clock.ts";

interface Alarm {
  readonly ring: () => void;
  left: number;
}

/** A clock that only moves when somebody sleeps or when a test moves it. */
export class SimulatedClock implements Clock {
  /** Each pause so far, milliseconds. */
  readonly sleeps: number[] = [];
  readonly #alarms = new Set<Alarm>();
  #now = 0;

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(Date.UTC(2026, 0, 1) + this.#now);
  }

  /** Time passes while something else happens: the alarms that are due ring. */
  pass(milliseconds: number): void {
    this.#now += milliseconds;
    // One that rings may set another.
    for (const alarm of [...this.#alarms]) {
      alarm.left -= milliseconds;
      if (alarm.left <= 0 && this.#alarms.delete(alarm)) alarm.ring();
    }
  }

  /** Takes no time, so that what an alarm is set for cannot be late by it. */
  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.sleeps.push(milliseconds);
    this.#now += milliseconds;
    await this.turn();
    signal?.throwIfAborted();
  }

  alarm(milliseconds: number, ring: () => void): () => void {
    const alarm = { ring, left: milliseconds };
    this.#alarms.add(alarm);
    return () => {
      this.#alarms.delete(alarm);
    };
  }

  protected async turn(): Promise<void> {
    await Promise.resolve();
  }
}

/** One for tests with real servers: it shows a date of today, and lets what waits for the network run at each pause. */
export class FastClock extends SimulatedClock {
  /** What happens elsewhere during the next pause. */
  meanwhile: (() => Promise<void>) | undefined;
  readonly #start = Date.now();

  override date(): Date {
    return new Date(this.#start + this.now());
  }

  protected override async turn(): Promise<void> {
    const { meanwhile } = this;
    this.meanwhile = undefined;
    await meanwhile?.();
    await tick();
  }
}
