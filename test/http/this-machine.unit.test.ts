import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { filteredLookup, isLoopbackAddress, isNearAddress } from "../../src/http/this-machine.ts";
import { Transport, type TransportOptions } from "../../src/http/transport.ts";
import { startFaultServer } from "../wire/fault-server.ts";
import { startProxy } from "../wire/proxy-server.ts";

/** A resolver that knows these names; each answer of a list is given once, the last one for ever. */
function resolver(names: Readonly<Record<string, readonly (readonly string[])[]>>): LookupFunction {
  const asked = new Map<string, number>();
  return (hostname, options, callback) => {
    const answers = names[hostname];
    const count = asked.get(hostname) ?? 0;
    asked.set(hostname, count + 1);
    const found = answers?.[Math.min(count, answers.length - 1)]?.map((address): LookupAddress => {
      return { address, family: address.includes(":") ? 6 : 4 };
    });
    const [first] = found ?? [];
    if (first === undefined) callback(Object.assign(new Error(`no ${hostname}`), { code: "ENOTFOUND" }), "");
    else if (options.all === true) callback(null, found ?? []);
    else callback(null, first.address, first.family);
  };
}

async function asked(url: (port: string) => string, options: TransportOptions, namedBy?: string) {
  const server = await startFaultServer(() => ({ status: 200 }));
  const transport = new Transport(options);
  onTestFinished(() => transport[Symbol.asyncDispose]());
  const signal = new AbortController().signal;
  const sent = transport.send({
    method: "GET",
    url: new URL(url(new URL(server.url).port)),
    headers: { "x-api-key": "the-key" },
    stallMilliseconds: 5_000,
    signal,
    ...(namedBy === undefined ? {} : { namedBy: new URL(namedBy) }),
  });
  const outcome = await sent.then(
    ({ status }) => status,
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );
  return { outcome, connections: server.connections };
}

test.each(["127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1"])(
  "%s is loopback, and near",
  (ip) => {
    expect([isLoopbackAddress(ip), isNearAddress(ip)]).toEqual([true, true]);
  },
);

test.each(["0.0.0.0", "0.1.2.3", "::", "169.254.169.254", "::ffff:169.254.1.1", "fe80::1", "febf::1"])(
  "%s is near, and no loopback",
  (ip) => {
    expect([isLoopbackAddress(ip), isNearAddress(ip)]).toEqual([false, true]);
  },
);

test.each(["10.0.0.1", "192.168.1.1", "128.0.0.1", "169.253.1.1", "fec0::1", "2001:db8::1", "::ffff:10.0.0.1", "x"])(
  "%s is neither",
  (ip) => {
    expect([isLoopbackAddress(ip), isNearAddress(ip)]).toEqual([false, false]);
  },
);

test("a lookup keeps the good addresses alone, in the form that is asked for", async () => {
  const lookup = filteredLookup(
    (address) => !isNearAddress(address),
    () => new Error("none"),
    resolver({ "mixed.test": [["127.0.0.1", "192.0.2.7", "::1"]] }),
  );
  const answers = await Promise.all(
    [true, false].map((all) => new Promise((resolve) => lookup("mixed.test", { all }, (...answer) => resolve(answer)))),
  );
  expect(answers).toEqual([
    [null, [{ address: "192.0.2.7", family: 4 }]],
    [null, "192.0.2.7", 4],
  ]);
});

describe("an address that another user named", () => {
  const elsewhere = "https://plane.test";

  test.each([
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "localhost",
    "agent.test",
    "both.test",
    "x.localhost",
  ])("is not asked at %s", async (host) => {
    const lookup = resolver({
      localhost: [["127.0.0.1"]],
      "agent.test": [["127.0.0.1"]],
      "both.test": [["192.0.2.1", "127.0.0.1"]],
      "x.localhost": [["::1", "127.0.0.1"]],
    });
    expect(await asked((port) => `http://${host}:${port}/ok`, { lookup, allowHttp: true }, elsewhere)).toEqual({
      outcome: "ADDRESS",
      connections: 0,
    });
  });

  test("is not asked when its name leads here only once it is connected to", async () => {
    const lookup = resolver({ "agent.test": [["192.0.2.1"], ["127.0.0.1"]] });
    expect(await asked((port) => `http://agent.test:${port}/ok`, { lookup, allowHttp: true }, elsewhere)).toEqual({
      outcome: "ADDRESS",
      connections: 0,
    });
  });

  test("is not asked through a proxy on this machine either", async () => {
    const proxy = await startProxy();
    const lookup = resolver({ "agent.test": [["127.0.0.1"]] });
    const options = { lookup, allowHttp: true, proxy: { http: proxy.url } };
    expect(await asked((port) => `http://agent.test:${port}/ok`, options, elsewhere)).toMatchObject({
      outcome: "ADDRESS",
      connections: 0,
    });
    expect(proxy.requests).toEqual([]);
  });

  test.each(["http://127.0.0.1:8123", "http://[::1]:8123", "http://localhost:8123", "https://plane.localhost"])(
    "is asked here when %s, which is here, named it",
    async (plane) => {
      const lookup = resolver({ localhost: [["127.0.0.1"]], "plane.localhost": [["127.0.0.1"]] });
      expect(await asked((port) => `http://127.0.0.1:${port}/ok`, { lookup }, plane)).toMatchObject({ outcome: 200 });
    },
  );

  test("is not asked here when its name alone promises that it is here", async () => {
    const lookup = resolver({ "plane.localhost": [["192.0.2.1"]] });
    expect(await asked((port) => `http://127.0.0.1:${port}/ok`, { lookup }, "https://plane.localhost")).toEqual({
      outcome: "ADDRESS",
      connections: 0,
    });
  });
});

describe("http to a name of localhost", () => {
  test("is sent when the name leads here", async () => {
    const lookup = resolver({ "service.localhost": [["127.0.0.1"]] });
    expect(await asked((port) => `http://service.localhost:${port}/`, { lookup })).toMatchObject({ outcome: 200 });
  });

  test("is not sent when the name leads elsewhere", async () => {
    // An address of this machine that is no loopback, so that a connection would be seen.
    const lookup = resolver({ "service.localhost": [["0.0.0.0"]] });
    expect(await asked((port) => `http://service.localhost:${port}/`, { lookup })).toEqual({
      outcome: "ADDRESS",
      connections: 0,
    });
  });

  test("is sent elsewhere where http is allowed", async () => {
    const lookup = resolver({ "service.localhost": [["0.0.0.0"]] });
    const options = { lookup, allowHttp: true };
    expect(await asked((port) => `http://service.localhost:${port}/`, options)).toMatchObject({ outcome: 200 });
  });
});
