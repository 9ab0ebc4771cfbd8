import { setImmediate as tick } from "node:timers/promises";
import type {
  OwnComment,
  PullRequestComments,
  WriteEnd,
} from "../../../../action/github/comment/pull-request-comments.ts";
import type { Clock } from "../../../../src/http/clock.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Time for several at once: it moves to whoever wakes up next when nothing else is left to do. */
export class VirtualTime implements Clock {
  readonly #sleepers: Sleeper[] = [];
  #now = 0;

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(Date.UTC(2026, 4, 4) + this.#now);
  }

  async sleep(milliseconds: number): Promise<void> {
    const at = this.#now + milliseconds;
    await new Promise<void>((wake) => {
      this.#sleepers.push({ at, wake });
    });
  }

  alarm(): () => void {
    return () => undefined;
  }

  /** Lets all of this happen, to its end. */
  async run<Result>(work: readonly Promise<Result>[]): Promise<readonly PromiseSettledResult<Result>[]> {
    const end = { isReached: false };
    const all = Promise.allSettled(work).finally(() => {
      end.isReached = true;
    });
    for (;;) {
      await tick();
      if (end.isReached) return await all;
      const next = this.#sleepers.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined) throw new Error("All wait for nothing.");
      this.#sleepers.splice(this.#sleepers.indexOf(next), 1);
      this.#now = next.at;
      next.wake();
    }
  }
}

/** What a pull request does to those who write below it. */
export interface Weather {
  /** The same numbers again and again make the same race. */
  readonly random: () => number;
  /** The longest way of a request or a response, milliseconds. */
  readonly way: number;
  /** How long a list does not know what was written. */
  readonly lag: number;
  /** How many of the creates lose their response. */
  readonly lost: number;
}

interface Stored {
  body: string;
  readonly since: number;
}

/** The comments of a pull request, with ways that take their time, and lists that lag behind. */
export class SlowComments implements PullRequestComments {
  readonly stored = new Map<number, Stored>();
  readonly counts = { list: 0, read: 0, create: 0, update: 0, remove: 0 };
  readonly #time: VirtualTime;
  readonly #weather: Weather;
  #id = 0;

  constructor(time: VirtualTime, weather: Weather) {
    this.#time = time;
    this.#weather = weather;
  }

  readonly list = async (): Promise<readonly OwnComment[]> =>
    await this.#call("list", () => {
      const seen = [...this.stored].filter(([, { since }]) => since + this.#weather.lag <= this.#time.now());
      return seen.map(([id, { body }]) => ({ id, body }));
    });

  readonly read = async (id: number): Promise<string | undefined> =>
    await this.#call("read", () => this.stored.get(id)?.body);

  readonly create = async (body: string): Promise<number | undefined> => {
    const id = await this.#call("create", () => {
      this.#id += 1;
      this.stored.set(this.#id, { body, since: this.#time.now() });
      return this.#id;
    });
    return this.#weather.random() < this.#weather.lost ? undefined : id;
  };

  readonly update = async (id: number, body: string): Promise<WriteEnd> => {
    return await this.#call("update", () => {
      const comment = this.stored.get(id);
      // As it comes back when a person has edited it.
      if (comment !== undefined) comment.body = body.replaceAll("\n", "\r\n");
      return "done";
    });
  };

  readonly remove = async (id: number): Promise<WriteEnd> => {
    return await this.#call("remove", () => {
      this.stored.delete(id);
      return "done";
    });
  };

  async #call<Result>(what: keyof SlowComments["counts"], work: () => Result): Promise<Result> {
    const { way, random } = this.#weather;
    this.counts[what] += 1;
    await this.#time.sleep(way * random());
    const result = work();
    await this.#time.sleep(way * random());
    return result;
  }
}

/** Numbers from 0 to 1 that are the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
