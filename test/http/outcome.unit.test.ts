import { describe, expect, test } from "vitest";
import { classify, type Method, type Outcome, type Verdict } from "../../src/http/outcome.ts";

const status = (code: number): Outcome => ({ kind: "status", status: code });
const network = (code: string): Outcome => ({ kind: "network", code });

/** What happened, and the verdict for a method that is idempotent (GET, HEAD, PUT, DELETE) and for one that is not. */
const table: readonly (readonly [Outcome, idempotent: Verdict, other: Verdict])[] = [
  [status(200), "done", "done"],
  [status(201), "done", "done"],
  [status(204), "done", "done"],
  [status(301), "final", "final"],
  [status(307), "final", "final"],
  [status(400), "final", "final"],
  [status(401), "final", "final"],
  [status(403), "final", "final"],
  [status(404), "final", "final"],
  [status(409), "final", "final"],
  [status(413), "final", "final"],
  [status(422), "final", "final"],
  [status(425), "retry", "retry"],
  [status(429), "retry", "retry"],
  [status(408), "retry", "ambiguous"],
  [status(500), "retry", "ambiguous"],
  [status(501), "final", "final"],
  [status(502), "retry", "ambiguous"],
  [status(503), "retry", "ambiguous"],
  [status(504), "retry", "ambiguous"],
  [status(505), "final", "final"],
  [network("ECONNREFUSED"), "retry", "retry"],
  [network("ENOTFOUND"), "retry", "retry"],
  [network("EAI_AGAIN"), "retry", "retry"],
  [network("EHOSTUNREACH"), "retry", "retry"],
  [network("UND_ERR_CONNECT_TIMEOUT"), "retry", "retry"],
  [network("ECONNRESET"), "retry", "ambiguous"],
  [network("EPIPE"), "retry", "ambiguous"],
  [network("UND_ERR_SOCKET"), "retry", "ambiguous"],
  [network("UND_ERR_HEADERS_TIMEOUT"), "retry", "ambiguous"],
  [network("UND_ERR_BODY_TIMEOUT"), "retry", "ambiguous"],
  [network("UND_ERR_RES_CONTENT_LENGTH_MISMATCH"), "retry", "ambiguous"],
  [network("PROXY_UNREACHABLE"), "retry", "retry"],
  [network("PROXY_503"), "retry", "retry"],
  [network("PROXY_407"), "final", "final"],
  [network("UND_ERR_HEADERS_OVERFLOW"), "final", "final"],
  [network("SOMETHING_NEW"), "final", "final"],
  [network("CERT_HAS_EXPIRED"), "final", "final"],
  [network("DEPTH_ZERO_SELF_SIGNED_CERT"), "final", "final"],
  [network("UND_ERR_RES_EXCEEDED_MAX_SIZE"), "final", "final"],
  [network("UND_ERR_REQ_CONTENT_LENGTH_MISMATCH"), "final", "final"],
  [{ kind: "garbage" }, "retry", "ambiguous"],
  [{ kind: "timeout" }, "retry", "ambiguous"],
];

const methods: readonly (readonly [Method, isIdempotent: boolean])[] = [
  ["DELETE", true],
  ["GET", true],
  ["HEAD", true],
  ["PUT", true],
  ["PATCH", false],
  ["POST", false],
];

describe.each(methods)("%s", (method, isIdempotent) => {
  test.each(table)("%j is %s when idempotent, else %s", (outcome, idempotent, other) => {
    expect(classify(method, outcome)).toBe(isIdempotent ? idempotent : other);
  });
});
