import { describe, expect, test } from "vitest";
import { runAction } from "../runner/runner.ts";
import { makeAuthority } from "../wire/certificates.ts";
import { closedPort } from "../wire/closed-port.ts";
import { startProxy } from "../wire/proxy-server.ts";
import { startSecureServer } from "../wire/secure-server.ts";
import { sentenceOf, useWorld } from "./bundle-rig.ts";

const world = useWorld();
const FAR = "https://control-plane.example";
const LOOK_UP = String.raw`^"agent-\d+" cannot be looked up: GET https://`;

/** The sentence of a run against this address. */
async function sentence(url: string, env: Readonly<Record<string, string>> = {}, inputs = {}): Promise<string> {
  await using front = await world().front();
  const direct = { HTTPS_PROXY: "", https_proxy: "", NO_PROXY: "", no_proxy: "" };
  const options = front.options({ "control-plane-url": url, ...inputs }, { env: { ...direct, ...env } });
  return sentenceOf(await runAction({ ...options, timeoutMs: 30_000 }));
}

describe("the address", () => {
  test("has a host that does not exist", async () => {
    // Without a network nobody can tell.
    expect(await sentence("https://control-plane.invalid")).toMatch(
      /^"agent-\d+" cannot be looked up: GET https:\/\/control-plane\.invalid\/v2\/deployments failed: (the host does not exist \(ENOTFOUND\)|the name of the host could not be resolved \(EAI_AGAIN\))\.$/,
    );
  });

  test("is one at which nobody listens", async () => {
    const url = `http://127.0.0.1:${String(await closedPort())}`;
    expect(await sentence(url)).toMatch(/failed: connection refused \(ECONNREFUSED\)\.$/);
  });
});

describe("the certificate of the service", () => {
  const authority = makeAuthority();

  test.each([
    [
      "is not trusted",
      ["127.0.0.1"],
      undefined,
      {},
      / failed: the certificate of the server is not trusted: .* \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)\.$/,
    ],
    [
      "is for another host",
      ["elsewhere.example"],
      undefined,
      { "ca-certificate": authority.cert },
      / failed: the certificate of the server is for another host \(ERR_TLS_CERT_ALTNAME_INVALID\)\.$/,
    ],
    [
      "has expired",
      ["127.0.0.1"],
      { from: new Date("2020-01-01"), to: new Date("2020-02-01") },
      { "ca-certificate": authority.cert },
      / failed: the certificate of the server has expired \(CERT_HAS_EXPIRED\)\.$/,
    ],
  ])("%s", async (_what, hosts, validity, inputs, pattern) => {
    const server = await startSecureServer(authority.issue(hosts, validity), {});
    expect(await sentence(`https://127.0.0.1:${String(server.port)}`, {}, inputs)).toMatch(pattern);
    expect(server.seen).toEqual([]);
  });
});

describe("the proxy", () => {
  test.each([
    ["refuses", 403, /the proxy refused \(PROXY_403\)\.$/],
    ["asks for a password", 407, /the proxy asks for a user name and a password \(PROXY_407\)\.$/],
    ["has no way to the service", 502, /the proxy refused \(PROXY_502\)\.$/],
  ])("%s", async (_what, status, pattern) => {
    const proxy = await startProxy(() => ({ status }));
    const said = await sentence(FAR, { HTTPS_PROXY: proxy.url });
    expect(said).toMatch(new RegExp(LOOK_UP));
    expect(said).toMatch(pattern);
    expect(proxy.requests.every(({ head }) => !/x-api-key/i.test(head))).toBe(true);
  });

  test("is not there", async () => {
    const said = await sentence(FAR, { HTTPS_PROXY: `http://127.0.0.1:${String(await closedPort())}` });
    expect(said).toMatch(/failed: the proxy cannot be reached \(ECONNREFUSED\)\.$/);
  });
});
