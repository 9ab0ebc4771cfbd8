import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { connectTracing } from "../../../src/connection.ts";
import { RunIngest } from "../../../src/tracing/ingest/ingest.ts";
import { UnsentFileError } from "../../../src/tracing/client/errors.ts";
import type { RejectedRun, UnsentRuns } from "../../../src/tracing/ingest/run-ledger.ts";
import { replay } from "../../../src/tracing/ingest/replay.ts";
import { FastClock } from "../../wire/clocks.ts";
import { aFolder, aRun, ingest, manyRuns } from "../rig.ts";
import { withRunServer, idsOf, RunServer, type Answer } from "../run-server.ts";

/** Sends so many runs; `refuse` answers for a batch. */
async function send(count: number, refuse: (ids: readonly string[], request: number) => Answer | undefined) {
  const server = await RunServer.start();
  const runs = manyRuns(count);
  const rejected: RejectedRun[] = [];
  const unsent: UnsentRuns[] = [];
  const clock = new FastClock();
  const unsentFile = join(await aFolder(), "unsent.jsonl");
  server.script = (request) => {
    if (request.path !== "/runs/multipart") return undefined;
    return refuse(idsOf(request), server.batches.length);
  };
  const sender = ingest(server.url, {
    clock,
    unsentFile,
    concurrency: 1,
    onRejected: (run) => rejected.push(run),
    onUnsent: (some) => unsent.push(some),
  });
  for (const run of runs) void sender.post(run);
  const counts = await sender.flush();
  return { server, runs, counts, rejected, unsent, clock, unsentFile };
}

describe("a batch that the service does not store", () => {
  test.each([408, 425, 429, 500, 502, 503, 504])("is sent again after %i", async (status) => {
    const { server, counts } = await send(10, (_, request) => (request <= 2 ? { status } : undefined));
    expect(counts).toMatchObject({ stored: 10 });
    expect(server.batches).toHaveLength(3);
  });

  test("is sent again after a connection reset", async () => {
    const { server, counts } = await send(10, (_, request) => (request === 1 ? "reset" : undefined));
    expect(counts).toMatchObject({ stored: 10 });
    expect(server.batches).toHaveLength(2);
  });

  test("waits as long as Retry-After says", async () => {
    const { clock, counts } = await send(1, (_, request) =>
      request === 1 ? { status: 429, headers: { "retry-after": "7" } } : undefined,
    );
    expect(counts).toMatchObject({ stored: 1 });
    expect(clock.sleeps).toEqual([7000]);
  });

  test("is retried through an outage", async () => {
    const { server, counts } = await send(10, (_, request) => (request <= 15 ? { status: 503 } : undefined));
    expect(counts).toMatchObject({ stored: 10 });
    expect(server.batches).toHaveLength(16);
  });

  test("counts as stored after a response of text, which is one request", async () => {
    const answer = { status: 200, headers: { "content-type": "text/plain" }, text: "200 ok" };
    const { server, counts, unsent } = await send(10, () => answer);
    expect(counts).toMatchObject({ stored: 10, unsent: 0 });
    expect(unsent).toEqual([]);
    expect(server.batches).toHaveLength(1);
  });

  test("counts as stored after a 409", async () => {
    const { server, counts } = await send(10, () => ({ status: 409, json: { error: "there" } }));
    expect(counts).toMatchObject({ stored: 10, rejected: 0, unsent: 0 });
    expect(server.batches).toHaveLength(1);
  });

  test("is split when it is too large, and later batches are smaller from the start", async () => {
    const { server, counts } = await send(300, (ids) => (ids.length > 30 ? { status: 413 } : undefined));
    expect(counts).toMatchObject({ stored: 300 });
    // 100, 50, 25 and 25, 50, 25 and 25: the refused sizes are not tried again.
    expect(server.batches.filter((batch) => idsOf(batch).length > 30).length).toBeLessThanOrEqual(2);
  });

  test("is searched for the rejected runs, and the others arrive", { tags: "slow" }, async () => {
    const bad = new Set<string>();
    const { server, runs, counts, rejected } = await send(100, (ids) => {
      // The 4th and the 71st of the first batch.
      if (bad.size === 0) for (const index of [3, 70]) bad.add(ids[index] ?? "");
      return ids.some((id) => bad.has(id)) ? { status: 422, json: { error: "run_type must be one of …" } } : undefined;
    });
    expect(counts).toEqual({ accepted: 100, stored: 98, dropped: 0, rejected: 2, unsent: 0 });
    expect(rejected).toEqual([...bad].map((id) => ({ event: "post", id, reason: "run_type must be one of …" })));
    expect([...bad]).toEqual([runs[3]?.id, runs[70]?.id]);
    expect(server.runs.size).toBe(98);
    // Each one takes two requests for each halving of a hundred.
    expect(server.batches.length).toBeLessThanOrEqual(1 + 2 * 2 * 7);
  });

  test("is not sent with a key that was rejected before", async () => {
    const { server, counts, unsent, unsentFile } = await send(500, () => ({
      status: 401,
      json: { detail: "Invalid token" },
    }));
    expect(counts).toMatchObject({ stored: 0, unsent: 500 });
    expect(server.batches).toHaveLength(1);
    expect(unsent.map((told) => told.runs.length)).toEqual([100, 100, 100, 100, 100]);
    expect(String(unsent[0]?.error)).toContain("Invalid token");
    expect((await readFile(unsentFile, "utf8")).split("\n")).toHaveLength(501);
  });
});

test.each([
  ["gzip", 400, { stored: 0, rejected: 1, unsent: 0 }],
  ["zstd", 400, { stored: 0, rejected: 1, unsent: 0 }],
  ["gzip", 415, { stored: 0, rejected: 0, unsent: 1 }],
  ["zstd", 415, { stored: 0, rejected: 0, unsent: 1 }],
])(
  "an encoding that the service offers and then rejects %s, with %i, leaves the run in the file",
  async (encoding, status, expected) => {
    const server = await RunServer.start();
    server.info = { instance_flags: { gzip_body_enabled: true, zstd_compression_enabled: encoding === "zstd" } };
    server.script = ({ headers }) =>
      headers["content-encoding"] === encoding
        ? { status, json: { error: "the body is not in this encoding" } }
        : undefined;
    const unsentFile = join(await aFolder(), "unsent.jsonl");
    const sender = ingest(server.url, { unsentFile });
    const run = aRun({ inputs: { text: "again ".repeat(1000) } });
    await sender.post(run);
    expect(await sender.flush()).toMatchObject(expected);
    expect(server.batches).toHaveLength(1);
    expect(JSON.parse(await readFile(unsentFile, "utf8"))).toEqual(run);
  },
);

describe("a service that rejects every run", () => {
  const refused = (ids: readonly string[], status = 422): Answer => ({
    status,
    // Each answer names its run, as services do.
    json: { detail: `run ${ids[0] ?? ""}: session 1234 is full` },
  });

  test.each([400, 413, 422])("with %i gets no more after 20 single rejections", { tags: "slow" }, async (status) => {
    const { server, counts, rejected, unsent, unsentFile } = await send(2_000, (ids) => refused(ids, status));
    expect(counts).toEqual({ accepted: 2_000, stored: 0, dropped: 0, rejected: 20, unsent: 1_980 });
    expect(rejected).toHaveLength(20);
    // The halvings of one batch, and those 20.
    expect(server.batches.length).toBeLessThanOrEqual(60);
    expect(unsent[0]?.error).toMatchObject({ code: "RUNS_REFUSED", cause: { status } });
    expect(String(unsent[0]?.error)).toContain("20 runs in a row and stored none");
    expect((await readFile(unsentFile, "utf8")).split("\n")).toHaveLength(2_001);
  });

  withRunServer("gets no more, however many batches are on their way", { tags: "slow" }, async (server) => {
    server.script = (request) => (request.path === "/runs/multipart" ? refused(idsOf(request)) : undefined);
    const sender = ingest(server.url);
    for (const run of manyRuns(5_000)) await sender.post(run);
    const { stored, rejected, unsent } = await sender.close();
    expect(stored + rejected + unsent).toBe(5_000);
    // Eight requests are on their way when the last refusal comes.
    expect(rejected).toBeLessThanOrEqual(20 + 8);
    expect(server.batches.length).toBeLessThanOrEqual(8 * 20);
  });

  test("gets no more after 200, once it has stored runs: neighbours may share an error", { tags: "slow" }, async () => {
    let good = true;
    const { server, counts } = await send(2_000, (ids, request) => {
      good &&= request <= 3;
      return good ? undefined : refused(ids);
    });
    expect(counts).toMatchObject({ stored: 300, rejected: 200, unsent: 1_500 });
    expect(server.batches.length).toBeLessThanOrEqual(3 + 2 * 2 * 100);
  });

  test("with another reason each time gets each of them", async () => {
    let count = 0;
    const { counts } = await send(60, (ids) => {
      if (ids.length === 1) count += 1;
      return { status: count % 2 === 0 ? 400 : 422, json: { detail: "no" } };
    });
    expect(counts).toMatchObject({ rejected: 60, unsent: 0 });
  });
});

test("invalid runs at the beginning of a batch do not block the others", { tags: "slow" }, async () => {
  const bad = new Set<string>();
  const { counts } = await send(100, (ids) => {
    if (bad.size === 0) for (const id of ids.slice(0, 40)) bad.add(id);
    return ids.some((id) => bad.has(id)) ? { status: 422, json: { detail: "wrong" } } : undefined;
  });
  expect(counts).toMatchObject({ stored: 60, rejected: 40, unsent: 0 });
});

describe("a listener that throws", () => {
  const fail = (): never => {
    throw new Error("a bug in the listener");
  };

  withRunServer("does not block the runs beside the rejected one", async (server) => {
    const runs = manyRuns(20);
    server.script = (request) => (idsOf(request).includes(runs[3]?.id ?? "") ? { status: 422 } : undefined);
    const sender = ingest(server.url, { onRejected: fail });
    for (const run of runs) await sender.post(run);
    expect(await sender.flush()).toMatchObject({ stored: 19, rejected: 1 });
  });

  withRunServer("is called once with the unsent runs", async (server) => {
    server.script = () => ({ status: 401 });
    let calls = 0;
    const onUnsent = () => {
      calls += 1;
      fail();
    };
    const sender = ingest(server.url, { onUnsent });
    await sender.post(aRun());
    expect(await sender.flush()).toMatchObject({ stored: 0, unsent: 1 });
    expect(calls).toBe(1);
  });
});

describe("unsent runs", () => {
  withRunServer("are one batch that a firewall forbids, after others were stored", async (server) => {
    const sender = ingest(server.url);
    const [first, forbidden, last] = manyRuns(3);
    server.script = (request) => (idsOf(request).includes(forbidden?.id ?? "") ? { status: 403 } : undefined);
    for (const run of [first, forbidden, last]) {
      if (run !== undefined) await sender.post(run);
      await sender.flush();
    }
    expect(sender.counts).toMatchObject({ stored: 2, unsent: 1 });
  });

  test("are in a file that only its owner reads, for a replay", async () => {
    const { runs, counts, unsent, unsentFile } = await send(30, () => ({ status: 503 }));
    expect(counts).toMatchObject({ stored: 0, unsent: 30 });
    expect(unsent).toMatchObject([{ runs: runs.map(({ id }) => ({ event: "post", id })), file: unsentFile }]);
    expect((await stat(unsentFile)).mode & 0o777).toBe(0o600);
    const server = await RunServer.start();
    const sender = ingest(server.url);
    expect(await replay(unsentFile, sender)).toBe(30);
    expect(await sender.flush()).toMatchObject({ stored: 30 });
    expect([...server.runs.values()]).toEqual(runs);
  });

  test("are known after one outage, however many batches wait for its end", { tags: "slow" }, async () => {
    const { counts, clock, server } = await send(1000, () => ({ status: 503 }));
    expect(counts).toMatchObject({ stored: 0, unsent: 1000 });
    const waited = clock.sleeps.reduce((sum, pause) => sum + pause, 0);
    // A minute for the first of ten batches, and a tenth of that for each of the others.
    expect(waited).toBeLessThan(2 * 60_000);
    expect(new Set(server.batches.map((batch) => idsOf(batch)[0])).size).toBe(10);
  });

  withRunServer("may be an addition to a stored run", async (server) => {
    const unsentFile = join(await aFolder(), "unsent.jsonl");
    const sender = ingest(server.url, { unsentFile });
    const run = aRun({ inputs: { text: "é\n" } });
    await sender.post(run);
    await sender.flush();
    server.script = () => ({ status: 503 });
    await sender.patch(run.id, { outputs: { a: "ü" }, events: [{ name: "x" }] });
    expect(await sender.flush()).toEqual({ accepted: 1, stored: 1, dropped: 0, rejected: 0, unsent: 1 });
    expect(JSON.parse(await readFile(unsentFile, "utf8"))).toEqual({
      event: "patch",
      id: run.id,
      outputs: { a: "ü" },
      events: [{ name: "x" }],
    });
    server.script = () => undefined;
    const again = ingest(server.url);
    await replay(unsentFile, again);
    await again.flush();
    expect(server.runs.get(run.id)).toEqual({ ...run, outputs: { a: "ü" }, events: [{ name: "x" }] });
  });

  withRunServer("are reported as lost when the file cannot be written", async (server) => {
    server.script = () => ({ status: 503 });
    const unsent: UnsentRuns[] = [];
    const sender = ingest(server.url, { unsentFile: "/nowhere/at/all", onUnsent: (some) => unsent.push(some) });
    await sender.post(aRun());
    await sender.flush();
    expect(unsent).toMatchObject([{ runs: [{ event: "post" }], file: undefined, error: { code: "UNSENT_FILE" } }]);
  });

  withRunServer("are those that wait when the work is cancelled", async (server) => {
    server.script = async () => {
      await sleep(10_000);
      return undefined;
    };
    const cancel = new AbortController();
    const unsentFile = join(await aFolder(), "unsent.jsonl");
    const sender = ingest(server.url, { unsentFile, signal: cancel.signal });
    for (const run of manyRuns(250)) await sender.post(run);
    cancel.abort();
    expect(await sender.flush()).toMatchObject({ stored: 0, unsent: 250 });
    expect((await readFile(unsentFile, "utf8")).split("\n")).toHaveLength(251);
  });

  withRunServer("are those that wait when the connection is closed", async (server) => {
    server.script = async () => {
      await sleep(10_000, undefined, { ref: false });
      return undefined;
    };
    const end = new AbortController();
    await using service = connectTracing({ url: server.url, apiKey: "key", signal: end.signal });
    const sender = new RunIngest({ ...service });
    for (const run of manyRuns(10)) await sender.post(run);
    end.abort();
    expect(await sender.flush()).toMatchObject({ stored: 0, unsent: 10 });
  });

  test("need a valid file for a replay", async () => {
    const file = join(await aFolder(), "unsent.jsonl");
    const server = await RunServer.start();
    const sender = ingest(server.url);
    await expect(replay(file, sender)).rejects.toThrow(UnsentFileError);
    await writeFile(file, `${JSON.stringify(aRun())}\nno run\n`);
    await expect(replay(file, sender)).rejects.toThrow(`${file}:2`);
    expect(await sender.flush()).toMatchObject({ stored: 1 });
  });
});
