import { onAbort } from "./on-abort.ts";
import type { Clock } from "./clock.ts";
import { AddressError, TimeoutError } from "./errors.ts";
import { afterSilence, FailedAttempt, timeLimitFailure, timeoutFailure, toFailure, tooLateNote } from "./failure.ts";
import { classify } from "./outcome.ts";
import { printableUrl } from "./base-url.ts";
import type { TextRedactor } from "./redactor.ts";
import { GarbageError, refusal, shownLines } from "./bad-response.ts";
import { hideSent, type HideSent, type PrivateBody } from "./sent-echo.ts";
import type { TimeLimit } from "./time-limit.ts";
import { retryAfterMilliseconds, backoffMilliseconds, retry, RetryBudget, sentAt, type RetryNotice } from "./retry.ts";
import type { OpenAnswer, Transport, TransportAnswer, TransportRequest } from "./transport.ts";

const MOST_ATTEMPTS = 4;

/** One request, and how long it may take. */
export interface SendRequest extends TransportRequest {
  /** What of the body no error may repeat; nothing is hidden when not given. */
  readonly privately?: PrivateBody | undefined;
  /** A POST or PATCH that is safe to carry out twice. */
  readonly repeatable?: boolean | undefined;
  /** Sent once, whatever comes of it: what it says is old a moment later. */
  readonly once?: boolean | undefined;
  /** How long one attempt may take in all, milliseconds. */
  readonly attemptMilliseconds: number;
  /** How long all attempts and the pauses between them may take, milliseconds. */
  readonly deadlineMilliseconds: number;
  /** The limit of the operation that the request is part of; nothing is sent once it is over. */
  readonly timeLimit?: TimeLimit | undefined;
  /** The name of a request whose address is secret in messages; `METHOD https://host/path` when not given. */
  readonly label?: string;
  /** Removes secrets from the messages about this request; that of the sender when not given. */
  readonly redactor?: TextRedactor;
  /** True for a response that is read although it is not a success; when not given, only successes are read. */
  readonly isRead?: (answer: TransportAnswer) => boolean;
}

/** One request whose response is read while it arrives. */
export interface StreamRequest extends Omit<SendRequest, "isRead"> {
  readonly body: Buffer | string | undefined;
  /** How long the response may take from its beginning to its end, milliseconds. */
  readonly longestMilliseconds: number;
}

export interface SenderOptions {
  readonly transport: Transport;
  readonly redactor: TextRedactor;
  readonly clock: Clock;
  readonly random?: () => number;
  readonly onRetry: ((notice: RetryNotice) => void) | undefined;
}

/**
 * Sends requests with retries: bounded in attempts and time and by a budget that all requests share, with full jitter. A
 * request that is not safe to repeat is retried only if the server did not process it.
 */
export class Sender {
  readonly #options: SenderOptions;
  readonly #clock: Clock;
  readonly #budget = new RetryBudget();

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#clock = options.clock;
  }

  /**
   * Sends until a response succeeds, and passes it to `read`, which throws a `GarbageError` for a body that is not of
   * this API.
   */
  async send<Result>(request: SendRequest, read: (answer: TransportAnswer) => Result): Promise<Result> {
    return await this.#untilSuccess(request, async (sent) => {
      const answer = await this.#options.transport.send(sent);
      const isRead = isSuccess(answer) || request.isRead?.(answer) === true;
      return isRead ? { value: read(answer) } : { refused: answer };
    });
  }

  /**
   * Like `send`, for a response that may be a stream: `open` reads such a one while it arrives, within the time of the
   * attempt, and returns undefined for another one, which is read whole.
   */
  async sendOpen<Result>(
    request: SendRequest & Pick<StreamRequest, "body">,
    open: (answer: OpenAnswer) => Promise<Result> | undefined,
    read: (answer: TransportAnswer) => Result,
  ): Promise<Result> {
    return await this.#untilSuccess(request, async (sent) => {
      const begun = await this.#options.transport.open({ ...sent, body: request.body });
      try {
        const whole = async () => ({ ...begun, body: await begun.body.whole() });
        if (!isSuccess(begun)) return { refused: await whole() };
        const opened = open(begun);
        return { value: opened ? await opened : read(await whole()) };
      } finally {
        begun.body.close();
      }
    });
  }

  /**
   * Like `send` until a successful response begins; then yields what `read` makes of its body while it arrives. The
   * bounds on attempts apply to the beginning: after it, the server's silence, `longestMilliseconds` and the signal end
   * the response, and there is no retry. Closing the generator closes the connection.
   */
  async *stream<Part>(
    request: StreamRequest,
    read: (answer: OpenAnswer) => AsyncIterable<Part>,
  ): AsyncGenerator<Part, void, undefined> {
    const answer = await this.#untilSuccess(request, async (sent) => {
      const { body } = request;
      const begun = await this.#options.transport.open({ ...sent, body });
      return isSuccess(begun) ? { value: begun } : { refused: { ...begun, body: await begun.body.whole() } };
    });
    const target = targetOf(request);
    const { longestMilliseconds } = request;
    const over = new AbortController();
    const cut = () => {
      answer.body.close();
    };
    const hush = this.#clock.alarm(longestMilliseconds, () => {
      over.abort();
      cut();
    });
    const stopHearing = onAbort(request.signal, cut);
    try {
      yield* read(answer);
    } catch (error) {
      request.signal.throwIfAborted();
      if (over.signal.aborted) {
        const facts = { target, mayHaveBeenProcessed: true, verb: "end" } as const;
        throw new TimeoutError(longestMilliseconds / 1000, facts);
      }
      if (error instanceof GarbageError) throw error.toUserError(target, request.redactor ?? this.#options.redactor);
      throw toFailure(error, target).error;
    } finally {
      hush();
      stopHearing();
      answer.body.close();
    }
  }

  async #untilSuccess<Result>(request: SendRequest, exchange: Exchange<Result>): Promise<Result> {
    const target = targetOf(request);
    const { timeLimit: limit } = request;
    const end = this.#clock.now() + request.deadlineMilliseconds;
    limit?.begin();
    const work = async (attempt: number): Promise<Result> => {
      const result = await this.#attempt(request, exchange, target, end);
      this.#budget.refill({ retried: attempt > 1 });
      return result;
    };
    // Throws the error of the request when no other attempt may follow.
    const pauseAfter = async (error: unknown, attempt: number): Promise<number> => {
      if (!(error instanceof FailedAttempt)) throw error;
      const { outcome, hintMilliseconds: hint, toError } = error;
      const verdict = classify(request.method, outcome);
      const mayRepeat = verdict === "retry" || (verdict === "ambiguous" && request.repeatable === true);
      if (!mayRepeat || attempt === MOST_ATTEMPTS || request.once === true) throw await toError();
      const { random = Math.random, onRetry } = this.#options;
      const delayMilliseconds = backoffMilliseconds(attempt, hint, random);
      // Timers may fire a part of a millisecond early: no attempt is begun for that.
      const left = Math.floor(Math.min(end - this.#clock.now(), limit?.left() ?? Number.POSITIVE_INFINITY));
      if (delayMilliseconds >= left) throw await toError(hint !== undefined && hint >= left ? hint : undefined);
      if (!this.#budget.take()) throw await toError();
      onRetry?.({ target, attempt, mostAttempts: MOST_ATTEMPTS, delayMilliseconds, reason: error.message });
      return delayMilliseconds;
    };
    return await retry(work, pauseAfter, { clock: this.#clock, signal: request.signal }).catch((error: unknown) => {
      throw afterSilence(error, limit);
    });
  }

  async #attempt<Result>(
    request: SendRequest,
    exchange: Exchange<Result>,
    target: string,
    end: number,
  ): Promise<Result> {
    request.signal.throwIfAborted();
    const { timeLimit: limit } = request;
    if (limit?.isOver() === true) throw FailedAttempt.of(timeLimitFailure(limit, target, { wasSent: false }));
    limit?.silence.begin();
    const milliseconds = Math.max(1, Math.ceil(Math.min(request.attemptMilliseconds, end - this.#clock.now())));
    const over = new AbortController();
    const stopHearing = onAbort(request.signal, () => {
      over.abort(request.signal.reason);
    });
    const stopAlarm = this.#alarm(milliseconds, limit, () => {
      over.abort();
    });
    const redactor = request.redactor ?? this.#options.redactor;
    try {
      const result = await exchange({ ...request, signal: over.signal });
      limit?.silence.end();
      if ("value" in result) return result.value;
      const answer = result.refused;
      const sent = sentAt(answer.headers, this.#clock.date());
      const hintMilliseconds = retryAfterMilliseconds(answer.headers["retry-after"], sent);
      const toError = async (asked?: number) =>
        refusal(answer, {
          ...{ url: request.url, target, redactor, retryAfterMilliseconds: hintMilliseconds },
          hidesAddress: request.label !== undefined,
          hide: await hidden(request, shownLines(answer, redactor)),
          note: asked === undefined ? undefined : tooLateNote(asked, limit, end - this.#clock.now()),
        });
      throw new FailedAttempt({ kind: "status", status: answer.status }, toError, hintMilliseconds);
    } catch (error) {
      if (error instanceof FailedAttempt) throw error;
      request.signal.throwIfAborted();
      if (error instanceof AddressError) throw error;
      if (error instanceof GarbageError) {
        limit?.silence.end();
        const toError = async () =>
          error.toUserError(target, redactor, await hidden(request, error.shownLines(redactor)));
        if (!error.mayImprove) throw await toError();
        throw new FailedAttempt({ kind: "garbage" }, toError);
      }
      if (!over.signal.aborted) throw FailedAttempt.of(toFailure(error, target));
      throw FailedAttempt.of(
        limit?.isOver() === true
          ? timeLimitFailure(limit, target, { wasSent: true })
          : timeoutFailure(milliseconds, target),
      );
    } finally {
      stopAlarm();
      stopHearing();
    }
  }

  /** Rings after so many milliseconds, or when the limit is over, which a transfer may put off. */
  #alarm(milliseconds: number, limit: TimeLimit | undefined, ring: () => void): () => void {
    if (!limit) return this.#clock.alarm(milliseconds, ring);
    const end = this.#clock.now() + milliseconds;
    const arm = (): (() => void) =>
      this.#clock.alarm(Math.max(1, Math.ceil(Math.min(end - this.#clock.now(), limit.nextLook()))), () => {
        if (limit.isOver() || end - this.#clock.now() < 1) ring();
        else stop = arm();
      });
    let stop = arm();
    return () => {
      stop();
    };
  }
}

/** One attempt: the value of a success, or the response that is not one. */
type Exchange<Result> = (
  sent: TransportRequest,
) => Promise<{ readonly value: Result } | { readonly refused: TransportAnswer }>;

async function hidden({ privately, signal }: SendRequest, lines: readonly string[]): Promise<HideSent | undefined> {
  return privately && (await hideSent(lines, privately, signal));
}

function isSuccess({ status }: Pick<TransportAnswer, "status">): boolean {
  return status >= 200 && status < 300;
}

function targetOf({ label, method, url }: SendRequest): string {
  return label ?? `${method} ${printableUrl(url)}`;
}
