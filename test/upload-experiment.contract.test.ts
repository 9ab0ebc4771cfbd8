import { testWith } from "./test-with.ts";
import { readdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { uploadExperiment, type Experiment, type ResultRow } from "../src/index.ts";
import type { SentExperiment } from "../src/experiments/index.ts";
import { startLocalService, type LocalService, type LocalServiceOptions } from "../src/local/index.ts";
import { withUploads } from "./experiments/upload-rig.ts";

const Page = z.object({ resources: z.array(z.looseObject({ row_id: z.string().optional() })) });

/** What the service says that it stores. */
async function stored(service: LocalService, path: string) {
  return Page.parse(await (await fetch(service.url + path)).json()).resources;
}

async function world(options: LocalServiceOptions = {}) {
  const service = await startLocalService({ experimentDelayMilliseconds: 0, ...options });
  const spoolDirectory = await mkdtemp(join(tmpdir(), "graph-deploy-rows-"));
  onTestFinished(async () => {
    await service.close();
    await rm(spoolDirectory, { recursive: true, force: true });
  });
  const posts = () => service.requests.filter(({ method }) => method === "POST");
  return {
    service,
    spoolDirectory,
    posts,
    upload: (rows: Experiment["rows"], more: Partial<Experiment> = {}) =>
      uploadExperiment({ datasetName: "questions", rows, ...more }, { url: service.url, spoolDirectory }),
    rowsOf: ({ id }: SentExperiment) => stored(service, `/experiments/${id}/rows`),
  };
}
const withWorld = testWith(world);

/** A row that a caller without types hands over. */
const untyped = (row: unknown) => row as ResultRow;

async function* later<Item>(...items: readonly Item[]) {
  for (const item of items) {
    await Promise.resolve();
    yield item;
  }
}

const ROWS: readonly ResultRow[] = [
  {
    id: "case-1",
    inputs: { question: "Why?" },
    expected: { answer: "because" },
    outputs: "because",
    scores: { exact: true, judge: { score: 0.5, comment: "short" }, missing: null },
    startTime: new Date("2026-05-04T10:00:00Z"),
    endTime: "2026-05-04T10:00:02Z",
    metadata: { model: "small" },
    usage: { total_tokens: 12 },
    cost: 0.25,
  },
  {
    id: "case-2",
    inputs: "How?",
    outputs: null,
    scores: { exact: 0 },
    latencyMilliseconds: 1500,
    error: new Error("no"),
  },
];

describe("rows of a program", () => {
  withWorld("become one experiment, with what each says", async ({ upload, rowsOf, service, spoolDirectory }) => {
    const [sent, ...others] = await upload(ROWS, { experimentName: "nightly", metadata: { commit: "abc" } });
    expect(others).toEqual([]);
    expect(sent).toMatchObject({ name: "nightly", rows: 2, status: "uploaded", id: expect.any(String) });
    expect(sent.page).toContain(service.url);
    expect(await rowsOf(sent)).toMatchObject([
      {
        inputs: { question: "Why?" },
        expected_outputs: { answer: "because" },
        actual_outputs: { output: "because" },
        evaluation_scores: [
          { key: "exact", score: 1 },
          { key: "judge", score: 0.5, comment: "short" },
        ],
        start_time: expect.stringContaining("2026-05-04T10:00:00"),
        end_time: expect.stringContaining("2026-05-04T10:00:02"),
        run_metadata: { case_id: "case-1", model: "small", usage: { total_tokens: 12 }, cost: 0.25 },
      },
      { inputs: { input: "How?" }, evaluation_scores: [{ key: "exact", score: 0 }], error: "no" },
    ]);
    const [experiment] = await stored(service, `/datasets/${sent.datasetKey.id ?? ""}/experiments`);
    expect(experiment).toMatchObject({ name: "nightly", extra: { metadata: { commit: "abc" } } });
    expect(JSON.stringify(experiment)).not.toContain("result_files");
    expect(await readdir(spoolDirectory)).toEqual([]);
  });

  withWorld("that come one after the other are the same", async ({ upload, rowsOf }) => {
    const [first] = await upload(ROWS);
    const [second] = await upload(later(...ROWS));
    const [rows, others] = [await rowsOf(first), await rowsOf(second)];
    expect(rows).toHaveLength(2);
    expect(others).toEqual(rows);
  });

  withUploads("have the ids that the same rows have in a file", async ({ write, upload, service }) => {
    await write({
      "rows.jsonl": '{"id": "case-1", "input": "Why?", "score": 1}\n{"id": "case-2", "input": "How?", "score": 0}\n',
    });
    const [ofFile] = await upload({ datasetName: "questions" });
    const rows = [
      { id: "case-1", inputs: "Why?", scores: { score: 1 } },
      { id: "case-2", inputs: "How?", scores: { score: 0 } },
    ];
    const [sent] = await uploadExperiment({ datasetName: "questions", rows }, { url: service.url });
    const idsOf = async (id: string | undefined) =>
      (await stored(service, `/experiments/${String(id)}/rows`)).map(({ row_id: row }) => row);
    expect(await idsOf(sent.id)).toEqual(await idsOf(ofFile?.id));
    expect(await idsOf(sent.id)).toHaveLength(2);
  });

  withWorld("repeat a case as often as they stand there", async ({ upload, rowsOf }) => {
    const row = { id: "case-1", inputs: "Why?", scores: { exact: 1 } };
    const [sent] = await upload([row, row, { ...row, repetition: 2 }]);
    const ids = (await rowsOf(sent)).map(({ row_id: id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  withWorld("of more than one experiment are numbered ones", async ({ upload }) => {
    const rows = [1, 2, 3].map((id) => ({ id, inputs: id, scores: { exact: 1 } }));
    const sent = await upload(rows, { experimentName: "nightly", maxRowsPerExperiment: 2 });
    expect(sent.map(({ name, rows: count }) => [name, count])).toEqual([
      ["nightly [1/2]", 2],
      ["nightly [2/2]", 1],
    ]);
  });

  withWorld("get the next name when theirs is taken", { tags: "slow" }, async ({ upload }) => {
    await upload(ROWS, { experimentName: "nightly" });
    const [sent] = await upload(ROWS, { experimentName: "nightly" });
    expect(sent.name).toBe("nightly-2");
    const refused = upload(ROWS, { experimentName: "nightly", onNameConflict: "fail" });
    await expect(refused).rejects.toMatchObject({ code: "EXPERIMENT_NAME_TAKEN" });
  });

  withWorld("with faults are refused in one report, each by its number", async ({ upload, posts, spoolDirectory }) => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    const rows = [
      ...ROWS,
      untyped("a text"),
      untyped({ scores: { exact: 1 } }),
      untyped({ inputs: 1, output: 2 }),
      untyped({ inputs: 1, scores: { exact: "well" } }),
      untyped({ inputs: new Map([["question", "Why?"]]) }),
      untyped({ inputs: 1, outputs: 10n }),
      untyped({ inputs: circle }),
      untyped({ inputs: 1, startTime: new Date("never") }),
      untyped({ inputs: 1, scores: { exact: { value: 1 } } }),
      untyped(Promise.resolve({ inputs: 1 })),
      untyped({ inputs: 1, startTime: "yesterday" }),
    ];
    const error: unknown = await upload(rows).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "RESULTS", count: 11, advice: "Correct the rows." });
    const faults = z.object({
      faults: z.array(z.object({ place: z.object({ row: z.number() }), message: z.string() })),
    });
    expect(faults.parse(error).faults.map(({ place, message }) => `${place.row}: ${message}`)).toEqual([
      "3: the row is not an object",
      "4: inputs is missing",
      expect.stringMatching(/^5: `output` is not a field of a row, which has id, inputs, expected, outputs, scores/),
      expect.stringMatching(/^6: the score "exact" is a text/),
      "7: `inputs` contains a Map, which JSON cannot represent",
      "8: `outputs` contains a BigInt, which JSON cannot represent",
      expect.stringMatching(/^9: `inputs` cannot be written as JSON/),
      "10: `startTime` contains an invalid Date, which JSON cannot represent",
      "11: the score `exact` has an invalid `value`: Input should be a valid string",
      "12: the row contains a Promise, which JSON cannot represent",
      expect.stringMatching(/^13: `startTime` is not a time; /),
    ]);
    expect(posts()).toEqual([]);
    expect(await readdir(spoolDirectory)).toEqual([]);
  });

  withWorld("that are none, or too few, are refused", async ({ upload, posts }) => {
    await expect(upload([])).rejects.toThrow("there are no rows");
    await expect(upload(ROWS, { expectedRows: 3 })).rejects.toThrow("expected 3 rows, found 2");
    expect(posts()).toEqual([]);
  });

  test("end with the error of the program that makes them, and leave nothing behind", async () => {
    const { upload, posts, spoolDirectory } = await world();
    const broken = new Error("the model is away");
    async function* rows() {
      yield* later(...ROWS);
      throw broken;
    }
    expect(await upload(rows()).catch((thrown: unknown) => thrown)).toBe(broken);
    expect(posts()).toEqual([]);
    expect(await readdir(spoolDirectory)).toEqual([]);
  });
});

test("a call that is cancelled while its rows are made sends nothing", async () => {
  const { service, posts, spoolDirectory } = await world();
  const cancellation = new AbortController();
  async function* rows() {
    for (const row of ROWS) {
      yield row;
      cancellation.abort();
    }
    expect.unreachable("no further row is asked for");
  }
  const { signal } = cancellation;
  const call = uploadExperiment(
    { datasetName: "questions", rows: rows() },
    { url: service.url, spoolDirectory, signal },
  );
  await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
  expect(posts()).toEqual([]);
  expect(await readdir(spoolDirectory)).toEqual([]);
});

test("a call is cancelled among wrong rows, too, however many a program makes at once", async () => {
  const { service, posts, spoolDirectory } = await world();
  const cancellation = new AbortController();
  let made = 0;
  function* rows() {
    setImmediate(() => {
      cancellation.abort();
    });
    for (; made < 1_000_000; made += 1) yield { id: "no inputs" } as never;
  }
  const { signal } = cancellation;
  const call = uploadExperiment(
    { datasetName: "questions", rows: rows() },
    { url: service.url, spoolDirectory, signal },
  );
  await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
  expect(made).toBeLessThan(10_000);
  expect(posts()).toEqual([]);
});

describe("arguments of an upload", () => {
  const call = (...given: unknown[]) => Reflect.apply(uploadExperiment, undefined, given) as Promise<unknown>;
  const faultsOf = async (...given: unknown[]) => {
    const error: unknown = await call(...given).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "ARGUMENTS" });
    return z.object({ faults: z.array(z.string()) }).parse(error).faults;
  };

  test("that are missing are reported in one sentence", async () => {
    vi.stubEnv("GRAPH_DEPLOY_BASE_URL", undefined);
    vi.stubEnv("GRAPH_DEPLOY_API_KEY", undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    const missing = [
      "`rows` is missing; give it, or `files`",
      "`datasetName` is missing",
      "`url` is missing; give the address of the service, or set GRAPH_DEPLOY_BASE_URL",
      "`apiKey` is missing; give it, or set GRAPH_DEPLOY_API_KEY",
    ];
    expect(await faultsOf()).toEqual(["the first argument must be an object", ...missing]);
    expect(await faultsOf({})).toEqual(missing);
    const both = ["the first argument must be an object", "the second argument must be an object"];
    expect(await faultsOf(null, null)).toEqual([...both, ...missing]);
    await expect(call({ rows: [] }, { url: "http://127.0.0.1:9" })).rejects.toThrow(
      /^uploadExperiment: `datasetName` is missing\.$/,
    );
  });

  test("that expect a number of rows are left out or given, and never undefined", async () => {
    const given = { datasetName: "questions", rows: [], expectedRows: undefined };
    expect(await faultsOf(given, { url: "http://127.0.0.1:9" })).toEqual([
      expect.stringMatching(/^`expectedRows` is undefined: .*; leave it out where there is none$/),
    ]);
  });

  test("that are wrong are reported together", async () => {
    const given = { datasetName: 7, rows: "a text", experimentname: "x", timePolicy: "loose", metadata: { size: 1n } };
    expect(await faultsOf(given, { url: "nowhere", apiKey: "key", emit: 1 })).toEqual([
      "`datasetName` must be a text",
      "`timePolicy` must be strict or expand or clamp",
      "`rows` must be an iterable or an async iterable of rows, such as an array",
      '"experimentname" is not a known option',
      "`emit` must be a function",
      "`metadata` contains a BigInt, which JSON cannot represent",
      expect.stringMatching(/^`url`: .*not a valid URL/),
    ]);
    expect(await faultsOf({ datasetName: "a", rows: () => [] }, { url: 7, apiKey: "" })).toEqual([
      "`rows` must be an iterable or an async iterable of rows, such as an array",
      "`url` must be a text",
      "`apiKey` is empty",
    ]);
  });

  test("that are not given come from the environment", async () => {
    const { service } = await world({
      apiKey: "key-of-the-environment",
      tenantId: "0195a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
    });
    vi.stubEnv("GRAPH_DEPLOY_BASE_URL", service.url);
    vi.stubEnv("GRAPH_DEPLOY_API_KEY", "key-of-the-environment");
    vi.stubEnv("GRAPH_DEPLOY_TENANT_ID", "0195a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b");
    onTestFinished(() => void vi.unstubAllEnvs());
    const [sent] = await uploadExperiment({ datasetName: "questions", rows: ROWS });
    expect(sent.status).toBe("uploaded");
    await expect(
      uploadExperiment({ datasetName: "questions", rows: ROWS }, { apiKey: "another" }),
    ).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
  });
});
