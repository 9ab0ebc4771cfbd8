import type { Clock } from "../../src/http/clock.ts";
import { NetworkError, TimeoutError } from "../../src/http/errors.ts";
import { sentAt, retryAfterMilliseconds } from "../../src/http/retry.ts";
import type { TransportAnswer } from "../../src/http/transport.ts";
import { GitHubError } from "./errors.ts";
import type { RateLimits } from "./github-inputs.ts";

/** Requests that are not answered take so long in all. */
export const MOST_STALLED_MILLISECONDS = 60_000;
// What takes longer than that is slow.
const SLOW_MILLISECONDS = 1_000;
/** After a request that was not answered, others fail at once for so long. */
export const REST_MILLISECONDS = 5_000;
// GitHub takes 80 writes of content a minute from a repository; others of its jobs write too.
const MOST_WRITES_A_MINUTE = 72;
const MINUTE_MILLISECONDS = 60_000;
// Without a time in the response, GitHub asks for at least a minute.
const UNNAMED_WAIT_MILLISECONDS = 60_000;

interface GateOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** No single wait is longer. */
  readonly longestWaitMilliseconds: number;
}

/** Lets requests to GitHub through: when its limits allow them, and while it answers. */
export class Gate {
  readonly #limits: RateLimits;
  readonly #clock: Clock;
  readonly #options: GateOptions;

  constructor(limits: RateLimits, options: GateOptions) {
    this.#limits = limits;
    this.#clock = options.clock;
    this.#options = options;
    const { timeoutMilliseconds } = limits;
    if (timeoutMilliseconds !== undefined) limits.end ??= this.#clock.now() + timeoutMilliseconds;
  }

  /** How long a request may wait for its response. */
  get patience(): number {
    return MOST_STALLED_MILLISECONDS - (this.#limits.stalls?.milliseconds ?? 0);
  }

  /** Passes a request; `ages`: what it says is old after a wait. `refused` is the response that GitHub has given to all until later. */
  async pass({ isWrite, ages }: { readonly isWrite: boolean; readonly ages: boolean }): Promise<{
    readonly hasWaited: boolean;
    readonly refused?: TransportAnswer;
  }> {
    const limits = this.#limits;
    const { stalls } = limits;
    if (this.patience < 1_000) throw new GitHubError("GitHub has taken more than a minute to respond, in all");
    if (stalls && this.#clock.now() < stalls.until) {
      throw new GitHubError("GitHub did not respond to an earlier request");
    }
    let hasWaited = false;
    while (limits.limited && this.#clock.now() < limits.limited.until) {
      const { answer, until } = limits.limited;
      if (limits.patience === undefined || !this.#mayWait(until)) return { hasWaited, refused: answer };
      await this.#waitUntil(until);
      hasWaited = true;
    }
    // What was old after a wait is not sent, and takes no turn.
    if (!isWrite || (hasWaited && ages)) return { hasWaited };
    return { hasWaited: (await this.#waitForWrite({ isTaken: !ages })) || hasWaited };
  }

  /** What a response says about limits: how long was waited for one, undefined if it says nothing or is not waited for. */
  async meet(answer: TransportAnswer, onWait: (milliseconds: number) => void): Promise<number | undefined> {
    const milliseconds = limitOf(answer, this.#clock.date());
    if (milliseconds === undefined) return undefined;
    const until = this.#clock.now() + milliseconds;
    const mayWait = this.#mayWait(until);
    // A patient step holds back its other requests meanwhile.
    if (!mayWait || this.#limits.patience !== undefined) this.#limits.limited = { until, answer };
    if (!mayWait) return undefined;
    onWait(milliseconds);
    await this.#waitUntil(until);
    return milliseconds;
  }

  /** A request has its answer: where nothing depends on it, one that was slow counts as well. */
  answered(begun: number): void {
    const now = this.#clock.now();
    if (this.#limits.countsSlow === true && now - begun > SLOW_MILLISECONDS) countStall(this.#limits, begun, now);
  }

  /** A request has ended without an answer: others fail for a while. */
  stalled(begun: number): void {
    const now = this.#clock.now();
    countStall(this.#limits, begun, now);
    if (this.#limits.stalls) this.#limits.stalls = { ...this.#limits.stalls, until: now + REST_MILLISECONDS };
  }

  #mayWait(until: number): boolean {
    const { mayWait, patience, end = Infinity } = this.#limits;
    if (until - this.#clock.now() > this.#options.longestWaitMilliseconds || until > end) return false;
    return patience === undefined ? mayWait : this.#uncounted(until) <= patience;
  }

  #uncounted(until: number): number {
    return Math.max(0, until - Math.max(this.#clock.now(), this.#limits.waitedUntil ?? -Infinity));
  }

  async #waitUntil(until: number): Promise<void> {
    const limits = this.#limits;
    limits.mayWait = false;
    // One that is over at once counts too, so that there is an end to them.
    if (limits.patience !== undefined) limits.patience -= Math.max(1_000, this.#uncounted(until));
    limits.waitedUntil = Math.max(until, limits.waitedUntil ?? -Infinity);
    await this.#sleepUntil(until);
  }

  /** Waits for the turn of a write; true if it was not at once. A turn that is not taken after a wait is for the next. */
  async #waitForWrite({ isTaken }: { readonly isTaken: boolean }): Promise<boolean> {
    const limits = this.#limits;
    const now = this.#clock.now();
    const recent = (limits.writes ?? []).filter((at) => Math.abs(at - now) < MINUTE_MILLISECONDS);
    const at = Math.max(now, (recent.at(-MOST_WRITES_A_MINUTE) ?? -Infinity) + MINUTE_MILLISECONDS);
    // A write whose turn it is goes out after the timeout, too: it says how the step has ended.
    if (at > now && at > (limits.end ?? Infinity)) {
      throw new GitHubError(
        "GitHub takes about 80 writes a minute, and the timeout of the step is over before the next",
      );
    }
    limits.writes = isTaken || at <= now ? [...recent, at] : recent;
    if (at <= now) return false;
    await this.#sleepUntil(at);
    return true;
  }

  async #sleepUntil(at: number): Promise<void> {
    const milliseconds = Math.max(0, at - this.#clock.now());
    this.#limits.askedMilliseconds = (this.#limits.askedMilliseconds ?? 0) + milliseconds;
    await this.#clock.sleep(milliseconds, this.#options.signal);
  }
}

/** Counts how long a request was not answered; what several waited for at the same time counts once. */
export function countStall(limits: RateLimits, begun: number, now: number): void {
  const { milliseconds, counted, until } = limits.stalls ?? { milliseconds: 0, counted: -Infinity, until: -Infinity };
  limits.stalls = { milliseconds: milliseconds + Math.max(0, now - Math.max(begun, counted)), counted: now, until };
}

/** True for the reason of a retry after an attempt that was not answered in time. */
export function isStallReason(reason: string): boolean {
  return reason === "timed out" || /TIMEOUT|ETIMEDOUT/.test(reason);
}

export function isStall(error: unknown): boolean {
  if (error instanceof TimeoutError) return true;
  return error instanceof NetworkError && isStallReason(error.networkCode);
}

/** How long GitHub asks to wait, milliseconds; undefined for a response that is not about a rate limit. */
function limitOf({ status, headers, body }: TransportAnswer, here: Date): number | undefined {
  // GraphQL reports its limit in a success.
  const isOfQuery = status === 200 && headers["x-ratelimit-remaining"] === "0" && body.includes('"RATE_LIMITED"');
  if (status !== 403 && status !== 429 && !isOfQuery) return undefined;
  const now = sentAt(headers, here);
  const asked = retryAfterMilliseconds(headers["retry-after"], now);
  if (asked !== undefined) return asked;
  if (headers["x-ratelimit-remaining"] === "0") {
    const reset = Number(headers["x-ratelimit-reset"]) * 1_000 - now.getTime();
    return Number.isFinite(reset) ? Math.max(0, reset) : UNNAMED_WAIT_MILLISECONDS;
  }
  const isSecondary = status === 429 || /secondary rate limit|abuse detection/i.test(body.toString("utf8"));
  return isSecondary ? UNNAMED_WAIT_MILLISECONDS : undefined;
}
