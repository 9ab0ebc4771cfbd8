import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import * as z from "zod";
import { dottedOrder } from "../../src/contract/dotted-order.ts";
import { formatInstant } from "../../src/contract/instant.ts";
import { Run } from "../../src/contract/run.ts";
import { connectTracing } from "../../src/index.ts";
import { startLocalService, type LocalService } from "../../src/local/index.ts";
import { RunIngest } from "../../src/tracing/index.ts";
import { OFFLINE } from "./rig.ts";

const API_KEY = "key-of-the-tracers";
const SCRIPTS = join(import.meta.dirname, "tracers");
const Page = z.object({ resources: z.array(Run) });

/** The fields of a run in the contract of the API. */
const FIELDS = [
  "id",
  "name",
  "run_type",
  "inputs",
  "outputs",
  "events",
  "start_time",
  "end_time",
  "parent_run_id",
  "session_name",
  "session_id",
  "trace_id",
  "dotted_order",
] as const;

const js = inject("jsPeer");
const python = inject("pythonPeer");

/** A trace as two halves of each run: what is made, and what is added when it ends. */
function someRuns() {
  const first = Date.UTC(2026, 2, 4, 5, 6, 7, 890);
  const id = (number: number) => `019cb6de-8c82-7000-8000-${String(number).padStart(12, "0")}`;
  const order = (number: number, parent?: string) =>
    dottedOrder({ startMicroseconds: (first + number) * 1000, id: id(number), parent });
  const time = (milliseconds: number) => formatInstant(BigInt(first + milliseconds) * 1000n);
  const root = order(0);
  const place = (number: number, parent?: number) => ({
    id: id(number),
    trace_id: id(0),
    dotted_order: parent === undefined ? root : order(number, parent === 0 ? root : order(parent, root)),
    ...(parent === undefined ? {} : { parent_run_id: id(parent) }),
  });
  const run = (number: number, parent: number | undefined, made: object, added: object) => ({
    made: { ...place(number, parent), session_name: "equal", start_time: time(number), ...made },
    added: { ...place(number, parent), end_time: time(number + 500), ...added },
  });
  const deep = { list: [1, 2.5, null, { "a.b": "ü", quote: '"\\\r\n' }], nothing: {}, text: "日本 🙂" };
  return [
    run(0, undefined, { name: "root", run_type: "chain", inputs: { q: "é" } }, { outputs: { a: deep } }),
    run(
      1,
      0,
      { name: "ask", run_type: "llm", inputs: deep },
      { outputs: { text: "x".repeat(5000) }, events: [{ name: "token", time: time(3) }] },
    ),
    run(2, 1, { name: "find", run_type: "retriever", inputs: { top: 3 } }, { outputs: { documents: [] } }),
    run(
      3,
      0,
      { name: "use", run_type: "tool", inputs: { path: "/a" } },
      { outputs: { failed: true }, error: "ValueError: no" },
    ),
  ] as const;
}

/** A service with a folder of its own. */
async function serve(): Promise<LocalService> {
  const service = await startLocalService({ apiKey: API_KEY });
  onTestFinished(() => service.close());
  return service;
}

/** The runs of a project in the order of their places, in the fields of that contract and without nulls. */
async function readBack({ url }: LocalService, session: string) {
  const answer = await fetch(`${url}/runs?session=${session}`, { headers: { "x-api-key": API_KEY } });
  const { resources } = Page.parse(await answer.json());
  return resources.map((run) =>
    Object.fromEntries(
      FIELDS.flatMap((field) => (run[field] == null || field === "session_id" ? [] : [[field, run[field]]])),
    ),
  );
}

async function oursFor(service: LocalService) {
  await using connection = connectTracing({ url: service.url, apiKey: API_KEY });
  const ingest = new RunIngest(connection);
  for (const { made, added } of someRuns()) {
    await ingest.post(made);
    await ingest.patch(added.id, added);
  }
  expect(await ingest.flush()).toMatchObject({ stored: 4, rejected: 0, unsent: 0 });
  return await readBack(service, "equal");
}

/** Runs a script of a public SDK against a service. */
async function trace(program: string, script: string, service: LocalService, env: NodeJS.ProcessEnv = {}) {
  const folder = await mkdtemp(join(tmpdir(), "tracers-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "runs.json");
  await writeFile(file, JSON.stringify(someRuns()));
  const { stderr } = await promisify(execFile)(program, [join(SCRIPTS, script), service.url, file], {
    env: { PATH: process.env["PATH"], HOME: folder, ...OFFLINE, ...env },
    timeout: 60_000,
  });
  expect(stderr).toBe("");
}

/** What the decorated functions of a script leave behind. */
async function decorated(service: LocalService) {
  const runs = await readBack(service, "decorated");
  return runs.map(({ name, run_type, outputs, dotted_order }) => ({
    name,
    run_type,
    outputs,
    depth: JSON.stringify(dotted_order).split(".").length,
  }));
}

const DECORATED = [
  { name: "outer", run_type: "chain", outputs: { answer: "WHY?" }, depth: 1 },
  { name: "inner", run_type: "llm", outputs: { answer: "WHY?" }, depth: 2 },
];

describe("what a public SDK sends", () => {
  test("reads back equal to what ours sends, from JS", async ({ skip }) => {
    if ("missing" in js) return skip(js.missing);
    const [ours, theirs] = [await serve(), await serve()];
    await trace(process.execPath, "trace.mjs", theirs);
    const sent = await oursFor(ours);
    expect(sent).toHaveLength(4);
    expect(await readBack(theirs, "equal")).toEqual(sent);
    expect(await decorated(theirs)).toEqual(DECORATED);
  });

  test.for<[string, NodeJS.ProcessEnv, string | undefined]>([
    ["as it is", { LANGSMITH_DISABLE_RUN_COMPRESSION: "true" }, undefined],
    ["compressed with zstd", {}, "zstd"],
  ])("reads back equal to what ours sends, from Python, %s", async ([, env, encoding], { skip }) => {
    if ("missing" in python) return skip(python.missing);
    const [ours, theirs] = [await serve(), await serve()];
    await trace(join(dirname(python.program), "python"), "trace.py", theirs, env);
    const sent = await oursFor(ours);
    expect(sent).toHaveLength(4);
    expect(await readBack(theirs, "equal")).toEqual(sent);
    expect(await decorated(theirs)).toEqual(DECORATED);
    const batches = theirs.requests.filter(({ path }) => path.endsWith("/runs/multipart"));
    expect(new Set(batches.map(({ headers }) => headers["content-encoding"]))).toEqual(new Set([encoding]));
  });
});
