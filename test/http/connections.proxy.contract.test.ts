import { stat } from "node:fs/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { ControlPlane } from "../../src/control-plane/client.ts";
import { HttpClient, type HttpClientOptions } from "../../src/http/http-client.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { makeAuthority } from "../wire/certificates.ts";
import { FastClock } from "../wire/clocks.ts";
import { startFaultServer } from "../wire/fault-server.ts";
import { hugeBody } from "../wire/faults.ts";
import { startProxy } from "../wire/proxy-server.ts";
import { startSecureServer } from "../wire/secure-server.ts";
import { isSentence, textsOf } from "../wire/texts-of.ts";
import { API_KEY, imageDeployment, SECRET_VALUE } from "../control-plane/rig.ts";

const HOST = "control-plane.example";
const authority = makeAuthority();
const NOBODY = "http://user:p4ssw0rd@127.0.0.1:1";
const well = () => ({ status: 200, body: { id: "d-1" } });
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

function planeAt(url: string, options: HttpClientOptions) {
  const clock = new FastClock();
  const http = new HttpClient({ clock, allowHttp: true, caCertificate: authority.cert, ...options });
  onTestFinished(() => http.close());
  return {
    clock,
    plane: new ControlPlane({ endpoint: new Endpoint(url, { apiKey: API_KEY }, { allowHttp: true }), http }),
  };
}

async function secureTarget() {
  const server = await startSecureServer(authority.issue([HOST]), { id: "d-1" });
  return { ...server, url: `https://${HOST}:${String(server.port)}/api-host` };
}

async function plainTarget() {
  const server = await startFaultServer(well);
  return { server, url: `http://${HOST}:${new URL(server.url).port}` };
}

describe("https", () => {
  test("goes through a tunnel, in which the proxy sees neither the key nor the path", async () => {
    const [target, proxy] = [await secureTarget(), await startProxy()];
    const { plane } = planeAt(target.url, { proxy: { https: proxy.url } });
    expect(await plane.get("d-1")).toEqual({ id: "d-1" });
    expect(target.seen).toMatchObject([{ "x-api-key": API_KEY, host: `${HOST}:${String(target.port)}` }]);
    expect(proxy.requests).toMatchObject([{ method: "CONNECT", target: `${HOST}:${String(target.port)}` }]);
    const visible = [...proxy.requests.map(({ head }) => head), proxy.tunnelled().toString("latin1")].join("\n");
    expect(visible).not.toContain(API_KEY);
    expect(visible).not.toContain("deployments");
    expect(visible).not.toContain("x-api-key");
  });

  test("uses the credentials in the address of the proxy for the proxy alone", async () => {
    const [target, proxy] = [await secureTarget(), await startProxy()];
    const https = proxy.url.replace("//", "//user:p%40ss@");
    await planeAt(target.url, { proxy: { https } }).plane.get("d-1");
    const basic = `Basic ${Buffer.from("user:p@ss").toString("base64")}`;
    expect(proxy.requests).toMatchObject([{ headers: { "proxy-authorization": basic } }]);
    expect(target.seen[0]).not.toHaveProperty("proxy-authorization");
  });
});

describe("plain http, where it is allowed", () => {
  test("goes to the proxy with the whole address", async () => {
    const [{ url, server }, proxy] = [await plainTarget(), await startProxy()];
    expect(await planeAt(url, { proxy: { http: proxy.url } }).plane.get("d-1")).toEqual({ id: "d-1" });
    expect(proxy.requests).toMatchObject([{ method: "GET", target: `${url}/v2/deployments/d-1` }]);
    expect(server.requests).toHaveLength(1);
  });

  test("is allowed for the address of an upload as well", async () => {
    const host = (): string => `http://${HOST}:${new URL(server.url).port}`;
    const target = () => ({ upload_url: `${host()}/objects/1?signature=of-the-upload`, object_path: "objects/1" });
    const server = await startFaultServer(({ method }) => ({ status: 200, body: method === "POST" ? target() : {} }));
    const proxy = await startProxy();
    const file = import.meta.filename;
    const { plane } = planeAt(host(), { proxy: { http: proxy.url } });
    expect(await plane.upload("d-1", { file, bytes: (await stat(file)).size })).toBe("objects/1");
    expect(server.requests.map(({ method }) => method)).toEqual(["POST", "PUT"]);
  });

  test("takes no more than 16 MiB from a proxy either", { tags: "slow" }, async () => {
    const [{ url }, proxy] = [await plainTarget(), await startProxy(() => undefined)];
    const huge = await startFaultServer(well);
    huge.script({}, hugeBody);
    const { plane } = planeAt(url.replace(/:\d+$/, `:${new URL(huge.url).port}`), { proxy: { http: proxy.url } });
    await expect(plane.get("d-1")).rejects.toThrow("the response is larger than 16 MiB");
  });
});

describe("no proxy is asked", () => {
  test.each(["127.0.0.1", "localhost"])("for %s, which is this machine", async (host) => {
    const [{ server }, proxy] = [await plainTarget(), await startProxy()];
    const url = `http://${host}:${new URL(server.url).port}`;
    const both = { http: proxy.url, https: proxy.url };
    expect(await planeAt(url, { proxy: both }).plane.get("d-1")).toEqual({ id: "d-1" });
    expect(proxy.requests).toEqual([]);
  });

  test("for an exception", async () => {
    const proxy = await startProxy(() => ({ status: 407 }));
    // No such host: who asks for it directly fails, too, but elsewhere.
    const through = (except: string) =>
      planeAt("http://direct.invalid", { proxy: { http: proxy.url, except } }).plane.get("d-1");
    await expect(through("other.example, .invalid")).rejects.toMatchObject({ code: "NETWORK" });
    expect(proxy.requests).toEqual([]);
    await expect(through("other.example")).rejects.toThrow("PROXY_407");
    expect(proxy.requests).toHaveLength(1);
  });
});

describe("a proxy that does not help is named, in one sentence", () => {
  const schemes = ["https", "http"] as const;

  async function through(scheme: "http" | "https", proxy: string) {
    const url = scheme === "https" ? (await secureTarget()).url : (await plainTarget()).url;
    const { plane, clock } = planeAt(url, { proxy: { http: proxy, https: proxy } });
    const error = await caught(plane.create({ ...imageDeployment("agent") }, { attemptMilliseconds: 5_000 }));
    const texts = textsOf(error).join("\n");
    for (const secret of [API_KEY, SECRET_VALUE, "p4ssw0rd"]) expect(texts).not.toContain(secret);
    expect(error).toMatchObject({ code: "NETWORK", mayHaveBeenProcessed: false });
    expect(error).toMatchObject({
      message: expect.stringMatching(/proxy/),
      advice: expect.stringContaining("HTTPS_PROXY"),
    });
    expect(error instanceof Error ? error.message : "").toSatisfy(isSentence);
    return { error, attempts: clock.sleeps.length + 1 };
  }

  test.each(schemes)("%s: nobody answers at its address", async (scheme) => {
    const { error, attempts } = await through(scheme, NOBODY);
    expect(error).toMatchObject({ message: expect.stringContaining("the proxy cannot be reached (ECONNREFUSED)") });
    // A create may be sent again: the server cannot have seen it.
    expect(attempts).toBe(4);
  });

  test.each(schemes)("%s: it wants a password", async (scheme) => {
    const proxy = await startProxy(() => ({ status: 407 }));
    const { error, attempts } = await through(scheme, proxy.url);
    expect(error).toMatchObject({
      message: expect.stringContaining("the proxy asks for a user name and a password (PROXY_407)"),
    });
    expect(attempts).toBe(1);
  });

  test("it forbids the way to the service", async () => {
    const proxy = await startProxy(() => ({ status: 403 }));
    const { error, attempts } = await through("https", proxy.url);
    expect(error).toMatchObject({ message: expect.stringContaining("the proxy refused (PROXY_403)") });
    expect(attempts).toBe(1);
  });

  test("it cannot reach the service", async () => {
    const proxy = await startProxy(() => ({ status: 502 }));
    const { error, attempts } = await through("https", proxy.url);
    expect(error).toMatchObject({ message: expect.stringContaining("the proxy refused (PROXY_502)") });
    expect(attempts).toBe(4);
  });

  test("it hangs up", async () => {
    const proxy = await startProxy(() => "cut");
    const { error, attempts } = await through("https", proxy.url);
    expect(error).toMatchObject({ message: expect.stringContaining("the proxy closed the connection") });
    expect(attempts).toBe(4);
  });
});

describe("a proxy that never answers", () => {
  test("holds up an attempt no longer than its time", async () => {
    const [target, proxy] = [await secureTarget(), await startProxy(() => "hang")];
    const { plane, clock } = planeAt(target.url, { proxy: { https: proxy.url } });
    const got = caught(plane.get("d-1", { deadlineMilliseconds: 9_000 }));
    await expect.poll(() => proxy.requests.length).toBe(1);
    clock.pass(9_000);
    expect(await got).toMatchObject({ code: "TIMEOUT" });
  });

  test("does not hold up a cancel", async () => {
    const [target, proxy] = [await secureTarget(), await startProxy(() => "hang")];
    const cancel = new AbortController();
    const { plane } = planeAt(target.url, { proxy: { https: proxy.url }, signal: cancel.signal });
    const got = caught(plane.get("d-1"));
    await expect.poll(() => proxy.requests.length).toBe(1);
    const reason = new Error("cancelled");
    cancel.abort(reason);
    expect(await got).toBe(reason);
  });
});

test.each(["host:3128", "not a url", "socks5://host:1080", "user:p4ssw0rd@host"])(
  "the setting %j is refused without being repeated",
  (https) => {
    const act = () => new HttpClient({ proxy: { https } });
    expect(act).toThrow(/^HTTPS_PROXY is (a SOCKS proxy|not a valid proxy URL)/);
  },
);
