import { GraphDeployError, type ErrorOptionsWithAdvice } from "../contract/graph-deploy-error.ts";
import type { ValidationError } from "../contract/validation-error.ts";
import { countOf } from "../text/number.ts";

/** What to do about a response that is not of the API. */
export const ADVICE_ADDRESS = "Check that the URL is that of the API, with its path prefix if it has one.";

/** What every error of a request names. */
export interface ExchangeFacts extends ErrorOptionsWithAdvice {
  /** `GET https://host/path`, without query. */
  readonly target: string;
}

/** What an error of a request that took too long says besides. */
export interface TimeoutFacts {
  /** True if the server may have carried the request out. */
  readonly mayHaveBeenProcessed: boolean;
  /** What took too long: the beginning of a response, or its end. */
  readonly verb?: "end" | "respond";
  /** The time is the limit of the whole operation, which someone has set. False when not given. */
  readonly isLimit?: boolean | undefined;
}

const ADVICE_LIST = "Check that the URL is that of the service. Looking something up by its id does not need the list.";

/** What an error of a response says besides its status and its reasons. */
export interface StatusFacts {
  /** The reasons as data; none when not given. */
  readonly violations?: readonly ValidationError[] | undefined;
  /** The server's id of the request. */
  readonly requestId?: string | undefined;
  /** Follows the status in the message, after a comma. */
  readonly note?: string | undefined;
  /** How long the server asks to wait, milliseconds. */
  readonly retryAfterMilliseconds?: number | undefined;
}

/** An address that cannot be used: no URL, or http where https is asked for. */
export class AddressError extends GraphDeployError {
  readonly code = "ADDRESS";
}

/** A credential that cannot be sent; its value is not repeated. */
export class CredentialsError extends GraphDeployError {
  readonly code = "CREDENTIALS";
}

/** The code of an error for a rejected credential (401), whatever the operation. */
export const UNAUTHORIZED = "UNAUTHORIZED";

/** The server responded with a status other than a success. */
export class HttpStatusError extends GraphDeployError {
  /** `UNAUTHORIZED` for 401. */
  readonly code: "HTTP_STATUS" | typeof UNAUTHORIZED;
  /** `GET https://host/path`, without query. */
  readonly target: string;
  readonly status: number;
  /** The server's reasons, a line each; without the rejected input. */
  readonly details: readonly string[];
  /**
   * The same as data, where the server sends `detail` as a list of `{ loc, msg, type }`, as with a 422: 20 at most. The
   * texts are cut, and without secrets, line breaks and characters that nobody sees; `type` is empty if it is not a word.
   */
  readonly violations: readonly ValidationError[];
  /** The server's id of the request, for a question to its operator. */
  readonly requestId: string | undefined;
  /** How long the server asks to wait, milliseconds. */
  readonly retryAfterMilliseconds: number | undefined;

  constructor(
    status: number,
    details: readonly string[],
    { target, requestId, note, retryAfterMilliseconds, violations = [], ...options }: ExchangeFacts & StatusFacts,
  ) {
    const said = details.length === 0 ? "" : `: ${details.join("; ")}`;
    const id = requestId === undefined ? "" : ` (request ${requestId})`;
    super(`${target} returned ${String(status)}${note === undefined ? "" : `, ${note}`}${said}${id}`, {
      advice: adviceForStatus(status, details.length > 0),
      reasons: status === 413 ? ["BODY_TOO_LARGE"] : [],
      ...options,
    });
    this.code = status === 401 ? UNAUTHORIZED : "HTTP_STATUS";
    this.target = target;
    this.status = status;
    this.details = details;
    this.violations = violations;
    this.requestId = requestId;
    this.retryAfterMilliseconds = retryAfterMilliseconds;
  }
}

/** The request did not arrive, or its response did not come back. */
export class NetworkError extends GraphDeployError {
  readonly code = "NETWORK";
  /** `GET https://host/path`, without query. */
  readonly target: string;
  /** The code of the system or of undici: `ECONNRESET`, `UND_ERR_SOCKET`. */
  readonly networkCode: string;
  /** True when the server may have carried the request out. */
  readonly mayHaveBeenProcessed: boolean;

  constructor(
    networkCode: string,
    what: string,
    { target, mayHaveBeenProcessed, ...options }: ExchangeFacts & { mayHaveBeenProcessed: boolean },
  ) {
    super(`${target} failed: ${what} (${networkCode})`, options);
    this.target = target;
    this.networkCode = networkCode;
    this.mayHaveBeenProcessed = mayHaveBeenProcessed;
  }
}

/** An attempt, or all attempts together, took too long. */
export class TimeoutError extends GraphDeployError {
  readonly code = "TIMEOUT";
  /** `GET https://host/path`, without query. */
  readonly target: string;
  readonly seconds: number;
  readonly mayHaveBeenProcessed: boolean;
  /** True if the time of the whole operation was over, and not that of this request alone. */
  readonly isLimit: boolean;

  constructor(
    seconds: number,
    { target, mayHaveBeenProcessed, verb = "respond", isLimit = false, ...options }: ExchangeFacts & TimeoutFacts,
  ) {
    const time = `${isLimit ? "the timeout of " : ""}${String(Math.round(seconds * 10) / 10)} s`;
    super(`${target} did not ${verb} within ${time}`, options);
    this.target = target;
    this.seconds = seconds;
    this.mayHaveBeenProcessed = mayHaveBeenProcessed;
    this.isLimit = isLimit;
  }
}

/** The service has not responded for as long as the operation asks it: there is no time to ask again. */
export class UnreachedError extends GraphDeployError {
  readonly code = "UNREACHED";
  readonly mayHaveBeenProcessed: boolean;

  /** `cause`: the failure of the last request. */
  constructor(cause: NetworkError | TimeoutError) {
    super(cause.message, { cause, advice: cause.advice });
    this.mayHaveBeenProcessed = cause.mayHaveBeenProcessed;
  }
}

/** A success whose body is not the JSON of this API. */
export class InvalidResponseError extends GraphDeployError {
  readonly code = "INVALID_RESPONSE";
  /** `GET https://host/path`, without query. */
  readonly target: string;
  readonly mayHaveBeenProcessed = true;

  constructor(what: string, { target, advice = ADVICE_ADDRESS, ...options }: ExchangeFacts) {
    super(`${target} returned an unexpected response body: ${what}`, { ...options, advice });
    this.target = target;
  }
}

/** A redirect, which is not followed: credentials would go to another address. */
export class RedirectError extends GraphDeployError {
  readonly code = "REDIRECT";
  readonly status: number;
  /** With its port. */
  readonly host: string;

  /** `address`: where it leads, without query; the host alone where the rest may be secret. */
  constructor(
    status: number,
    host: string,
    { target, address = host, ...options }: ExchangeFacts & { address?: string },
  ) {
    super(`${target} returned ${String(status)}, a redirect to ${address}, which is not followed`, {
      advice: "If that is a page to sign in, the address is not that of the API: use the final address of the API.",
      ...options,
    });
    this.status = status;
    this.host = host;
  }
}

/** A list that exceeds its number of pages or its timeout. */
export class EndlessListError extends GraphDeployError {
  readonly code = "ENDLESS_LIST";
  /** How many were read. */
  readonly pages: number;

  /** `deadlineMilliseconds`: the time that was too short; without it the list has too many pages. */
  constructor(
    what: string,
    {
      pages,
      deadlineMilliseconds,
      ...options
    }: ErrorOptionsWithAdvice & { readonly pages: number; readonly deadlineMilliseconds?: number },
  ) {
    const read = countOf(pages, "page");
    const within =
      deadlineMilliseconds === undefined ? read : `${String(Math.round(deadlineMilliseconds / 100) / 10)} s (${read})`;
    super(`${what} did not end within ${within}`, { advice: ADVICE_LIST, ...options });
    this.pages = pages;
  }
}

/** True if a request may have been carried out although it failed. */
export function mayHaveBeenProcessed(error: unknown): boolean {
  if (error instanceof NetworkError || error instanceof TimeoutError || error instanceof UnreachedError) {
    return error.mayHaveBeenProcessed;
  }
  if (error instanceof HttpStatusError) return error.status === 408 || error.status >= 500;
  return error instanceof InvalidResponseError;
}

/** True if the same request may succeed a little later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof HttpStatusError) return [408, 425, 429].includes(error.status) || error.status >= 500;
  return error instanceof NetworkError || error instanceof TimeoutError || error instanceof InvalidResponseError;
}

/** True if the server responded with one of these statuses. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): error is HttpStatusError {
  return error instanceof HttpStatusError && statuses.includes(error.status);
}

/** What a read that failed has found: nothing, where the server responded with one of these statuses. */
export function noneIf(...statuses: readonly number[]): (error: unknown) => undefined {
  return (error) => {
    if (!hasStatus(error, ...statuses)) throw error;
  };
}

/** The code of an error with this cause: a rejected credential keeps its own code, which programs look for. */
export function codeAfter<const Code extends string>(cause: unknown, code: Code): Code | typeof UNAUTHORIZED {
  return hasStatus(cause, 401) ? UNAUTHORIZED : code;
}

/** True if the service does not have the endpoint. */
export function isMissingEndpoint(error: unknown): error is HttpStatusError {
  return hasStatus(error, 404, 405, 501);
}

function adviceForStatus(status: number, hasReason: boolean): string | undefined {
  if (status === 401) return "Check the API key: it is missing, wrong or expired.";
  if (status === 403) {
    // A quota or a disabled feature has the same status.
    const check = hasReason ? "If the service gives no other reason, check" : "Check";
    return `${check} that the API key may do this, and set the tenant id if the key belongs to several workspaces.`;
  }
  if (status === 400 || status === 422) return "Correct the error that the service reports, and run again.";
  if (status === 413) return "The service does not accept a request body of this size.";
  if (status === 429) return "The service limits the rate of requests; run again later.";
  if (status >= 500) return "The service failed; run again later.";
  return undefined;
}
