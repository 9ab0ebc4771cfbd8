import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { RunIdError, TracingClosedError } from "../../../src/tracing/client/errors.ts";
import { aRun, ingest, manyRuns } from "../rig.ts";
import { idsOf, RunServer, type SeenRequest } from "../run-server.ts";

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

describe("what is handed over", () => {
  test("arrives in the order in which it came, in batches of a hundred", async () => {
    const server = await RunServer.start();
    const runs = manyRuns(250);
    const sender = ingest(server.url, { concurrency: 1 });
    for (const run of runs) void sender.post(run);
    expect(await sender.flush()).toEqual({ accepted: 250, stored: 250, dropped: 0, rejected: 0, unsent: 0 });
    expect(server.batches.map((batch) => idsOf(batch).length)).toEqual([100, 100, 50]);
    expect(server.batches.flatMap(idsOf)).toEqual(runs.map(({ id }) => id));
  });

  test("is as large a batch as the service wants, in runs and in bytes", async () => {
    const server = await RunServer.start();
    server.info = { batch_ingest_config: { size_limit: 10, size_limit_bytes: 5000 } };
    const sender = ingest(server.url);
    // Each takes 1,300 bytes, and more in UTF-8 than in characters.
    for (let index = 0; index < 24; index += 1) await sender.post(aRun({ inputs: { text: "é".repeat(300) } }));
    await sender.flush();
    expect(server.batches.length).toBeGreaterThanOrEqual(8);
    expect(server.batches.filter(({ bytes }) => bytes > 5000)).toEqual([]);
    expect(server.runs.size).toBe(24);
  });

  test("travels alone when it is longer than a batch may be", async () => {
    const server = await RunServer.start();
    server.info = { batch_ingest_config: { size_limit: 100, size_limit_bytes: 5000 } };
    const sender = ingest(server.url);
    for (const length of [10, 9000, 10]) await sender.post(aRun({ inputs: { text: "x".repeat(length) } }));
    expect(await sender.flush()).toMatchObject({ stored: 3 });
  });

  test("is one run with what was added before it was sent", async () => {
    const server = await RunServer.start();
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

  test("makes a run also when what is added to it came before", async () => {
    const server = await RunServer.start();
    const sender = ingest(server.url);
    const run = aRun({ inputs: { q: 1 } });
    await sender.patch(run.id, { outputs: { a: 2 } });
    await sender.post(run);
    expect(await sender.flush()).toMatchObject({ accepted: 1, stored: 1 });
    expect(server.early).toEqual([]);
    expect(server.runs.get(run.id)).toEqual({ ...run, outputs: { a: 2 } });
  });

  test("arrives although nobody can read it, beside the others", async () => {
    const server = await RunServer.start();
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

  test("never comes after what was added to it, however long its way takes", async () => {
    const server = await RunServer.start();
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

  test("leaves by itself after a moment", async () => {
    const server = await RunServer.start();
    const arrived = Promise.withResolvers<undefined>();
    server.script = ({ path }) => {
      if (path === "/runs/multipart") arrived.resolve(undefined);
      return undefined;
    };
    await ingest(server.url, { lingerMilliseconds: 5 }).post(aRun());
    await arrived.promise;
  });

  test("is compressed where the service takes that", async () => {
    const server = await RunServer.start();
    server.info = { instance_flags: { gzip_body_enabled: true } };
    const sender = ingest(server.url);
    const run = aRun({ inputs: { text: "again ".repeat(1000) } });
    await sender.post(run);
    await sender.flush();
    expect(server.batches[0]?.headers).toMatchObject({ "content-encoding": "gzip" });
    expect(server.batches[0]?.bytes).toBeLessThan(1000);
    expect(server.runs.get(run.id)).toEqual(run);
  });

  test("must have a UUID, and comes before the end", async () => {
    const server = await RunServer.start();
    const sender = ingest(server.url);
    await expect(sender.post(aRun({ id: 'a"\r\nX: y' }))).rejects.toThrow(RunIdError);
    await sender.close();
    await expect(sender.post(aRun())).rejects.toThrow(TracingClosedError);
    expect(server.requests).toEqual([]);
  });
});

describe("a service that takes its time", () => {
  test("holds a flush up for what was there before it only", async () => {
    const server = await RunServer.start();
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

  test("gets the additions to a run on its way before a flush ends", async () => {
    const server = await RunServer.start();
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

  test("gets a small queue at once, not only after a moment", async () => {
    const server = await RunServer.start();
    const sender = ingest(server.url, { mostRuns: 10, lingerMilliseconds: 60_000 });
    for (const run of manyRuns(100)) await sender.post(run);
    await sender.flush();
    expect(server.runs.size).toBe(100);
  });

  test("has as many requests at once as are allowed, and no more", async () => {
    const server = await RunServer.start();
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

  test("holds callers up when too much waits", async () => {
    const server = await RunServer.start();
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

  test("loses whole runs, which are counted, when callers must not wait", async () => {
    const server = await RunServer.start();
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
