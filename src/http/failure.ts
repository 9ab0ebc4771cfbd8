import { setFields } from "../contract/set-fields.ts";
import { ADVICE_ADDRESS, NetworkError, TimeoutError, UnreachedError } from "./errors.ts";
import { leavesOpen, type Outcome } from "./outcome.ts";
import { ProxyFailure } from "./proxy-settings.ts";
import type { TimeLimit } from "./time-limit.ts";
import { tlsError } from "./tls-errors.ts";
import type { Reason } from "../contract/error-reasons.ts";
import type { GraphDeployError } from "../contract/graph-deploy-error.ts";

/** A failed attempt: its outcome, and the error to throw if it is the last. */
export interface Failure {
  readonly outcome: Outcome;
  readonly error: GraphDeployError;
}

/** Thrown within the retry loop, which decides what becomes of it: its error is made only if it is thrown. */
export class FailedAttempt extends Error {
  readonly outcome: Outcome;
  /** `asked`: the pause that the server asks for, if it is longer than the time left. */
  readonly toError: (asked?: number) => Error | Promise<Error>;
  /** How long the server asks to wait. */
  readonly hintMilliseconds: number | undefined;

  constructor(outcome: Outcome, toError: (asked?: number) => Error | Promise<Error>, hintMilliseconds?: number) {
    super(reasonOf(outcome));
    this.outcome = outcome;
    this.toError = toError;
    this.hintMilliseconds = hintMilliseconds;
  }

  /** One whose error is there. */
  static of({ outcome, error }: Failure): FailedAttempt {
    return new FailedAttempt(outcome, () => error);
  }
}

const SENTENCES: Readonly<Record<string, string>> = {
  EACCES: "the file to send cannot be read",
  EAI_AGAIN: "the name of the host could not be resolved",
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the connection was cut",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ENOENT: "the file to send is gone",
  ENOTFOUND: "the host does not exist",
  EPIPE: "the connection was cut",
  UND_ERR_BODY_TIMEOUT: "the response stalled",
  UND_ERR_CONNECT_TIMEOUT: "the host did not accept a connection in time",
  UND_ERR_DESTROYED: "the client was closed",
  UND_ERR_HEADERS_OVERFLOW: "the headers of the response are too large",
  UND_ERR_HEADERS_TIMEOUT: "the server stalled",
  UND_ERR_INVALID_ARG: "the request contains something that HTTP does not allow",
  UND_ERR_PRX_CONN: "the proxy closed the connection",
  UND_ERR_PRX_TLS: "the certificate of the proxy is for another host",
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: "the file changed while it was sent",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the response is shorter or longer than its Content-Length",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "the response is larger than 16 MiB",
  UND_ERR_SOCKET: "the connection was closed",
};

const ADVICE_NETWORK = "Check the address, the network and the proxy settings of this machine.";
const ADVICE_FILE = "Run again, and let nothing else change or remove the files of this run.";
// What is not about the network.
const ADVICE: Readonly<Record<string, string>> = {
  EACCES: ADVICE_FILE,
  ENOENT: ADVICE_FILE,
  UND_ERR_DESTROYED: "Close the client after its last request.",
  UND_ERR_HEADERS_OVERFLOW: ADVICE_ADDRESS,
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: ADVICE_FILE,
  UND_ERR_RES_EXCEEDED_MAX_SIZE: ADVICE_ADDRESS,
};
// undici says this only in the message, and closes the connection: 100 and 101 answer what a request of ours never asks.
const MISPLACED: ReadonlyMap<string, string> = new Map([
  ["bad response", "the server sent 100 Continue, for which the request had not asked"],
  ["bad upgrade", "the server switched to another protocol, for which the request had not asked"],
]);
const ADVICE_MISPLACED =
  "Let the server, or the gateway in front of it, send statuses 100 and 101 only to requests that ask for them.";
const ADVICE_PROXY = "Check the proxy settings of this machine: HTTP_PROXY, HTTPS_PROXY and NO_PROXY.";

/** Classifies what undici or Node threw; by code, because a bundle may hold the class twice. */
export function toFailure(error: unknown, target: string): Failure {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : "an unknown error";
  // undici leaves the code of a parser error out where its parser has a better text.
  const isParserError =
    error instanceof Error && (error.name === "HTTPParserError" || codeOf(error)?.startsWith("HPE_") === true);
  if (isParserError) {
    // The parser's error contains what the server sent, which may echo our secrets: it does not become the cause.
    const what = { code: code ?? "HPE_INVALID", what: "the response is not HTTP", mayHaveBeenProcessed: true };
    return { ...failure(what, target), outcome: { kind: "garbage" } };
  }
  const proxy = proxyFailure(error, code, message, target);
  if (proxy) return proxy;
  if (code === undefined) {
    return failure({ code: "UNEXPECTED", what: message, mayHaveBeenProcessed: true }, target, error);
  }
  const tls = tlsError(code, "server");
  if (tls) return failure({ code, ...tls }, target, error);
  const misplaced = code === "UND_ERR_SOCKET" ? MISPLACED.get(message) : undefined;
  const what = misplaced ?? SENTENCES[code] ?? "the connection failed";
  const advice = misplaced === undefined ? ADVICE[code] : ADVICE_MISPLACED;
  return failure({ code, what, advice, mayHaveBeenProcessed: leavesOpen(code) }, target, error);
}

export function timeoutFailure(milliseconds: number, target: string): Failure {
  return {
    outcome: { kind: "timeout" },
    error: new TimeoutError(milliseconds / 1000, { target, mayHaveBeenProcessed: true, advice: ADVICE_NETWORK }),
  };
}

/** The error of a request; another one if its operation has no time to ask a service that does not respond again. */
export function afterSilence(error: unknown, limit: TimeLimit | undefined): unknown {
  const isSilent = error instanceof NetworkError || error instanceof TimeoutError;
  return isSilent && limit?.silence.isOver() === true ? new UnreachedError(error) : error;
}

/**
 * Why no attempt follows the pause that a server asks for. The time that is left for the request is no number that anyone
 * knows; that of the limit was set by someone.
 */
export function tooLateNote(askedMilliseconds: number, limit: TimeLimit | undefined, leftMilliseconds: number): string {
  const seconds = (milliseconds: number) => `${String(Math.ceil(milliseconds / 1000))} s`;
  const isLimit = limit !== undefined && limit.left() < leftMilliseconds;
  const bound = isLimit ? `than the timeout of ${seconds(limit.milliseconds)} allows` : "than one request may take";
  return `and asks for a pause of ${seconds(askedMilliseconds)}, which is longer ${bound}`;
}

/** An attempt that the limit of its operation has ended, or kept from being sent. */
export function timeLimitFailure(
  { milliseconds: whole, silence }: TimeLimit,
  target: string,
  { wasSent }: { readonly wasSent: boolean },
): Failure {
  const isSilent = silence.left() < 1;
  const milliseconds = isSilent ? silence.milliseconds : whole;
  const facts = { target, mayHaveBeenProcessed: wasSent, isLimit: !isSilent, advice: ADVICE_NETWORK };
  return { outcome: { kind: "timeout" }, error: new TimeoutError(milliseconds / 1000, facts) };
}

// A request that failed on the way to the proxy has not reached the server.
function proxyFailure(error: unknown, code = "UNKNOWN", message: string, target: string): Failure | undefined {
  // undici has this only in the message.
  const status = /^Proxy .*\((\d{3})\)/.exec(message)?.[1];
  if (status !== undefined) {
    const what = status === "407" ? "the proxy asks for a user name and a password" : "the proxy refused";
    return failure({ code: `PROXY_${status}`, what, advice: ADVICE_PROXY }, target, error);
  }
  if (!(error instanceof ProxyFailure) && !code.startsWith("UND_ERR_PRX_")) return undefined;
  const tls = tlsError(code, "proxy");
  if (tls) return failure({ code, ...tls }, target, error);
  const what = code.startsWith("UND_ERR_PRX_") ? SENTENCES[code] : undefined;
  const known = failure({ code, what: what ?? "the proxy cannot be reached", advice: ADVICE_PROXY }, target, error);
  return code === "UND_ERR_PRX_TLS" ? known : { ...known, outcome: { kind: "network", code: "PROXY_UNREACHABLE" } };
}

interface What {
  readonly code: string;
  readonly what: string;
  readonly mayHaveBeenProcessed?: boolean;
  readonly advice?: string | undefined;
  readonly reasons?: readonly Reason[];
}

function failure(
  { code, what, mayHaveBeenProcessed = false, advice = ADVICE_NETWORK, reasons }: What,
  target: string,
  cause?: unknown,
): Failure {
  const facts = { target, mayHaveBeenProcessed, advice, reasons };
  const error = new NetworkError(code, what, { ...facts, ...setFields({ cause }) });
  return { outcome: { kind: "network", code }, error };
}

// Happy eyeballs throws an AggregateError, a TLS socket wraps its cause: the outermost code counts.
function codeOf(error: unknown, depth = 0): string | undefined {
  if (typeof error !== "object" || error === null || depth > 5) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return "cause" in error ? codeOf(error.cause, depth + 1) : undefined;
}

/** Why another attempt is made, in a few words. */
function reasonOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case "status":
      return `status ${String(outcome.status)}`;
    case "network":
      return outcome.code;
    case "garbage":
      return "unexpected response body";
    case "timeout":
      return "timed out";
  }
}
