import { describe, expect, onTestFinished, test } from "vitest";
import { ControlPlane } from "../../src/control-plane/client.ts";
import { HttpClient, type HttpClientOptions } from "../../src/http/http-client.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { makeAuthority } from "../wire/certificates.ts";
import { FastClock } from "../wire/clocks.ts";
import { startSecureServer } from "../wire/secure-server.ts";
import { API_KEY } from "../control-plane/rig.ts";

const authority = makeAuthority();
const THIS_MACHINE = ["localhost", "127.0.0.1"];

async function get(certificate: { cert: string; key: string }, options: HttpClientOptions = {}) {
  const server = await startSecureServer(certificate, { id: "d-1" });
  const notices: unknown[] = [];
  const onRetry = (notice: unknown) => notices.push(notice);
  const http = new HttpClient({ clock: new FastClock(), onRetry, ...options });
  onTestFinished(() => http.close());
  const plane = new ControlPlane({
    endpoint: new Endpoint(`https://localhost:${String(server.port)}`, { apiKey: API_KEY }),
    http,
  });
  const [value, error]: [unknown, unknown] = await plane.get("d-1").then(
    (deployment) => [deployment, undefined],
    (caught: unknown) => [undefined, caught],
  );
  return { value, error, notices, seen: server.seen };
}

test("a certificate of an authority of one's own is trusted when the authority is given", async () => {
  const { value, seen } = await get(authority.issue(THIS_MACHINE), { caCertificate: authority.cert });
  expect(value).toEqual({ id: "d-1" });
  expect(seen).toMatchObject([{ "x-api-key": API_KEY }]);
});

test("several authorities may be given at once", async () => {
  const caCertificate = makeAuthority("Another").cert + authority.cert;
  expect(await get(authority.issue(THIS_MACHINE), { caCertificate })).toMatchObject({ value: { id: "d-1" } });
});

describe("nothing is sent to, and nothing tried again at, a server", () => {
  const past = { from: new Date(Date.now() - 10 * 86_400_000), to: new Date(Date.now() - 86_400_000) };

  const future = { from: new Date(Date.now() + 86_400_000), to: new Date(Date.now() + 10 * 86_400_000) };

  test.each([
    ["of an unknown authority", authority.issue(THIS_MACHINE), undefined, /is not trusted/, /private CA/],
    [
      "of another authority",
      makeAuthority("Other").issue(THIS_MACHINE),
      authority.cert,
      /is not trusted/,
      /private CA/,
    ],
    [
      "whose certificate has expired",
      authority.issue(THIS_MACHINE, past),
      authority.cert,
      /certificate of the server has expired \(CERT_HAS_EXPIRED\)/,
      /^Renew the certificate of the server/,
    ],
    [
      "whose certificate is not valid yet",
      authority.issue(THIS_MACHINE, future),
      authority.cert,
      /is not valid yet \(CERT_NOT_YET_VALID\)/,
      /clock/,
    ],
    ["whose certificate is self-signed", makeAuthority("Self"), authority.cert, /it is self-signed/, /private CA/],
    [
      "whose certificate is for another host",
      authority.issue(["other.example"]),
      authority.cert,
      /is for another host/,
      /address/,
    ],
  ])("%s", async (_which, certificate, caCertificate, message, advice) => {
    const { error, notices, seen } = await get(certificate, { caCertificate });
    expect(error).toMatchObject({
      code: "NETWORK",
      message: expect.stringMatching(message),
      advice: expect.stringMatching(advice),
      mayHaveBeenProcessed: false,
    });
    expect([seen, notices]).toEqual([[], []]);
  });
});
