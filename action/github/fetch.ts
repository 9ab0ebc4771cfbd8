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

export interface GitHubFetchOptions {
  readonly sender: Sender;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The address of the API: nothing is sent to another origin. */
  readonly api: URL;
  readonly limits: RateLimits;
  /** A longer rate limit is not waited for; 90 s when not given. */
  readonly longestWaitMilliseconds?: number;
  /** GitHub asks to wait, and the request waits. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
}

interface FetchRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export type GitHubFetch = (url: string, request?: FetchRequest) => Promise<Response>;

/** A single attempt waits so long for its answer. */
const STALL_MILLISECONDS = 10_000;
const DEADLINE_MILLISECONDS = 30_000;
const LONGEST_WAIT_MILLISECONDS = 90_000;

/**
 * A `fetch` for octokit that sends through our sender: proxy, certificates, timeouts and masking are those of all
 * requests. It refuses other origins, since octokit follows any `Link` with the token. What may be repeated is repeated
 * by the sender; a POST that makes something new is not, and a write of a comment is sent once and only at once, since
 * what it says is old a moment later. A rate limit is waited for, if the wait is short; once none is waited for any
 * more, all other requests fail at once. So they do after one that GitHub did not answer.
 */
export function makeGitHubFetch({
  sender,
  clock,
  signal,
  api,
  limits,
  longestWaitMilliseconds = LONGEST_WAIT_MILLISECONDS,
  onRetry,
}: GitHubFetchOptions): GitHubFetch {
  const gate = new Gate(limits, { clock, signal, longestWaitMilliseconds });
  const send = async (url: URL, method: Method, { headers = {}, body }: FetchRequest): Promise<TransportAnswer> => {
    const begun = clock.now();
    try {
      const answer = await sender.send(
        {
          method,
          url,
          headers,
          body: typeof body === "string" ? body : undefined,
          repeatable: method === "POST" && isRepeatable(url, body),
          once: isOfComment(method, url),
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
  return async (text, request = {}) => {
    const url = new URL(text);
    if (url.origin !== api.origin) throw new GitHubError(`GitHub named an address at ${url.host}, which gets no token`);
    const method = methodOf(request.method);
    const target = `${method} ${url.origin}${url.pathname}`;
    const isEdit = isOfComment(method, url);
    // What a new comment is based on is old by then, too: a list that had none.
    const ages = isEdit || (method === "POST" && /\/issues\/\d+\/comments$/.test(url.pathname));
    try {
      for (;;) {
        const { hasWaited, refused } = await gate.pass({ isWrite: isWrite(method, url, request.body), ages });
        if (refused) return responseOf(refused);
        if (hasWaited && ages) throw new GitHubError("GitHub asked to wait before the write", { wasHeld: true });
        const answer = await send(url, method, request);
        const waited = await gate.meet(answer, (delayMilliseconds) => {
          onRetry?.({ target, attempt: 1, mostAttempts: 2, delayMilliseconds, reason: "rate limit" });
        });
        if (waited === undefined) return responseOf(answer);
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

/** What the sender of a GitHubFetch tells of its retries: attempts without an answer count, also where a later one has one. */
export function countingStalls({
  limits,
  clock,
  onRetry,
}: Pick<GitHubFetchOptions, "clock" | "limits" | "onRetry">): (notice: RetryNotice) => void {
  return (notice) => {
    const now = clock.now();
    if (isStallReason(notice.reason)) countStall(limits, now - STALL_MILLISECONDS, now);
    onRetry?.(notice);
  };
}

/** True for a write of a comment that exists. */
function isOfComment(method: Method, { pathname }: URL): boolean {
  return (method === "PATCH" || method === "DELETE") && /\/issues\/comments\/\d+$/.test(pathname);
}

/** True for what counts as a write of content. */
function isWrite(method: Method, { pathname }: URL, body: unknown): boolean {
  if (method === "GET" || method === "HEAD") return false;
  return !(pathname.endsWith("/graphql") && isQuery(body));
}

function isQuery(body: unknown): boolean {
  return typeof body === "string" && !body.includes("mutation");
}

/** True for a POST that has the same end carried out twice: a status, or a query. */
function isRepeatable({ pathname }: URL, body: unknown): boolean {
  if (/\/statuses(\/[0-9a-f]+)?$/.test(pathname)) return true;
  return pathname.endsWith("/graphql") && isQuery(body);
}

const METHODS = ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"] as const;

function methodOf(method = "GET"): Method {
  const known = METHODS.find((each) => each === method);
  if (known === undefined) throw new GitHubError(`${method} is not sent to GitHub`);
  return known;
}

function responseOf({ status, headers, body }: TransportAnswer): Response {
  const isEmpty = status === 204 || status === 205 || body.byteLength === 0;
  return new Response(isEmpty ? null : new Uint8Array(body), { status, headers });
}
