import type { Clock } from "../../src/http/clock.ts";
import { mayHaveBeenProcessed } from "../../src/http/errors.ts";
import type { Method } from "../../src/http/outcome.ts";
import { retryAfterMilliseconds, sentAt, type RetryNotice } from "../../src/http/retry.ts";
import type { Sender } from "../../src/http/sender.ts";
import type { TransportAnswer } from "../../src/http/transport.ts";
import { GitHubError } from "./errors.ts";
import type { RateLimits } from "./github-inputs.ts";

/** How requests to GitHub are sent. */
export interface GitHubFetchOptions {
  readonly sender: Sender;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The address of the API: nothing is sent to another origin. */
  readonly api: URL;
  readonly limits: RateLimits;
  /** A longer rate limit is not waited for; 90 s when not given. */
  readonly longestWaitMilliseconds?: number | undefined;
  /** GitHub asks to wait, and the request waits. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
}

/** A request as octokit passes it to `fetch`. */
interface FetchRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What octokit takes as its `fetch`. */
export type GitHubFetch = (url: string, request?: FetchRequest) => Promise<Response>;

const STALL_MILLISECONDS = 10_000;
const DEADLINE_MILLISECONDS = 30_000;
// Without a time in the response, GitHub asks for at least a minute.
const UNNAMED_WAIT_MILLISECONDS = 60_000;
const LONGEST_WAIT_MILLISECONDS = 90_000;

/**
 * A `fetch` for octokit that sends through our sender: proxy, certificates, timeouts and masking are those of all
 * requests. It refuses other origins, since octokit follows any `Link` with the token. What may be repeated is repeated
 * by the sender; a POST that makes something new is not. A rate limit is waited for once, if the wait is short;
 * until it is over, all other requests fail at once.
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
  const send = async (url: URL, method: Method, { headers = {}, body }: FetchRequest): Promise<TransportAnswer> =>
    await sender.send(
      {
        method,
        url,
        headers,
        body: typeof body === "string" ? body : undefined,
        repeatable: method === "PATCH" || (method === "POST" && isRepeatable(url, body)),
        stallMilliseconds: STALL_MILLISECONDS,
        attemptMilliseconds: STALL_MILLISECONDS,
        deadlineMilliseconds: DEADLINE_MILLISECONDS,
        signal,
        // The caller needs the headers of these responses; the sender handles all others.
        isRead: ({ status }) => status >= 400 && status < 500 && status !== 408 && status !== 425,
      },
      (answer) => answer,
    );
  return async (text, request = {}) => {
    const url = new URL(text);
    if (url.origin !== api.origin) throw new GitHubError(`GitHub named an address at ${url.host}, which gets no token`);
    if (limits.limited !== undefined && clock.now() < limits.limited.until) return responseOf(limits.limited.answer);
    const method = methodOf(request.method);
    try {
      let answer = await send(url, method, request);
      const wait = limitOf(answer, clock.date());
      if (wait !== undefined && limits.mayWait && wait <= longestWaitMilliseconds) {
        limits.mayWait = false;
        const target = `${method} ${url.origin}${url.pathname}`;
        onRetry?.({ target, attempt: 1, mostAttempts: 2, delayMilliseconds: wait, reason: "rate limit" });
        await clock.sleep(wait, signal);
        answer = await send(url, method, request);
      }
      const left = limitOf(answer, clock.date());
      if (left !== undefined) limits.limited = { until: clock.now() + left, answer };
      return responseOf(answer);
    } catch (error) {
      if (error instanceof GitHubError) throw error;
      const status = error instanceof Error && "status" in error ? Number(error.status) : undefined;
      const message = error instanceof Error ? error.message : String(error);
      throw new GitHubError(message, { status, mayHaveBeenProcessed: mayHaveBeenProcessed(error), cause: error });
    }
  };
}

/** True for a POST that has the same end carried out twice: a status, or a query. */
function isRepeatable({ pathname }: URL, body: unknown): boolean {
  if (/\/statuses(\/[0-9a-f]+)?$/.test(pathname)) return true;
  return pathname.endsWith("/graphql") && typeof body === "string" && !body.includes("mutation");
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

const METHODS: ReadonlyMap<string, Method> = new Map(
  (["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"] as const).map((method) => [method, method]),
);

function methodOf(method = "GET"): Method {
  const known = METHODS.get(method);
  if (known === undefined) throw new GitHubError(`${method} is not sent to GitHub`);
  return known;
}

function responseOf({ status, headers, body }: TransportAnswer): Response {
  const isEmpty = status === 204 || status === 205 || body.byteLength === 0;
  return new Response(isEmpty ? null : new Uint8Array(body), { status, headers });
}
