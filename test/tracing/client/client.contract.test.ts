import { once } from "node:events";
import { createServer, Socket } from "node:net";
import { constants, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { HttpStatusError } from "../../../src/http/errors.ts";
import { BatchWriter } from "../../../src/tracing/ingest/run-batch.ts";
import { runOperation } from "../../../src/tracing/ingest/run-queue.ts";
import { aRun, tracing } from "../rig.ts";
import { withRunServer, RunServer } from "../run-server.ts";

describe("a single run", () => {
  withRunServer("is created and added to, without null values", async (server) => {
    const client = tracing(server.url);
    const run = aRun({ inputs: { q: 1 } });
    await client.createRun({ ...run, parent_run_id: null });
    await client.updateRun(run.id, { outputs: { a: 2 }, end_time: "2026-01-01T00:00:00Z" });
    expect(server.requests.map(({ method, path, json }) => ({ method, path, json }))).toEqual([
      { method: "POST", path: "/runs", json: run },
      { method: "PATCH", path: `/runs/${run.id}`, json: { outputs: { a: 2 }, end_time: "2026-01-01T00:00:00Z" } },
    ]);
    expect(server.requests[0]?.headers).toMatchObject({ "x-api-key": "key", "x-tenant-id": "tenant" });
  });

  withRunServer("may contain values that JSON cannot represent", async (server) => {
    const circle: Record<string, unknown> = { big: 1n, map: new Map([["a", new Set([1])]]), bytes: Buffer.from("a") };
    circle["self"] = circle;
    await tracing(server.url).createRun(aRun({ inputs: circle }));
    expect(server.requests[0]?.json).toMatchObject({
      inputs: { big: "1", map: { a: [1] }, bytes: "YQ==", self: "[Circular]" },
    });
  });

  withRunServer("counts as created after a 409", async (server) => {
    server.script = () => ({ status: 409, json: { error: "there" } });
    await tracing(server.url).createRun(aRun());
    expect(server.requests).toHaveLength(1);
  });

  withRunServer("is sent again after a connection reset, and only once after a rejection", async (server) => {
    server.script = () => (server.requests.length === 1 ? "reset" : undefined);
    await tracing(server.url).createRun(aRun());
    expect(server.requests).toHaveLength(2);
    server.script = () => ({ status: 422, json: { error: "no" } });
    await expect(tracing(server.url).createRun(aRun())).rejects.toThrow(HttpStatusError);
    expect(server.requests).toHaveLength(3);
  });
});

describe("the response to a run", () => {
  test.each([
    ["text", { headers: { "content-type": "text/plain" }, text: "200 ok" }],
    ["text that calls itself JSON", { text: "200 ok" }],
    ["nothing", { text: "" }],
    ["half of some JSON", { text: '{"id": "1' }],
  ])("is not needed: %s counts as stored, with one request for each", async (_, answer) => {
    const server = await RunServer.start();
    server.script = () => ({ status: 202, ...answer });
    const client = tracing(server.url);
    const run = aRun();
    await client.createRun(run);
    await client.updateRun(run.id, { outputs: {} });
    await client.sendBatch({ contentType: "multipart/form-data; boundary=b", bytes: Buffer.from("--b--\r\n") });
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /runs",
      `PATCH /runs/${run.id}`,
      "POST /runs/multipart",
    ]);
  });

  test.each([
    ["by its type", { headers: { "content-type": "text/html; charset=utf-8" }, text: "<p><title>Sign in</title>" }],
    ["by its first bytes", { text: " \n<!DOCTYPE html><html><title> Sign\nin </title>" }],
  ])("that is a web page %s has stored nothing, and is named by its title", async (_, answer) => {
    const server = await RunServer.start();
    server.script = () => ({ status: 200, ...answer });
    await expect(tracing(server.url).createRun(aRun())).rejects.toThrow(
      `POST ${server.url}/runs returned an unexpected response body: a web page, "Sign in"`,
    );
  });
});

describe("the address", () => {
  test.each(["", "/", "/api", "/api/v1", "/api/v1/"])(
    "is taken as %j, where the endpoints have no prefix",
    async (path) => {
      const server = await RunServer.start();
      server.script = (request) => (request.path === "/runs" ? undefined : { status: 404 });
      await tracing(`${server.url}${path}`).createRun(aRun());
      expect(server.requests.at(-1)?.path).toBe("/runs");
    },
  );

  test.each(["", "/api", "/api/v1"])("is taken as %j, where the endpoints have the prefix", async (path) => {
    const server = await RunServer.start();
    server.script = (request) => (request.path.startsWith("/api/v1/runs") ? undefined : { status: 404 });
    const client = tracing(`${server.url}${path}`);
    await client.createRun(aRun());
    const before = server.requests.length;
    await client.updateRun(aRun().id, {});
    // The path that has answered is the first that is asked.
    expect(server.requests.length).toBe(before + 1);
  });

  withRunServer("is searched for the run endpoints, whatever responds at its root", async (server) => {
    const page = { status: 200, headers: { "content-type": "text/html" }, text: "<html>" };
    server.script = ({ path }) => {
      if (path === "/info") return { status: 200, json: { version: "another service's" } };
      return path.startsWith("/api/v1/runs") ? undefined : page;
    };
    const client = tracing(server.url);
    await client.limits();
    await Promise.all([client.createRun(aRun()), client.createRun(aRun())]);
    expect(server.requests.filter(({ path }) => path === "/api/v1/runs")).toHaveLength(2);
  });

  withRunServer("is first used for runs where the limits were found", async (server) => {
    server.script = ({ path }) => (path.startsWith("/api/v1/") ? { status: 200, json: {} } : { status: 404 });
    const client = tracing(server.url);
    await client.limits();
    await client.createRun(aRun());
    expect(server.requests.map(({ path }) => path)).toEqual(["/info", "/api/v1/info", "/api/v1/runs"]);
  });
});

describe("the limits of a batch", () => {
  withRunServer("are those that the service names", async (server) => {
    server.info = {
      version: "1",
      batch_ingest_config: { size_limit: 7, size_limit_bytes: 1000 },
      instance_flags: { gzip_body_enabled: true },
    };
    expect(await tracing(server.url).limits()).toEqual({ runs: 7, bytes: 1000, encoding: "gzip" });
  });

  test.each([
    ["nothing", undefined, undefined],
    ["no flag", {}, undefined],
    ["null in place of flags", null, undefined],
    ["a flag that is not known", { br_compression_enabled: true }, undefined],
    ["flags that are no booleans", { gzip_body_enabled: "yes", zstd_compression_enabled: 1 }, undefined],
    ["that it takes neither", { gzip_body_enabled: false, zstd_compression_enabled: false }, undefined],
    ["that it takes gzip", { gzip_body_enabled: true }, "gzip"],
    ["gzip, and not zstd", { gzip_body_enabled: true, zstd_compression_enabled: false }, "gzip"],
    ["gzip, and null for zstd", { gzip_body_enabled: true, zstd_compression_enabled: null }, "gzip"],
    ["that it takes zstd", { zstd_compression_enabled: true }, "zstd"],
    ["zstd, and not gzip", { gzip_body_enabled: false, zstd_compression_enabled: true }, "zstd"],
    ["that it takes both", { gzip_body_enabled: true, zstd_compression_enabled: true }, "zstd"],
  ])("have the encoding that the service offers: %s", async (_, flags, encoding) => {
    const server = await RunServer.start();
    server.info = { version: "1", instance_flags: flags };
    expect(await tracing(server.url).limits()).toEqual({ runs: 100, bytes: 20_971_520, encoding });
  });

  test.each([
    ["has no such page", { status: 404 }],
    ["fails", { status: 500 }],
    ["says something else", { status: 200, json: { batch_ingest_config: 1 } }],
    ["says only a part", { status: 200, json: { batch_ingest_config: {}, instance_flags: null } }],
  ])("are the usual ones when the service %s", async (_, answer) => {
    const server = await RunServer.start();
    server.script = () => answer;
    expect(await tracing(server.url).limits()).toEqual({ runs: 100, bytes: 20_971_520, encoding: undefined });
  });
});

describe("the body of a batch", () => {
  const level = (value: number) => ({ params: { [constants.ZSTD_c_compressionLevel]: value } });
  const text = Array.from({ length: 20_000 }, (_, index) => `line ${(index * 7919) % 1000} of many`).join("\n");
  const { contentType, body } = new BatchWriter("b").write([
    runOperation("post", aRun({ inputs: { text } })),
    runOperation("post", aRun({ inputs: { q: "ü" } })),
  ]);

  test.each([
    ["zstd", zstdCompressSync(body, level(1)).length, zstdCompressSync(body, level(3)).length],
    ["gzip", gzipSync(body, { level: 1 }).length, gzipSync(body, { level: 6 }).length],
  ] as const)("is one frame of %s at the fastest level, and the same when it is read", async (encoding, fast, slow) => {
    const server = await RunServer.start();
    await tracing(server.url).sendBatch({ contentType, bytes: body, encoding });
    const [batch] = server.batches;
    expect(batch?.headers).toMatchObject({ "content-encoding": encoding, "content-length": String(batch?.bytes) });
    expect(batch?.plainBytes).toBe(body.length);
    expect(batch?.parts.size).toBe(4);
    // The length that zstd is told beforehand is a field of the frame.
    expect(Math.abs((batch?.bytes ?? 0) - fast)).toBeLessThanOrEqual(8);
    expect(Math.abs(fast - slow)).toBeGreaterThan(8);
  });

  withRunServer("is sent as it is where no encoding is given", async (server) => {
    await tracing(server.url).sendBatch({ contentType, bytes: body });
    expect(server.batches[0]?.headers).not.toHaveProperty("content-encoding");
    expect(server.batches[0]?.bytes).toBe(body.length);
  });

  test.each(["gzip", "zstd"] as const)("of %s is compressed once for all attempts", async (encoding) => {
    const server = await RunServer.start();
    server.script = () => (server.batches.length < 3 ? { status: 503 } : undefined);
    await tracing(server.url).sendBatch({ contentType, bytes: body, encoding });
    expect(server.batches.map(({ bytes, plainBytes }) => [bytes, plainBytes])).toEqual(
      Array.from({ length: 3 }, () => [server.batches[0]?.bytes, body.length]),
    );
  });
});

test(
  "what is in the memory of a batch after an early response never reaches the service",
  { tags: "slow" },
  async () => {
    // More than two sockets buffer.
    const bytes = Buffer.alloc(60_000_000, "a");
    const server = createServer({ pauseOnConnect: true });
    onTestFinished(() => void server.close());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = z.object({ port: z.number() }).parse(server.address());
    const connected = once(server, "connection");
    const sent = tracing(`http://127.0.0.1:${String(port)}`).sendBatch({ contentType: "text/plain", bytes });
    const [socket] = z.tuple([z.instanceof(Socket)]).parse(await connected);
    let bodies = "";
    const first = once(socket, "data");
    socket.resume();
    await first;
    socket.pause();
    socket.write("HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n");
    await sent;
    bytes.fill("b");
    socket.on("error", () => undefined).on("data", (chunk) => (bodies += chunk.toString("latin1")));
    const closed = once(socket, "close");
    socket.resume();
    await closed;
    expect(bodies.replaceAll("a", "").slice(0, 10)).toBe("");
  },
);
