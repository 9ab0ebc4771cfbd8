import type { Answer } from "./answer.ts";

/** Which requests a fault may hit; the path is below `/api/v3`, without the query, or `/graphql`. */
export interface Match {
  readonly method?: string;
  readonly path?: RegExp;
}

/** What happens to one request. */
export interface Fault {
  /** Happens first: another user's edit between a read and a write, or a wait. */
  readonly before?: () => Promise<void> | void;
  /** What is answered without doing anything. */
  readonly instead?: (now: Date) => Answer;
  /** True when it is done, and its answer is lost with the connection. */
  readonly isLost?: boolean;
  /** The same, and it is not done. */
  readonly isCut?: boolean;
  /** The connection ends, and it is done later, when this decides. */
  readonly later?: (act: () => void) => void;
  /** What the answer waits for, once it is done. */
  readonly after?: () => Promise<void>;
}

/** How often a fault has happened. */
export interface FaultHandle {
  readonly hits: number;
}

/** The faults that are to happen, in order; each hits the next requests that match. */
export class Faults {
  /** What a request meets that no rule is for. */
  otherwise: (method: string, path: string) => Fault = () => ({});
  readonly #rules: { readonly match: Match; readonly fault: Fault; left: number; hits: number }[] = [];

  /** The next `times` requests that match meet this fault. */
  add(match: Match, fault: Fault, times = 1): FaultHandle {
    const rule = { match, fault, left: times, hits: 0 };
    this.#rules.push(rule);
    return rule;
  }

  clear(): void {
    this.#rules.length = 0;
    this.otherwise = () => ({});
  }

  /** The fault that this request meets. */
  take(method: string, path: string): Fault {
    const rule = this.#rules.find(({ match, left }) => {
      return left > 0 && (match.method ?? method) === method && (match.path?.test(path) ?? true);
    });
    if (rule === undefined) return this.otherwise(method, path);
    rule.left -= 1;
    rule.hits += 1;
    return rule.fault;
  }
}

/** Done, and the answer is lost. */
export const lost: Fault = { isLost: true };
/** Lost on its way: not done. */
export const cut: Fault = { isCut: true };

/** Another user acts first. */
export function meanwhile(act: () => Promise<void> | void): Fault {
  return { before: act };
}

/** An answer instead of what was asked for. */
export function refused(status: number, message = "Server Error", headers: Record<string, string> = {}): Fault {
  return { instead: () => ({ status, headers, body: { message } }) };
}

/** The repository's requests of this hour are used up; more of them after so many seconds. */
export function primaryLimit(seconds: number): Fault {
  const message = "API rate limit exceeded for installation.";
  const headers = (now: Date) => ({
    "x-ratelimit-limit": "1000",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(Math.ceil(now.getTime() / 1000) + seconds),
  });
  return { instead: (now) => ({ status: 403, headers: headers(now), body: { message } }) };
}

/** Too much in a short time; without `retryAfter` GitHub wants at least a minute. */
export function secondaryLimit(retryAfter?: number, status: 403 | 429 = 403): Fault {
  const message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
  return refused(status, message, retryAfter === undefined ? {} : { "retry-after": String(retryAfter) });
}

/** The token may not, and GitHub says what it would have to have. */
export function forbidden(accepted: string): Fault {
  return refused(403, "Resource not accessible by integration", { "x-accepted-github-permissions": accepted });
}

/** A record is not made, since the default branch was merged into the ref. */
export const mergedInstead: Fault = refused(202, "Auto-merged main into topic on deployment.");
