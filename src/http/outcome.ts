/** The methods that are sent. */
export type Method = "DELETE" | "GET" | "HEAD" | "PATCH" | "POST" | "PUT";

/** The outcome of one attempt. */
export type Outcome =
  | { readonly kind: "status"; readonly status: number }
  /** A success whose body is not JSON, or a response that is not HTTP. */
  | { readonly kind: "garbage" }
  | { readonly kind: "network"; readonly code: string }
  | { readonly kind: "timeout" };

/**
 * - `done`: a success.
 * - `retry`: sending the same request again does no harm and may help.
 * - `ambiguous`: the server may have carried it out; only the caller can find out.
 * - `final`: sending it again would not help.
 */
export type Verdict = "ambiguous" | "done" | "final" | "retry";

// Full-object PUT and DELETE are idempotent: RFC 9110 §9.2.2.
const IDEMPOTENT: ReadonlySet<Method> = new Set(["DELETE", "GET", "HEAD", "PUT"]);

// The server did not get the request, or reports that it did not process it.
const NEVER_REACHED_CODES: ReadonlySet<string> = new Set([
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTFOUND",
  "PROXY_502",
  "PROXY_503",
  "PROXY_504",
  "PROXY_UNREACHABLE",
  "UND_ERR_CONNECT_TIMEOUT",
]);
const NEVER_REACHED_STATUSES: ReadonlySet<number> = new Set([425, 429]);

// The request may have been carried out before the failure. 503 is among them: proxies send it for a backend
// that died with the request in its hands.
const AMBIGUOUS_CODES: ReadonlySet<string> = new Set([
  "ECONNABORTED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
  "UND_ERR_SOCKET",
]);
const AMBIGUOUS_STATUSES: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);

/** Whether a request may be sent again, by its method and its outcome. */
export function classify(method: Method, outcome: Outcome): Verdict {
  switch (outcome.kind) {
    case "status":
      if (outcome.status >= 200 && outcome.status < 300) return "done";
      if (NEVER_REACHED_STATUSES.has(outcome.status)) return "retry";
      return AMBIGUOUS_STATUSES.has(outcome.status) ? repeatIfIdempotent(method) : "final";
    case "network":
      if (NEVER_REACHED_CODES.has(outcome.code)) return "retry";
      return AMBIGUOUS_CODES.has(outcome.code) ? repeatIfIdempotent(method) : "final";
    case "garbage":
    case "timeout":
      return repeatIfIdempotent(method);
  }
}

/**
 * True if a failed connection leaves open whether the server carried the request out. An unknown code does: retrying it
 * would not help, but looking up the result may.
 */
export function leavesOpen(code: string): boolean {
  return !NEVER_REACHED_CODES.has(code) && !/^(EPROTO|ERR_SSL_|PROXY_|UND_ERR_INVALID_ARG$)/.test(code);
}

function repeatIfIdempotent(method: Method): Verdict {
  return IDEMPOTENT.has(method) ? "retry" : "ambiguous";
}
