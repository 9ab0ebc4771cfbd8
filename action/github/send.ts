import type { Clock } from "../../src/http/clock.ts";
import { mayHaveBeenProcessed } from "../../src/http/errors.ts";
import type { Method } from "../../src/http/outcome.ts";
import type { RetryNotice } from "../../src/http/retry.ts";
import type { Sender } from "../../src/http/sender.ts";
import type { TransportAnswer } from "../../src/http/transport.ts";
import { messageOf } from "../../src/text/reasons.ts";
import { GitHubError } from "./errors.ts";
import { countStall, Gate, isStall, isStallReason } from "./gate.ts";
import type { RateLimits } from "./github-inputs.ts";

interface SendOptions {
  readonly sender: Sender;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly limits: RateLimits;
  /** A longer rate limit is not waited for; 90 s when not given. */
  readonly longestWaitMilliseconds?: number | undefined;
  /** GitHub asks to wait, and the request waits. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
}

export interface GitHubRequest {
  readonly method: Method;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A single attempt waits so long for its answer. */
const STALL_MILLISECONDS = 10_000;
const DEADLINE_MILLISECONDS = 30_000;
const LONGEST_WAIT_MILLISECONDS = 90_000;

/**
 * Sends requests to GitHub. What may be repeated is repeated by the sender; a POST that makes something new is not, and a
 * write of a comment is sent once and only at once, since what it says is old a moment later. A rate limit is waited for,
 * if the wait is short; once none is waited for any more, all other requests fail at once. So they do after one that
 * GitHub did not answer. A refusal is an answer; all else that fails is a GitHubError.
 */
export function sendTo({
  sender,
  clock,
  signal,
  limits,
  longestWaitMilliseconds = LONGEST_WAIT_MILLISECONDS,
  onRetry,
}: SendOptions): (request: GitHubRequest) => Promise<TransportAnswer> {
  const gate = new Gate(limits, { clock, signal, longestWaitMilliseconds });
  return async (request) => {
    const { method, url } = request;
    const isQuery = url.pathname.endsWith("/graphql");
    const isEdit = (method === "PATCH" || method === "DELETE") && /\/issues\/comments\/\d+$/.test(url.pathname);
    // What a new comment is based on is old by then, too: a list that had none.
    const ages = isEdit || (method === "POST" && /\/issues\/\d+\/comments$/.test(url.pathname));
    const isWrite = method !== "GET" && method !== "HEAD" && !isQuery;
    const send = async (): Promise<TransportAnswer> => {
      const begun = clock.now();
      try {
        const answer = await sender.send(
          {
            ...request,
            // A query and a state have the same end carried out twice.
            repeatable: method === "POST" && (isQuery || /\/statuses(\/[0-9a-f]+)?$/.test(url.pathname)),
            once: isEdit,
            stallMilliseconds: STALL_MILLISECONDS,
            attemptMilliseconds: STALL_MILLISECONDS,
            deadlineMilliseconds: Math.min(DEADLINE_MILLISECONDS, gate.patience),
            signal,
            // The caller needs the headers of these responses; the sender handles all others.
            isRead: ({ status }) => status >= 400 && status < 500 && status !== 408 && status !== 425,
          },
          (response) => response,
        );
        gate.answered(begun);
        return answer;
      } catch (error) {
        if (isStall(error)) gate.stalled(begun);
        throw error;
      }
    };
    try {
      for (;;) {
        const { hasWaited, refused } = await gate.pass({ isWrite, ages });
        if (refused) return refused;
        if (hasWaited && ages) throw new GitHubError("GitHub asked to wait before the write", { wasHeld: true });
        const answer = await send();
        const waited = await gate.meet(answer, (delayMilliseconds) => {
          const target = `${method} ${url.origin}${url.pathname}`;
          onRetry?.({ target, attempt: 1, mostAttempts: 2, delayMilliseconds, reason: "rate limit" });
        });
        if (waited === undefined) return answer;
        if (ages) throw new GitHubError("GitHub asked to wait after the write", { wasHeld: true });
      }
    } catch (error) {
      if (error instanceof GitHubError) throw error;
      const status = error instanceof Error && "status" in error ? Number(error.status) : undefined;
      const isOpen = mayHaveBeenProcessed(error);
      const wasHeld = isEdit && status === undefined && !isOpen && !signal.aborted;
      throw new GitHubError(messageOf(error), { status, mayHaveBeenProcessed: isOpen, wasHeld, cause: error });
    }
  };
}

/** What the sender of these requests tells of its retries: attempts without an answer count, also where a later one has one. */
export function countingStalls({
  limits,
  clock,
  onRetry,
}: Pick<SendOptions, "clock" | "limits" | "onRetry">): (notice: RetryNotice) => void {
  return (notice) => {
    const now = clock.now();
    if (isStallReason(notice.reason)) countStall(limits, now - STALL_MILLISECONDS, now);
    onRetry?.(notice);
  };
}
