import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test, vi } from "vitest";
import * as experiments from "../../src/experiments/index.ts";
import * as library from "../../src/index.ts";
import * as judgement from "../../src/judgement/index.ts";
import * as local from "../../src/local/index.ts";
import * as traces from "../../src/traces.ts";
import * as tracing from "../../src/tracing/index.ts";
import { propertyRuns } from "../property-runs.ts";
import { startFaultServer } from "../wire/fault-server.ts";

type Callable = (...given: readonly unknown[]) => unknown;

// Without these, a call that names no service names none. Nothing of what is called may be written beside the sources.
for (const name of ["GRAPH_DEPLOY_URL", "GRAPH_DEPLOY_BASE_URL", "GRAPH_DEPLOY_API_KEY"]) vi.stubEnv(name, undefined);
const directory = mkdtempSync(join(tmpdir(), "graph-deploy-odd-"));
const before = process.cwd();
process.chdir(directory);

/** A service that refuses every request. */
const { url } = await startFaultServer(() => ({ status: 400 }), afterAll);

const service = library.connect({ url });
const uploads = library.connectUploads({ url });
const traced = library.connectTracing({ url });
const ingest = new tracing.RunIngest({ ...traced, unsentFile: join(directory, "unsent.jsonl") });
const tracer = new tracing.Tracer({ ...traced, ingest, session: { session_name: "a" } });
// What a function of the caller returns is no argument of the call: only the clock as a whole is replaced.
const clock: unknown = Object.create(library.systemClock);
const emit = () => undefined;
const { signal } = new AbortController();

afterAll(async () => {
  process.chdir(before);
  for (const each of [service, uploads, traced]) await each.close();
  rmSync(directory, { recursive: true, force: true });
});

/** All functions of all entries by their names, and those of the clients. Error classes are made by the library itself. */
const FUNCTIONS = new Map<string, Callable>();
for (const [entry, exported] of Object.entries({ library, experiments, judgement, local, traces, tracing })) {
  for (const [name, value] of Object.entries(exported) as [string, unknown][]) {
    if (typeof value !== "function" || value.prototype instanceof Error) continue;
    // Its constructor is private.
    const isPrivate = ["FieldNames", "Gates"].includes(name);
    const isClass = Function.prototype.toString.call(value).startsWith("class");
    const label = `${entry}.${name}`;
    if (!isPrivate)
      FUNCTIONS.set(label, isClass ? (...given) => Reflect.construct(value, given) as object : (value as Callable));
    if (!isClass) continue;
    for (const method of Object.getOwnPropertyNames(value)) {
      const found: unknown = Reflect.get(value, method);
      if (typeof found === "function") FUNCTIONS.set(`${label}.${method}`, found.bind(value) as Callable);
    }
  }
}
const CLIENTS = {
  controlPlane: service.controlPlane,
  agentServer: service.agentServer(url),
  uploads: uploads.uploads,
  tracing: traced.tracing,
  redactor: new library.Redactor(),
  fieldNames: library.FieldNames.none,
  ingest,
  tracer,
  run: tracer.start("a"),
};
for (const [name, client] of Object.entries(CLIENTS)) {
  for (const method of Object.getOwnPropertyNames(Object.getPrototypeOf(client))) {
    const descriptor = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(client), method);
    const found: unknown = descriptor?.value;
    if (method === "constructor" || typeof found !== "function") continue;
    FUNCTIONS.set(`${name}.${method}`, found.bind(client) as Callable);
  }
}
FUNCTIONS.set("connection.agentServer", service.agentServer as Callable);

/** Runs a call to its end: also what it returns to be read later, or to be closed. */
async function outcome(call: Callable, given: readonly unknown[]): Promise<unknown> {
  try {
    const value: unknown = await call(...given);
    if (typeof value !== "object" || value === null) return undefined;
    if (Symbol.asyncIterator in value) await (value as AsyncIterable<unknown>)[Symbol.asyncIterator]().next();
    if ("close" in value && typeof value.close === "function") await (value.close as Callable)();
    return undefined;
  } catch (error) {
    return error ?? "an empty error";
  }
}

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    ...[undefined, null, true, 0, -1, Number.NaN, Infinity, 10n, "", " ", "a text", "\0", "{}", url, Symbol("a")],
    ...[{}, [], [null], { a: 1 }, Object.create(null), () => 1, async () => 1, new Map(), new Date(Number.NaN), /a/],
    ...[Promise.resolve(1), new Error("odd"), new Proxy({}, {}), Buffer.from("a"), [{}], { url: 7 }, { url }, [7]],
  ),
  fc.anything({ maxDepth: 2 }),
);

/** An error that the library means, and no accident in it. */
function expectMeant(error: unknown, called: string): void {
  if (error === undefined) return;
  if (!(error instanceof library.GraphDeployError))
    throw new Error(`${called} ended with another error.`, { cause: error });
  if (!(error instanceof library.ArgumentsError)) return;
  expect(error.faults.length, called).toBeGreaterThan(0);
  // The words of the library that reads them are for programmers of another language.
  expect(error.message, called).not.toMatch(/Invalid input|expected \w+, received/);
}

/** What may be called without an argument, or takes whatever it is given. */
const WITHOUT: ReadonlySet<string> = new Set([
  ...["library.Redactor", "library.mayHaveBeenProcessed"],
  ...["experimentTooLarge", "noDelete", "noList", "noLogs", "startLocalService", "uploadRefused"].map(ofLocal),
  ofLocal("uploadUrlOnlyUnderV2"),
  ...["within", "list"].map((name) => `controlPlane.${name}`),
  ...["ok", "info", "docs", "metrics", "searchAssistants", "onlyGraph", "countAssistants"].map(
    (name) => `agentServer.${name}`,
  ),
  ...["toWire", "wireName", "fromWire", "fromClient"].map((name) => `fieldNames.${name}`),
  ...["tracing.limits", "ingest.flush", "ingest.close", "tracer.flush"],
  ...["asOrigin", "event", "end", "fail", "headers"].map((name) => `run.${name}`),
]);

function ofLocal(name: string): string {
  return `local.${name}`;
}

test.each([...FUNCTIONS].filter(([name]) => !WITHOUT.has(name)))(
  "%s without an argument, or with null, is an error of its arguments that names one",
  async (_name, call) => {
    for (const given of [[], [undefined], [null, null]]) {
      expect(await outcome(call, given)).toMatchObject({
        code: "ARGUMENTS",
        faults: expect.arrayContaining([expect.stringMatching(/^`\w+`|argument must be/)]),
      });
    }
  },
);

describe("a call with odd arguments is an error that the library means", () => {
  test("of every function of every entry, and of every method of what it returns", () => {
    expect(FUNCTIONS.size).toBeGreaterThan(80);
    expect([...WITHOUT].filter((name) => !FUNCTIONS.has(name))).toEqual([]);
    expect([...FUNCTIONS.keys()]).toEqual(
      expect.arrayContaining(["library.deploy", "tracing.Tracer", "controlPlane.get", "tracer.trace", "ingest.post"]),
    );
  });

  test.each([...FUNCTIONS])("of %s", async (name, call) => {
    for (const given of [[], [null], [undefined, null], [null, null, null]])
      expectMeant(await outcome(call, given), name);
    await fc.assert(
      fc.asyncProperty(fc.array(odd, { maxLength: 3 }), async (given) => {
        expectMeant(await outcome(call, given), name);
      }),
      { numRuns: propertyRuns(1) },
    );
  });
});

const ID = "0195a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";
const row = {
  id: "a",
  inputs: { q: 1 },
  expected: 1,
  outputs: 1,
  scores: { exact: { score: 1, feedback_config: { type: "freeform" }, feedback_source: { type: "api" } } },
  metadata: { model: "m" },
};
const options = { url, apiKey: "key", proxy: { except: "a" }, clock, signal, emit, spoolDirectory: directory };
const file = { path: join(directory, "a.csv"), name: "a.csv" };
const deps = { clock, signal, emit, spoolDirectory: directory };
const request = { target: { name: "a" }, source: { source: "external_docker", imageUri: "a/b:1" }, wait: false };
const experimentRequest = {
  results: { files: [file], format: "csv", mapping: undefined, workspace: directory },
  ...{
    name: "a",
    defaultName: "b",
    datasetName: "c",
    facts: {},
    metadata: {},
    summaryScores: [],
    timePolicy: "strict",
  },
  ...{ allowNoScores: true, onNameConflict: "fail", onUnclear: "fail", run: { id: "a", isRepeated: false } },
  timeoutMilliseconds: 1_000,
};

const clientCall = (name: string): Callable => FUNCTIONS.get(name) ?? expect.fail(`${name} is not there`);

/** Calls that are right, but that the service refuses each of them. */
const CALLS: Readonly<Record<string, readonly [Callable, ...unknown[]]>> = {
  connect: [library.connect as Callable, { ...options, spoolDirectory: undefined, emit: undefined }],
  "deploy of a project": [
    library.deploy as Callable,
    { name: "a", imageUri: "a/b:1", smokeRun: { input: {} } },
    options,
  ],
  "deploy of a request": [library.deploy as Callable, request, { ...service, ...deps }],
  dryRun: [library.dryRun as Callable, { name: "a", path: directory, include: ["a"] }, options],
  follow: [library.follow as Callable, { name: "a", revisionId: ID, timeoutMilliseconds: 10 }, options],
  "uploadExperiment of rows": [
    library.uploadExperiment as Callable,
    {
      datasetName: "a",
      rows: [row],
      summaryScores: { a: { score: 1 } },
      startTime: 1,
      endTime: 2,
      timePolicy: "clamp",
    },
    options,
  ],
  "uploadExperiment of files": [
    library.uploadExperiment as Callable,
    { datasetName: "a", files: ["a.csv"], mapping: { inputs: "a", scores: { b: { from: "b" } } } },
    options,
  ],
  uploadTraces: [library.uploadTraces as Callable, { files: "a.csv", sessionName: "a" }, options],
  uploadResults: [experiments.uploadResults as Callable, experimentRequest, { ...uploads, ...deps }],
  judge: [
    judgement.judge as Callable,
    { results: { rows: [row] }, baseline: { rows: [row] }, gates: "exact >= 0", directions: { exact: "higher" } },
  ],
  "controlPlane.create": [
    clientCall("controlPlane.create"),
    {
      name: "a",
      source: "external_docker",
      source_config: {},
      source_revision_config: { image_uri: "a/b:1" },
      secrets: [],
    },
    { attemptMilliseconds: 100, deadlineMilliseconds: 100 },
  ],
  "agentServer.runAndWait": [
    clientCall("agentServer.runAndWait"),
    { assistant_id: "a", input: { messages: [] } },
    { attemptMilliseconds: 100, deadlineMilliseconds: 100 },
  ],
  "tracer.start": [
    clientCall("tracer.start"),
    "a",
    { runType: "llm", metadata: { a: 1 }, tags: ["a"], startTime: new Date(0), headers: { baggage: "a" }, inputs: {} },
  ],
  "tracing.createRun": [
    clientCall("tracing.createRun"),
    { id: ID, name: "a", run_type: "chain", inputs: {}, start_time: "2026-05-04T10:00:00Z" },
    { attemptMilliseconds: 100, deadlineMilliseconds: 100 },
  ],
};

/** The value with another one in one of its places, at most three deep. */
function withOdd(value: unknown, path: readonly number[], other: unknown): unknown {
  const isPlain = Array.isArray(value) || (value !== null && Object.getPrototypeOf(value ?? 0) === Object.prototype);
  const [step, ...rest] = path;
  if (!isPlain || step === undefined) return other;
  const entries = Object.entries(value as object);
  const [key, old] = entries[step % (entries.length || 1)] ?? ["a", undefined];
  const changed = withOdd(old, rest, other);
  if (Array.isArray(value))
    return (value as readonly unknown[]).map((item, at) => (String(at) === key ? changed : item));
  return { ...value, [key]: changed };
}

test.each(Object.entries(CALLS))(
  "a call that is right but for one place is an error that the library means of %s",
  async (name, [call, ...right]) => {
    writeFileSync(file.path, "a,b\nx,1\n");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(20), { minLength: 2, maxLength: 4 }), odd, async (path, other) => {
        expectMeant(await outcome(call, withOdd(right, path, other) as readonly unknown[]), name);
      }),
      { numRuns: propertyRuns(1) },
    );
  },
);
