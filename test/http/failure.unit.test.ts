import { describe, expect, test } from "vitest";
import { mayHaveBeenProcessed, NetworkError } from "../../src/http/errors.ts";
import { timeoutFailure, toFailure } from "../../src/http/failure.ts";
import { classify } from "../../src/http/outcome.ts";
import { ProxyFailure } from "../../src/http/proxy-settings.ts";
import { isSentence, textsOf } from "../wire/texts-of.ts";

const coded = (code: string, message = "raw text") => Object.assign(new Error(message), { code });
const named = (name: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { name, ...more });

interface Row {
  readonly what: string;
  readonly thrown: unknown;
  readonly says: string;
  readonly code: string;
  /** Whether a POST may have been carried out. */
  readonly open: boolean;
  readonly verdictOfGet: "final" | "retry";
}

const table: readonly Row[] = [
  {
    what: "a refused connection",
    thrown: coded("ECONNREFUSED"),
    says: "connection refused",
    code: "ECONNREFUSED",
    open: false,
    verdictOfGet: "retry",
  },
  {
    what: "an unknown host",
    thrown: coded("ENOTFOUND"),
    says: "does not exist",
    code: "ENOTFOUND",
    open: false,
    verdictOfGet: "retry",
  },
  {
    what: "a reset",
    thrown: coded("ECONNRESET"),
    says: "was cut",
    code: "ECONNRESET",
    open: true,
    verdictOfGet: "retry",
  },
  {
    what: "a close",
    thrown: coded("UND_ERR_SOCKET"),
    says: "was closed",
    code: "UND_ERR_SOCKET",
    open: true,
    verdictOfGet: "retry",
  },
  {
    what: "a cause within",
    thrown: new TypeError("fetch failed", { cause: coded("EPIPE") }),
    says: "was cut",
    code: "EPIPE",
    open: true,
    verdictOfGet: "retry",
  },
  {
    what: "too large an answer",
    thrown: coded("UND_ERR_RES_EXCEEDED_MAX_SIZE"),
    says: "larger than 16 MiB",
    code: "UND_ERR_RES_EXCEEDED_MAX_SIZE",
    open: true,
    verdictOfGet: "final",
  },
  {
    what: "too large a header",
    thrown: coded("UND_ERR_HEADERS_OVERFLOW"),
    says: "headers of the response",
    code: "UND_ERR_HEADERS_OVERFLOW",
    open: true,
    verdictOfGet: "final",
  },
  {
    what: "a client that its owner closed",
    thrown: coded("UND_ERR_DESTROYED"),
    says: "the client was closed",
    code: "UND_ERR_DESTROYED",
    open: true,
    verdictOfGet: "final",
  },
  {
    what: "a code that nobody knows",
    thrown: coded("E_NEW"),
    says: "the connection failed",
    code: "E_NEW",
    open: true,
    verdictOfGet: "final",
  },
  {
    what: "plain http on a TLS port",
    thrown: coded("ERR_SSL_WRONG_VERSION_NUMBER"),
    says: "does not use TLS",
    code: "ERR_SSL_WRONG_VERSION_NUMBER",
    open: false,
    verdictOfGet: "final",
  },
  {
    what: "a certificate of an unknown authority",
    thrown: coded("SELF_SIGNED_CERT_IN_CHAIN"),
    says: "certificate of the server is not trusted",
    code: "SELF_SIGNED_CERT_IN_CHAIN",
    open: false,
    verdictOfGet: "final",
  },
  {
    what: "an expired certificate",
    thrown: coded("CERT_HAS_EXPIRED"),
    says: "has expired",
    code: "CERT_HAS_EXPIRED",
    open: false,
    verdictOfGet: "final",
  },
  {
    what: "a certificate of another host",
    thrown: coded("ERR_TLS_CERT_ALTNAME_INVALID"),
    says: "for another host",
    code: "ERR_TLS_CERT_ALTNAME_INVALID",
    open: false,
    verdictOfGet: "final",
  },
  {
    what: "a parser error with a code",
    thrown: named("HTTPParserError", "Parse Error", { code: "HPE_INVALID_HEADER" }),
    says: "is not HTTP",
    code: "HPE_INVALID_HEADER",
    open: true,
    verdictOfGet: "retry",
  },
  {
    what: "a parser error without a code",
    thrown: named("HTTPParserError", "Expected HTTP/", { code: undefined }),
    says: "is not HTTP",
    code: "HPE_INVALID",
    open: true,
    verdictOfGet: "retry",
  },
  {
    what: "a proxy that is down",
    thrown: new ProxyFailure(coded("ECONNREFUSED")),
    says: "the proxy cannot be reached",
    code: "ECONNREFUSED",
    open: false,
    verdictOfGet: "retry",
  },
  {
    what: "a proxy that cuts the line",
    thrown: new ProxyFailure(coded("ETIMEDOUT")),
    says: "the proxy cannot be reached",
    code: "ETIMEDOUT",
    open: false,
    verdictOfGet: "retry",
  },
  {
    what: "a proxy that is not trusted",
    thrown: new ProxyFailure(coded("DEPTH_ZERO_SELF_SIGNED_CERT")),
    says: "certificate of the proxy",
    code: "DEPTH_ZERO_SELF_SIGNED_CERT",
    open: false,
    verdictOfGet: "final",
  },
  {
    what: "a proxy that wants a password",
    thrown: coded("UND_ERR_ABORTED", "Proxy response (407) !== 200 when HTTP Tunneling"),
    says: "the proxy asks for a user name",
    code: "PROXY_407",
    open: false,
    verdictOfGet: "final",
  },
  {
    what: "a proxy that reaches nobody",
    thrown: coded("UND_ERR_ABORTED", "Proxy response (502) !== 200 when HTTP Tunneling"),
    says: "the proxy refused",
    code: "PROXY_502",
    open: false,
    verdictOfGet: "retry",
  },
  {
    what: "a proxy that hangs up",
    thrown: coded("UND_ERR_PRX_CONN"),
    says: "the proxy closed",
    code: "UND_ERR_PRX_CONN",
    open: false,
    verdictOfGet: "retry",
  },
  {
    what: "something without a code",
    thrown: new Error("odd"),
    says: "odd",
    code: "UNEXPECTED",
    open: true,
    verdictOfGet: "final",
  },
  {
    what: "something that is no error",
    thrown: 7,
    says: "an unknown error",
    code: "UNEXPECTED",
    open: true,
    verdictOfGet: "final",
  },
];

describe.each(table)("$what", ({ thrown, says, code, open, verdictOfGet }) => {
  const { error, outcome } = toFailure(thrown, "GET https://host/x");

  test("is one sentence with the address and the code", () => {
    expect(error.message).toMatch(/^GET https:\/\/host\/x failed: /);
    expect(error.message).toContain(says);
    expect(error.message).toContain(`(${code})`);
    expect(isSentence(error.message)).toBe(true);
    expect(error.advice).toMatch(/\.$/);
  });

  test("says whether the request may have been carried out, and may be sent again", () => {
    expect(mayHaveBeenProcessed(error)).toBe(open);
    expect(classify("GET", outcome)).toBe(verdictOfGet);
    // What may have been carried out is never sent again blindly.
    if (open) expect(classify("POST", outcome)).not.toBe("retry");
  });
});

test("what a server sent in place of HTTP is no part of the error", () => {
  const thrown = named("HTTPParserError", "Expected HTTP/", { data: "x-api-key: sk-secret" });
  const { error } = toFailure(thrown, "GET https://host/x");
  expect(error).toBeInstanceOf(NetworkError);
  expect(textsOf(error).join("\n")).not.toContain("sk-secret");
});

test("an error that is its own cause has no code to find", () => {
  const thrown = new Error("round and round");
  thrown.cause = thrown;
  expect(toFailure(thrown, "GET https://host/x").error).toMatchObject({ networkCode: "UNEXPECTED" });
});

test("an attempt that took too long says how long", () => {
  const { error, outcome } = timeoutFailure(1_500, "POST https://host/x");
  expect(error.message).toBe("POST https://host/x did not respond within 1.5 s");
  expect(mayHaveBeenProcessed(error)).toBe(true);
  expect(classify("POST", outcome)).toBe("ambiguous");
});
