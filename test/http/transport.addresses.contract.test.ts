import net from "node:net";
import tls from "node:tls";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { HttpClient } from "../../src/http/http-client.ts";
import type { TransportOptions } from "../../src/http/transport.ts";
import { makeAuthority } from "../wire/certificates.ts";
import { startFaultServer } from "../wire/fault-server.ts";
import { startProxy } from "../wire/proxy-server.ts";
import { startSecureServer } from "../wire/secure-server.ts";

// undici calls Node's own functions: what it passes to them decides how long each address of a host may take.
const connections = [vi.spyOn(net, "connect"), vi.spyOn(tls, "connect")];
const authority = makeAuthority();
const FAR = "far.example";

/** A resolver that gives every host an address of each family; only IPv4 of this machine leads anywhere. */
const bothFamilies: net.LookupFunction = (_hostname, options, callback) => {
  const [here, nowhere] = [
    { address: "127.0.0.1", family: 4 },
    { address: "::ffff:0.0.0.1", family: 6 },
  ];
  if (options.all === true) callback(null, [here, nowhere]);
  else callback(null, here.address, here.family);
};

afterEach(() => {
  for (const spy of connections) spy.mockClear();
});

/** The times for an address that undici asked for, by the host; a tunnel has its connection already. */
function askedTimes(): readonly unknown[] {
  const asked = connections.flatMap(({ mock }) => mock.calls.map(([options]) => options as unknown));
  return asked.flatMap((options) => {
    if (typeof options !== "object" || options === null || !("host" in options)) return [];
    if ("socket" in options && options.socket !== undefined) return [];
    return "autoSelectFamilyAttemptTimeout" in options ? [options.autoSelectFamilyAttemptTimeout] : ["the default"];
  });
}

async function secureUrl() {
  const { port } = await startSecureServer(authority.issue([FAR, "localhost"]), {});
  return `https://${FAR}:${String(port)}/`;
}

async function plainUrl(host: string) {
  const server = await startFaultServer(() => ({ status: 200, body: {} }));
  return `http://${host}:${new URL(server.url).port}/`;
}

interface Way {
  readonly url: () => Promise<string>;
  readonly proxy?: (url: string) => TransportOptions["proxy"];
}

const ways: Readonly<Record<string, Way>> = {
  "directly over TLS": { url: secureUrl },
  "directly over http": { url: () => plainUrl(FAR) },
  "to this machine by its name": { url: () => plainUrl("localhost") },
  "through a proxy, in a tunnel": { url: secureUrl, proxy: (https) => ({ https }) },
  "through a proxy, without a tunnel": { url: () => plainUrl(FAR), proxy: (http) => ({ http }) },
  "past a proxy": { url: secureUrl, proxy: (https) => ({ https, except: FAR }) },
};

function clientWith(options: TransportOptions) {
  const http = new HttpClient({ caCertificate: authority.cert, lookup: bothFamilies, ...options });
  onTestFinished(() => http.close());
  return http;
}

async function get(http: HttpClient, url: string) {
  const signal = new AbortController().signal;
  const limits = { stallMilliseconds: 60_000, attemptMilliseconds: 60_000, deadlineMilliseconds: 60_000 };
  return await http.sender.send(
    { method: "GET", url: new URL(url), headers: {}, signal, ...limits },
    ({ status }) => status,
  );
}

test.each(Object.entries(ways))("%s, each address of a host gets 2.5 s", async (_way, { url, proxy }) => {
  const [target, { url: proxyUrl }] = [await url(), await startProxy()];
  connections.forEach((spy) => spy.mockClear());
  expect(await get(clientWith({ proxy: proxy?.(proxyUrl), allowHttp: target.includes(FAR) }), target)).toBe(200);
  const times = askedTimes();
  expect(times.length).toBeGreaterThan(0);
  expect(new Set(times)).toEqual(new Set([2_500]));
});
