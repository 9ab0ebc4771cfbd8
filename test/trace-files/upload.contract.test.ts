import { appendFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { HttpStatusError } from "../../src/http/errors.ts";
import { startLocalService } from "../../src/local/index.ts";
import { RunsNotStoredError, TracesCancelledError, TracesError } from "../../src/trace-files/errors.ts";
import { linesOf, run, uuid } from "./read-files.ts";
import { withRunServer, idsOf, RunServer } from "../tracing/run-server.ts";
import { traceRig } from "./rig.ts";

const Page = z.object({ resources: z.array(z.looseObject({ id: z.string() })) });

/**
 * So many runs, one a line; each tenth is a root, and the others are below it. 2,500 are more than may wait to be sent,
 * which are 2,000.
 */
function manyLines(count: number, fields: Readonly<Record<string, unknown>> = {}): string {
  return linesOf(
    Array.from({ length: count }, (_, at) => {
      const root = at - (at % 10);
      return run(at, {
        start_time: 1_777_888_800_000 + at,
        ...(at === root ? {} : { parent_run_id: uuid(root) }),
        ...fields,
      });
    }),
  );
}

async function thrownBy(work: Promise<unknown>): Promise<Error> {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  return error instanceof Error ? error : expect.fail("nothing was thrown");
}

describe("an upload of traces", () => {
  test("stores every run once as in the file, however often it is repeated", { tags: "slow" }, async () => {
    const service = await startLocalService();
    onTestFinished(() => service.close());
    const { write, upload, events } = await traceRig(service.url);
    const fields = { outputs: { n: 1 }, error: "no", extra: { metadata: { a: [1, null] } }, tags: ["t"] };
    await write({ "runs.jsonl": manyLines(25, fields) });
    for (let time = 0; time < 2; time += 1) {
      const { sums, counts } = await upload();
      expect([sums?.runs, sums?.traces, counts.stored]).toEqual([25, 3, 25]);
    }
    const answer = await fetch(`${service.url}/runs?session=tests&limit=1000`);
    const { resources } = Page.parse(await answer.json());
    expect(resources.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, at) => uuid(at)));
    expect(resources[11]).toMatchObject({ ...fields, name: "run 11", parent_run_id: uuid(10), trace_id: uuid(10) });
    expect(events.map(({ type }) => type)).toEqual(["read", "sent", "ended", "read", "sent", "ended"]);
    expect(events.at(-1)).toMatchObject({ status: "uploaded", error: undefined });
  });

  withRunServer("sends an addition after its run, even if it comes first", async (server) => {
    const { write, upload } = await traceRig(server.url);
    const patch = { event: "patch", id: uuid(1), outputs: { a: 1 }, end_time: "2026-05-04T09:00:09Z" };
    await write({ "runs.jsonl": linesOf([patch, run(1), run(2)]) });
    await upload();
    expect(server.early).toEqual([]);
    expect(server.runs.get(uuid(1))).toMatchObject({
      name: "run 1",
      outputs: { a: 1 },
      end_time: "2026-05-04T09:00:09Z",
    });
  });

  withRunServer("sends nothing when a file is invalid", async (server) => {
    const { write, upload, events } = await traceRig(server.url);
    await write({ "a.jsonl": manyLines(500), "b.jsonl": linesOf([run(900), run(901, { run_type: 7 })]) });
    expect(await thrownBy(upload())).toBeInstanceOf(TracesError);
    expect(server.requests).toEqual([]);
    expect(events).toMatchObject([{ type: "ended", status: "failed" }]);
  });

  test("arrives completely at a service that is busy and resets connections", { tags: "slow" }, async () => {
    const server = await RunServer.start();
    let count = 0;
    server.script = ({ path }) => {
      if (!path.endsWith("/multipart")) return undefined;
      count += 1;
      if (count % 20 === 7) return { status: 429, headers: { "retry-after": "1" } };
      return count % 20 === 3 ? "reset" : undefined;
    };
    const { write, upload } = await traceRig(server.url);
    await write({ "runs.jsonl": manyLines(2_500) });
    expect((await upload()).counts).toMatchObject({ stored: 2_500, unsent: 0, rejected: 0 });
    expect(server.runs.size).toBe(2_500);
    const orders = [...server.runs.values()].map((one) => String(one["dotted_order"])).sort();
    expect(orders.map((order) => order.slice(-36))).toEqual(Array.from({ length: 2_500 }, (_, at) => uuid(at)));
  });

  withRunServer("writes the runs of a dry run to a file, whose upload stores the same runs", async (server) => {
    const { write, upload, dryRun } = await traceRig(server.url);
    await write({ "runs.jsonl": manyLines(30) });
    const lines = await readFile(await dryRun(), "utf8");
    expect(server.requests).toEqual([]);
    await upload();
    const first = structuredClone(server.runs);
    server.runs.clear();
    await write({ "again.jsonl": lines });
    await upload(["again.jsonl"]);
    expect(server.runs).toEqual(first);
    expect(server.runs.size).toBe(30);
  });
});

describe("runs that the service rejects", () => {
  withRunServer("are not sent one by one when it rejects every run", { tags: "slow" }, async (server) => {
    server.script = (request) =>
      request.path.endsWith("/multipart") ? { status: 422, json: { detail: "the session is full" } } : undefined;
    const { write, upload, events } = await traceRig(server.url);
    await write({ "runs.jsonl": manyLines(2_000) });
    const error = await thrownBy(upload());
    if (!(error instanceof RunsNotStoredError)) throw error;
    expect(server.batches.length).toBeLessThanOrEqual(8 * 20);
    expect(error.message).toMatch(/^0 of 2,000 runs .* 20 runs in a row .* 422: the session is full\.$/);
    expect(error.faults[0]).toMatchObject({
      place: { file: "runs.jsonl" },
      message: expect.stringContaining("full") as string,
    });
    expect(error).toMatchObject({ cause: { code: "RUNS_REFUSED" } });
    expect(events.at(-1)).toMatchObject({ type: "ended", status: "failed" });
  });

  test("are in the file with all unsent runs when it stops accepting runs", { tags: "slow" }, async () => {
    const server = await RunServer.start();
    server.script = (request) =>
      request.path.endsWith("/multipart") && server.batches.length > 10
        ? { status: 422, json: { detail: "full" } }
        : undefined;
    const { write, upload, unsent, events } = await traceRig(server.url);
    await write({ "runs.jsonl": manyLines(2_500) });
    const error = await thrownBy(upload());
    expect(error).toMatchObject({ code: "RUNS_NOT_STORED", cause: { code: "RUNS_REFUSED" } });
    expect(server.batches.length).toBeLessThanOrEqual(1_000);
    const kept = new Set((await unsent()).map(({ id }) => id));
    expect(kept.size + server.runs.size).toBe(2_500);
    expect(events.at(-1)).toMatchObject({ type: "ended", status: "partial" });
  });

  withRunServer("are reported by id, file and line with the reason, and all others are stored", async (server) => {
    const bad = new Set([uuid(12), uuid(205)]);
    server.script = (request) =>
      idsOf(request).some((id) => bad.has(id)) ? { status: 422, json: { detail: "run is too odd" } } : undefined;
    const { write, upload, unsent, events } = await traceRig(server.url);
    await write({ "a.jsonl": manyLines(100), "b.jsonl": linesOf([...Array(150).keys()].map((at) => run(100 + at))) });
    const error = await thrownBy(upload());
    if (!(error instanceof RunsNotStoredError)) throw error;
    expect(error.message).toMatch(/^248 of 250 runs are stored; .* 2 runs\.$/);
    expect(error.faults.toSorted((a, b) => a.place.file.localeCompare(b.place.file))).toEqual([
      { place: { file: "a.jsonl", line: 13 }, message: expect.stringContaining(`run ${uuid(12)}: `) as string },
      { place: { file: "b.jsonl", line: 106 }, message: expect.stringContaining(`run ${uuid(205)}: `) as string },
    ]);
    expect(error.faults[0]?.message).toContain("too odd");
    expect(server.runs.size).toBe(248);
    expect(events.at(-1)).toMatchObject({ type: "ended", status: "partial" });
    expect(events.find(({ type }) => type === "sent")).toMatchObject({ runs: 248, sums: { runs: 248 } });
    expect(new Set((await unsent()).map(({ id }) => id))).toEqual(bad);
  });

  withRunServer("may be additions, and the other additions are stored", async (server) => {
    server.script = (request) =>
      idsOf(request).includes(uuid(2)) ? { status: 422, json: { detail: "no such run" } } : undefined;
    const { write, upload, unsent, events } = await traceRig(server.url);
    const additions = [1, 2, 3].map((at) => {
      const order = `20260504T090000000000Z${uuid(at)}`;
      return { event: "patch", id: uuid(at), outputs: { at }, trace_id: uuid(at), dotted_order: order };
    });
    await write({ "ends.jsonl": linesOf(additions) });
    const error = await thrownBy(upload());
    if (!(error instanceof RunsNotStoredError)) throw error;
    expect(error.message).toMatch(/ 1 addition to runs\.$/);
    expect(error.faults.map(({ message }) => message)).toEqual([
      expect.stringMatching(`^an addition to run ${uuid(2)}: .*no such run`),
    ]);
    expect(events.at(-1)).toMatchObject({ type: "ended", status: "partial" });
    expect(await unsent()).toEqual([additions[1]]);
  });
});

describe("a service that becomes unavailable", () => {
  test("leaves the unsent runs in a file, which another upload completes", { tags: "slow" }, async () => {
    const server = await RunServer.start();
    server.script = ({ path }) => (path.endsWith("/multipart") && server.runs.size > 600 ? { status: 503 } : undefined);
    const { write, upload, unsent, events } = await traceRig(server.url);
    const patch = { event: "patch", id: uuid(1), outputs: { late: true } };
    await write({ "runs.jsonl": manyLines(2_500) + linesOf([patch]) });
    const error = await thrownBy(upload());
    expect(error).toBeInstanceOf(RunsNotStoredError);
    const stored = server.runs.size;
    expect(error.message).toMatch(
      new RegExp(`^${stored.toLocaleString("en")} of 2,500 runs are stored; the others could not be sent: `),
    );
    expect(events.at(-1)).toMatchObject({ type: "ended", status: "partial" });
    const lines = await unsent();
    expect(lines.filter(({ event }) => event === undefined)).toHaveLength(2_500 - stored);
    expect(events.find(({ type }) => type === "sent")).toMatchObject({ runs: stored, sums: { runs: stored } });

    server.script = () => undefined;
    await write({ "unsent.jsonl": linesOf(lines) });
    const { counts } = await upload(["unsent.jsonl"]);
    expect(counts).toMatchObject({ stored: 2_500 - stored, unsent: 0, rejected: 0 });
    expect(server.runs.size).toBe(2_500);
    expect(server.runs.get(uuid(1))).toMatchObject({ name: "run 1", outputs: { late: true } });
    expect(server.runs.get(uuid(2_499))?.["trace_id"]).toBe(uuid(2_490));
  });

  test(
    "before it stored anything ends the upload with its own error, and leaves no file",
    { tags: "slow" },
    async () => {
      const server = await RunServer.start();
      server.script = () => ({ status: 401, json: { detail: "Invalid token" } });
      const { write, upload, events, left } = await traceRig(server.url);
      await write({ "runs.jsonl": manyLines(5_000) });
      expect(await thrownBy(upload())).toBeInstanceOf(HttpStatusError);
      expect(events.at(-1)).toMatchObject({ type: "ended", status: "failed" });
      expect(await left()).toEqual([]);
      expect(server.batches.length).toBeLessThan(20);
    },
  );
});

test("a cancelled upload reports how much is stored, and leaves nothing behind", { tags: "slow" }, async () => {
  const server = await RunServer.start();
  const { write, upload, cancellation, events, left } = await traceRig(server.url);
  server.script = ({ path }) => {
    if (path.endsWith("/multipart") && server.runs.size > 300) cancellation.abort();
    return undefined;
  };
  await write({ "runs.jsonl": manyLines(2_500) });
  const error = await thrownBy(upload());
  expect(error).toBeInstanceOf(TracesCancelledError);
  expect(error.message).toMatch(/^The upload was cancelled when [\d,]+ of 2,500 runs were stored\.$/);
  expect(events.at(-1)).toMatchObject({ type: "ended" });
  expect(await left()).toEqual([]);
});

test("a file that changes between the two readings ends the upload, which reports what is stored", async () => {
  const server = await RunServer.start();
  const { write, upload, hooks, workspace, events, left } = await traceRig(server.url);
  await write({ "runs.jsonl": manyLines(10) });
  hooks.onRead = () => {
    appendFileSync(join(workspace, "runs.jsonl"), manyLines(11, { error: "later" }));
  };
  const error = await thrownBy(upload());
  expect(error).toBeInstanceOf(TracesError);
  expect(error.message).toMatch(/^runs\.jsonl changed /);
  expect([...server.runs.values()].filter(({ error: later }) => later === "later")).toEqual([]);
  expect(events.find(({ type }) => type === "sent")).toMatchObject({ runs: server.runs.size });
  expect(events.at(-1)).toMatchObject({ type: "ended", status: "partial" });
  expect(server.runs.size).toBe(10);
  expect(await left()).toEqual([]);
});

test.each([
  ["a run", 10],
  ["an addition", 11],
])("a file that loses %s between the two readings does not end as uploaded", async (_what, lines) => {
  const server = await RunServer.start();
  const { write, upload, hooks, workspace, events } = await traceRig(server.url);
  const end = { event: "patch", id: uuid(1), end_time: "2026-05-04T09:00:09Z" };
  await write({ "runs.jsonl": manyLines(11) + linesOf([end]) });
  hooks.onRead = () => {
    const kept = (manyLines(11) + linesOf([end])).split("\n").slice(0, lines);
    writeFileSync(join(workspace, "runs.jsonl"), `${kept.join("\n")}\n`);
  };
  expect((await thrownBy(upload())).message).toMatch(/ changed while it was read/);
  expect(events.at(-1)).toMatchObject({ type: "ended", status: "partial" });
});
