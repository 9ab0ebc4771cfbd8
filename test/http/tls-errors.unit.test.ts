import { describe, expect, test } from "vitest";
import { tlsError } from "../../src/http/tls-errors.ts";

const CERTIFICATE_CODES = [
  ["CA_MD_TOO_WEAK", /too weak/, /new certificate/],
  ["CERT_CHAIN_TOO_LONG", /too long a chain/, /new certificate/],
  ["CERT_HAS_EXPIRED", /has expired$/, /^Renew/],
  ["CERT_NOT_YET_VALID", /not valid yet/, /clock/],
  ["CERT_REVOKED", /was revoked/, /new certificate/],
  ["CERT_SIGNATURE_FAILURE", /invalid signature/, /new certificate/],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", /is not trusted: it is self-signed/, /private CA/],
  ["EE_KEY_TOO_SMALL", /too small a key/, /new certificate/],
  ["ERR_TLS_CERT_ALTNAME_INVALID", /for another host/, /Use the address/],
  ["HOSTNAME_MISMATCH", /for another host/, /Use the address/],
  ["INVALID_CA", /not one of a CA/, /new certificate/],
  ["INVALID_PURPOSE", /not one for servers/, /new certificate/],
  ["SELF_SIGNED_CERT_IN_CHAIN", /is not trusted: its CA is not known/, /private CA/],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", /is not trusted: its CA is not known/, /private CA/],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", /does not send the certificate of its issuer/, /whole chain.*private CA/],
  ["CERT_SOMETHING_NEW", /is not trusted$/, /private CA/],
] as const;

describe.each(["server", "proxy"] as const)("the certificate of a %s", (whose) => {
  test.each(CERTIFICATE_CODES)("with %s has a sentence and an advice of its own", (code, what, advice) => {
    const error = tlsError(code, whose);
    expect(error?.what).toMatch(new RegExp(`^the certificate of the ${whose} `));
    expect(error?.what).toMatch(what);
    expect(error?.advice).toMatch(advice);
    expect(error?.advice).not.toMatch(/network/);
  });
});

test("only a certificate that is not trusted asks for one of a CA", () => {
  const asking = CERTIFICATE_CODES.filter(([code]) => tlsError(code, "server")?.reasons?.length !== 0);
  expect(asking.map(([code]) => code)).toEqual([
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "CERT_SOMETHING_NEW",
  ]);
});

test.each([
  ["ERR_SSL_WRONG_VERSION_NUMBER", /does not use TLS/],
  ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", /no version of TLS in common/],
  ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", /asks for a client certificate/],
])("%s is about the handshake", (code, what) => {
  expect(tlsError(code, "server")).toMatchObject({ what: expect.stringMatching(what) });
});

test.each(["ECONNREFUSED", "ERR_SSL_SOMETHING_NEW", ""])("%s is none of them", (code) => {
  expect(tlsError(code, "server")).toBeUndefined();
});
