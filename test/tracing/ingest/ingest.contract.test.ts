import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { RunIdError, TracingClosedError } from "../../../src/tracing/client/errors.ts";
import type { IngestOptions } from "../../../src/tracing/ingest/ingest.ts";
import { aRun, ingest, manyRuns } from "../rig.ts";
import { withRunServer, idsOf, RunServer, type SeenRequest } from "../run-server.ts";

/** Holds back the answers to these requests until what it returns is called. */
function hold(server: RunServer, which: (request: SeenRequest) => boolean): () => void {
  const go = Promise.withResolvers<undefined>();
  server.script = async (request) => {
    if (which(request)) await go.promise;
    return undefined;
  };
  return () => {
    go.resolve(undefined);
  };
}

describe("runs that are handed over", () => {
  withRunServer("arrive in order, in batches of a hundred", async (server) => {
    const runs = manyRuns(250);
    const sender = ingest(server.url, { concurrency: 1 });
    for (const run of runs) void sender.post(run);
    expect(await sender.flush()).toEqual({ accepted: 250, stored: 250, dropped: 0, rejected: 0, unsent: 0 });
    expect(server.batches.map((batch) => idsOf(batch).length)).toEqual([100, 100, 50]);
    expect(server.batches.flatMap(idsOf)).toEqual(runs.map(({ id }) => id));
  });

  withRunServer("fill batches up to the limits of the service, in runs and in bytes", async (server) => {
    server.info = { batch_ingest_config: { size_limit: 10, size_limit_bytes: 5000 } };
    const sender = ingest(server.url);
    // Each takes 1,300 bytes, and more in UTF-8 than in characters.
    for (let index = 0; index < 24; index += 1) await sender.post(aRun({ inputs: { text: "é".repeat(300) } }));
    await sender.flush();
    expect(server.batches.length).toBeGreaterThanOrEqual(8);
    expect(server.batches.filter(({ bytes }) => bytes > 5000)).toEqual([]);
    expect(server.runs.size).toBe(24);
  });

  withRunServer("are sent alone when they are larger than a batch may be", async (server) => {
    server.info = { batch_ingest_config: { size_limit: 100, size_limit_bytes: 5000 } };
    const sender = ingest(server.url);
    for (const length of [10, 9000, 10]) await sender.post(aRun({ inputs: { text: "x".repeat(length) } }));
    expect(await sender.flush()).toMatchObject({ stored: 3 });
  });

  withRunServer("are merged with the additions that come before they are sent", async (server) => {
    const sender = ingest(server.url);
    const run = aRun({ inputs: { q: 1 } });
    await sender.post(run);
    await sender.patch(run.id, { end_time: "2026-01-01T00:00:00Z", outputs: { a: 2 } });
    await sender.flush();
    expect([...(server.batches[0]?.parts.keys() ?? [])]).toEqual([
      `post.${run.id}`,
      `post.${run.id}.inputs`,
      `post.${run.id}.outputs`,
    ]);
    expect(server.runs.get(run.id)).toEqual({ ...run, end_time: "2026-01-01T00:00:00Z", outputs: { a: 2 } });
  });

  withRunServer("are created even if an addition came first", async (server) => {
    const sender = ingest(server.url);
    const run = aRun({ inputs: { q: 1 } });
    await sender.patch(run.id, { outputs: { a: 2 } });
    await sender.post(run);
    expect(await sender.flush()).toMatchObject({ accepted: 1, stored: 1 });
    expect(server.early).toEqual([]);
    expect(server.runs.get(run.id)).toEqual({ ...run, outputs: { a: 2 } });
  });

  withRunServer("arrive even if a value cannot be serialized", async (server) => {
    const sender = ingest(server.url);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    let looks = 0;
    const moody = {
      get text() {
        looks += 1;
        return looks === 1 ? "text" : 1n;
      },
    };
    const runs = [aRun({ inputs: proxy }), aRun({ extra: moody }), aRun({ outputs: { proxy } })];
    for (const run of runs) await sender.post(run);
    expect(await sender.flush()).toMatchObject({ stored: 3 });
    expect(server.runs.get(runs[2]?.id ?? "")).toMatchObject({ outputs: { proxy: "[Unreadable]" } });
  });

  withRunServer("never arrive after their additions, however long they take", async (server) => {
    const sender = ingest(server.url, { lingerMilliseconds: 1 });
    const run = aRun();
    const mayArrive = hold(server, ({ parts }) => parts.has(`post.${run.id}`));
    await sender.post(run);
    await expect.poll(() => server.batches.length).toBe(1);
    await sender.patch(run.id, { outputs: { a: 1 } });
    await sender.patch(run.id, { end_time: "2026-01-01T00:00:00Z" });
    await sleep(50);
    mayArrive();
    await sender.flush();
    expect(server.early).toEqual([]);
    expect(server.batches).toHaveLength(2);
    expect(server.runs.get(run.id)).toMatchObject({ outputs: { a: 1 }, end_time: "2026-01-01T00:00:00Z" });
  });

  withRunServer("are sent after a moment without a flush", async (server) => {
    const arrived = Promise.withResolvers<undefined>();
    server.script = ({ path }) => {
      if (path === "/runs/multipart") arrived.resolve(undefined);
      return undefined;
    };
    await ingest(server.url, { lingerMilliseconds: 5 }).post(aRun());
    await arrived.promise;
  });

  test.each([
    ["gzip", { gzip_body_enabled: true }],
    ["zstd", { zstd_compression_enabled: true }],
    ["zstd", { gzip_body_enabled: true, zstd_compression_enabled: true }],
  ])("are compressed with %s where the service offers %j", async (encoding, flags) => {
    const server = await RunServer.start();
    server.info = { instance_flags: flags };
    const sender = ingest(server.url);
    const run = aRun({ inputs: { text: "again ".repeat(1000) } });
    await sender.post(run);
    await sender.flush();
    expect(server.batches[0]?.headers).toMatchObject({ "content-encoding": encoding });
    expect(server.batches[0]?.bytes).toBeLessThan(1000);
    expect(server.runs.get(run.id)).toEqual(run);
  });

  withRunServer("must have a UUID and come before `close`", async (server) => {
    const sender = ingest(server.url);
    await expect(sender.post(aRun({ id: 'a"\r\nX: y' }))).rejects.toThrow(RunIdError);
    await sender.close();
    await expect(sender.post(aRun())).rejects.toThrow(TracingClosedError);
    expect(server.requests).toEqual([]);
  });
});

describe("a slow service", () => {
  withRunServer("delays a flush only for the runs that were handed over before it", async (server) => {
    server.script = async ({ path }) => {
      if (path === "/runs/multipart") await sleep(20);
      return undefined;
    };
    const sender = ingest(server.url);
    const end = new AbortController();
    const traffic = (async () => {
      while (!end.signal.aborted) {
        await sender.post(aRun());
        await sleep(1);
      }
    })();
    const run = aRun({ inputs: { mine: true } });
    await sender.post(run);
    await sender.flush();
    expect(server.runs.has(run.id)).toBe(true);
    end.abort();
    await traffic;
    const { accepted, stored } = await sender.close();
    expect(stored).toBe(accepted);
  });

  withRunServer("gets the additions to a run on its way before a flush ends", async (server) => {
    const sender = ingest(server.url, { lingerMilliseconds: 1 });
    const run = aRun();
    const mayArrive = hold(server, ({ path }) => path === "/runs/multipart");
    await sender.post(run);
    await expect.poll(() => server.batches.length).toBe(1);
    await sender.patch(run.id, { outputs: { a: 1 } });
    const flushed = sender.flush();
    mayArrive();
    await flushed;
    expect(server.runs.get(run.id)).toMatchObject({ outputs: { a: 1 } });
  });

  withRunServer("gets a small queue at once on a flush", async (server) => {
    const sender = ingest(server.url, { mostRuns: 10, lingerMilliseconds: 60_000 });
    for (const run of manyRuns(100)) await sender.post(run);
    await sender.flush();
    expect(server.runs.size).toBe(100);
  });

  withRunServer("gets at most the allowed number of requests at once", { tags: "slow" }, async (server) => {
    const three = Promise.withResolvers<undefined>();
    server.script = async ({ path }) => {
      if (path !== "/runs/multipart") return undefined;
      if (server.mostAtOnce === 3) three.resolve(undefined);
      await three.promise;
      // A fourth one would come now.
      await sleep(20);
      return undefined;
    };
    const sender = ingest(server.url, { concurrency: 3 });
    for (const run of manyRuns(1200)) void sender.post(run);
    await sender.flush();
    expect(server.mostAtOnce).toBe(3);
    expect(server.runs.size).toBe(1200);
  });

  withRunServer("makes callers wait when too much waits", { tags: "slow" }, async (server) => {
    const mayGo = Promise.withResolvers<undefined>();
    server.script = async () => await mayGo.promise;
    const sender = ingest(server.url, { mostRuns: 200 });
    let handedOver = 0;
    const work = (async () => {
      for (const run of manyRuns(2000)) {
        await sender.post(run);
        handedOver += 1;
      }
    })();
    await sleep(200);
    // What waits, and what is on its way.
    expect(handedOver).toBeLessThanOrEqual(200 + 8 * 100);
    mayGo.resolve(undefined);
    await work;
    expect(await sender.flush()).toMatchObject({ accepted: 2000, stored: 2000 });
  });

  withRunServer("drops and counts whole runs when callers must not wait", async (server) => {
    const mayGo = Promise.withResolvers<undefined>();
    server.script = async () => await mayGo.promise;
    const sender = ingest(server.url, { mostRuns: 50, onFull: "drop" });
    const runs = manyRuns(2000);
    for (const run of runs) {
      await sender.post(run);
      await sender.patch(run.id, { outputs: { a: 1 } });
    }
    mayGo.resolve(undefined);
    const { accepted, stored, dropped, rejected, unsent } = await sender.flush();
    expect({ rejected, unsent }).toEqual({ rejected: 0, unsent: 0 });
    expect(accepted + dropped).toBe(2000);
    expect(dropped).toBeGreaterThan(0);
    expect(stored).toBe(accepted);
    expect(server.runs.size).toBe(accepted);
    expect([...server.runs.values()].filter(({ outputs }) => outputs === undefined)).toEqual([]);
    expect(server.early).toEqual([]);
  });
});

describe("the bytes on their way", () => {
  const MIB = 1024 * 1024;

  /** Posts runs to a service that takes nothing until the last possible batch has come, and says how much was there. */
  async function held(texts: readonly string[], options: Partial<IngestOptions> = {}) {
    const server = await RunServer.start();
    const mayGo = Promise.withResolvers<undefined>();
    let open = 0;
    let most = 0;
    server.script = async ({ path, plainBytes }) => {
      if (path !== "/runs/multipart") return undefined;
      open += plainBytes;
      most = Math.max(most, open);
      await mayGo.promise;
      open -= plainBytes;
      return undefined;
    };
    const sender = ingest(server.url, { mostSize: 1024 * MIB, ...options });
    for (const text of texts) void sender.post(aRun({ inputs: { text } }));
    const done = sender.flush();
    await expect.poll(() => server.batches.length).toBeGreaterThan(0);
    // Each of these was sent after all that the client could send: what is there now is all that it sends.
    for (let look = 0; look < 50; look++) await fetch(`${server.url}/look`);
    const first = { batches: server.batches.length, bytes: open };
    mayGo.resolve(undefined);
    expect(await done).toMatchObject({ stored: texts.length, rejected: 0, unsent: 0 });
    return { server, first, most };
  }

  test.each([
    ["of one byte a character", "x"],
    ["of three bytes a character", "日"],
  ])("are at most 6 MiB and a batch, for texts %s", { tags: "slow" }, async (_, character) => {
    const text = character.repeat(Math.floor(100_000 / Buffer.byteLength(character)));
    const { first, most } = await held(Array.from({ length: 200 }, () => text));
    expect(first.batches).toBeGreaterThanOrEqual(3);
    expect(first.bytes).toBeGreaterThanOrEqual(6 * MIB - 200_000);
    expect(most).toBeLessThanOrEqual(8 * MIB);
  });

  test("do not keep a larger run from being sent, by itself", { tags: "slow" }, async () => {
    const { server, first } = await held(["x".repeat(7 * MIB), "y", "z".repeat(7 * MIB)]);
    expect(first.batches).toBe(1);
    expect(server.runs.size).toBe(3);
  });

  test("leave small batches their eight requests", async () => {
    const { first } = await held(Array.from({ length: 900 }, () => "small"));
    expect(first.batches).toBe(8);
  });
});
