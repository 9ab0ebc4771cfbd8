import { NetworkError, TimeoutError } from "./errors.ts";
import { isAmbiguousCode, type Outcome } from "./outcome.ts";
import type { GraphDeployError } from "../contract/graph-deploy-error.ts";

/** A failed attempt: what became of it, and the error if it is the last. */
export interface Failure {
  readonly outcome: Outcome;
  readonly error: GraphDeployError;
}

const SENTENCES: Readonly<Record<string, string>> = {
  EAI_AGAIN: "the name of the host could not be resolved",
  ECONNREFUSED: "nothing answers at that address",
  ECONNRESET: "the connection was cut",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ENOTFOUND: "the host does not exist",
  EPIPE: "the connection was cut",
  UND_ERR_BODY_TIMEOUT: "the answer stalled",
  UND_ERR_CONNECT_TIMEOUT: "the host did not accept a connection in time",
  UND_ERR_HEADERS_TIMEOUT: "the other side stalled",
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: "the file changed while it was sent",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "the answer is larger than 16 MiB",
  UND_ERR_SOCKET: "the connection was closed",
};

const ADVICE_NETWORK = "Check the address, the network and the proxy settings of the runner.";
const ADVICE_CERTIFICATE =
  "If the service uses a certificate of your own authority, give that authority's certificate as `ca-certificate`.";

/** Reads what undici or Node threw; by code, because a bundle may hold the class twice. */
export function toFailure(error: unknown, target: string): Failure {
  const code = codeOf(error);
  if (code === undefined) {
    return failure("UNEXPECTED", error instanceof Error ? error.message : "an unknown error", target, error);
  }
  if (code.startsWith("HPE_")) {
    const what = "the answer is not HTTP";
    return { ...failure(code, what, target, error, true), outcome: { kind: "garbage" } };
  }
  if (isCertificateCode(code)) {
    return failure(code, "the certificate of the server is not trusted", target, error, false, ADVICE_CERTIFICATE);
  }
  const proxyStatus = /Proxy response \((\d{3})\)/.exec(error instanceof Error ? error.message : "")?.[1];
  if (proxyStatus !== undefined) return failure(code, `the proxy refused with ${proxyStatus}`, target, error);
  return failure(code, SENTENCES[code] ?? "the connection failed", target, error, isAmbiguousCode(code));
}

/** An attempt that was given up after so many milliseconds. */
export function timeoutFailure(milliseconds: number, target: string): Failure {
  return {
    outcome: { kind: "timeout" },
    error: new TimeoutError(milliseconds / 1000, { target, mayHaveBeenProcessed: true, advice: ADVICE_NETWORK }),
  };
}

function failure(
  code: string,
  what: string,
  target: string,
  cause: unknown,
  mayHaveBeenProcessed = false,
  advice = ADVICE_NETWORK,
): Failure {
  const error = new NetworkError(code, what, { target, cause, mayHaveBeenProcessed, advice });
  return { outcome: { kind: "network", code }, error };
}

// Happy eyeballs throws an AggregateError, a TLS socket wraps its cause: the first code on the way counts.
function codeOf(error: unknown, depth = 0): string | undefined {
  if (typeof error !== "object" || error === null || depth > 5) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return "cause" in error ? codeOf(error.cause, depth + 1) : undefined;
}

function isCertificateCode(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS/.test(code);
}
