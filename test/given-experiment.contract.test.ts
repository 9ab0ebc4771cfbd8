import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { projectRoot } from "../scripts/command.ts";
import { FieldNames, uploadExperiment, type Experiment, type ResultRow } from "../src/index.ts";
import { checkHead, checkRow } from "../src/contract/experiment-rules.ts";
import { startLocalService } from "../src/local/index.ts";
import { startFaultServer } from "./wire/fault-server.ts";
import { writeFiles } from "./write-files.ts";

const ID = "0195a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";
const Body = z.looseObject({ results: z.array(z.record(z.string(), z.unknown())) });

/** A service that answers an upload with this status and body; the bodies that it gets. */
async function recorder(status = 200, answer = JSON.stringify(ANSWER)) {
  const headers = answer === "" ? {} : { "content-type": "application/json" };
  const { url, requests } = await startFaultServer(({ method }) =>
    method === "POST" ? { status, headers, body: answer } : { status: 404 },
  );
  const posts = () => requests.filter(({ method }) => method === "POST");
  return { url, posts, bodies: () => posts().map(({ body }) => Body.parse(JSON.parse(body.toString()))) };
}

const ANSWER = {
  experiment: { id: ID, name: "nightly", reference_dataset_id: ID, latency_p50: null, test_run_number: 3 },
  dataset: { id: ID, name: "questions", externally_managed: true, example_count: 1 },
};

const feedback = {
  score: 0.5,
  value: "good",
  comment: "short",
  feedback_source: { type: "model", model: "judge-1" },
  feedback_config: {
    type: "categorical" as const,
    min: 0,
    max: 1,
    categories: [{ value: 0.5, label: "good" }, { value: 0 }],
  },
  created_at: "2026-05-04T10:00:03Z",
  modified_at: new Date("2026-05-04T10:00:04Z"),
  correction: { score: 1 },
};
const sentFeedback = { ...feedback, modified_at: "2026-05-04T10:00:04.000Z" };

const WHOLE: Experiment = {
  experimentName: "nightly",
  experimentDescription: "each night",
  startTime: new Date("2026-05-04T09:00:00Z"),
  endTime: "2026-05-04T11:00:00Z",
  datasetId: ID,
  datasetName: "questions",
  datasetDescription: "asked often",
  metadata: { model: "small" },
  summaryScores: { accuracy: 0.9, verdict: { ...feedback, correction: "better" }, passed: true },
  rows: [
    {
      id: ID,
      inputs: { question: "Why?" },
      expected: { answer: "because" },
      outputs: { answer: "so" },
      scores: [
        { key: "judge", ...feedback },
        { key: "judge", value: "poor" },
      ],
      startTime: "2026-05-04T10:00:00Z",
      endTime: new Date("2026-05-04T10:00:02Z"),
      runName: "answer",
      error: "no",
      metadata: { region: "eu" },
    },
  ],
};

describe("every field of the contract", () => {
  test("is sent as it is given", async () => {
    const { bodies, url } = await recorder();
    await uploadExperiment(WHOLE, { url });
    const { results, ...head } = Body.parse(bodies()[0]);
    expect(head).toMatchObject({
      experiment_name: "nightly",
      experiment_description: "each night",
      experiment_start_time: "2026-05-04T09:00:00Z",
      experiment_end_time: "2026-05-04T11:00:00Z",
      dataset_id: ID,
      dataset_name: "questions",
      dataset_description: "asked often",
      experiment_metadata: { model: "small" },
      summary_experiment_scores: [
        { key: "accuracy", score: 0.9 },
        { key: "verdict", ...sentFeedback, correction: "better" },
        { key: "passed", score: 1 },
      ],
    });
    expect(results).toEqual([
      {
        row_id: ID,
        inputs: { question: "Why?" },
        expected_outputs: { answer: "because" },
        actual_outputs: { answer: "so" },
        evaluation_scores: [
          { key: "judge", ...sentFeedback },
          { key: "judge", value: "poor" },
        ],
        start_time: "2026-05-04T10:00:00Z",
        end_time: "2026-05-04T10:00:02Z",
        run_name: "answer",
        error: "no",
        run_metadata: { region: "eu" },
      },
    ]);
    expect([checkHead(head).faults, ...results.map((row) => checkRow(row).faults)]).toEqual([[], []]);
  });

  test("is known to the local service", async () => {
    const service = await startLocalService({ experimentDelayMilliseconds: 0 });
    onTestFinished(() => service.close());
    const [sent] = await uploadExperiment(WHOLE, { url: service.url });
    const read: unknown = await (await fetch(`${service.url}/experiments/${String(sent.id)}/rows`)).json();
    expect(JSON.stringify(read)).toContain('"run_name":"answer"');
    expect(sent.experiment).toMatchObject({ id: sent.id, name: "nightly", start_time: expect.any(String) });
    expect(sent.dataset).toMatchObject({ id: sent.datasetKey.id, externally_managed: true });
  });

  test("may be left out, and null is left out too", async () => {
    const { bodies, url } = await recorder();
    const row: ResultRow = { inputs: 1, scores: { exact: { score: 1, value: null, correction: null } } };
    await uploadExperiment({ datasetName: "questions", rows: [row], startTime: undefined }, { url });
    expect(bodies()[0]?.results).toMatchObject([{ evaluation_scores: [{ key: "exact", score: 1 }] }]);
    expect(Object.keys(bodies()[0] ?? {})).not.toContain("summary_experiment_scores");
    expect(Object.keys(bodies()[0]?.results[0] ?? {})).not.toContain("run_name");
  });

  test("of a word alone is a score", async () => {
    const { bodies, url } = await recorder();
    await uploadExperiment(
      { datasetName: "questions", rows: [{ inputs: 1, scores: { tone: { value: "kind" } } }] },
      { url },
    );
    expect(bodies()[0]?.results).toMatchObject([{ evaluation_scores: [{ key: "tone", value: "kind" }] }]);
  });
});

describe("the result of an upload", () => {
  const rows = [{ inputs: 1, scores: { exact: 1 } }];

  test("has the experiment and the dataset as the service answered them", async () => {
    const { url } = await recorder();
    const [sent] = await uploadExperiment({ datasetName: "questions", rows }, { url });
    expect(sent).toMatchObject({ ...ANSWER, id: ID, datasetKey: { id: ID, name: "questions" } });
  });

  test.each<[string, number, string]>([
    ["nothing", 202, ""],
    ["other JSON", 200, '{"status":"ok"}'],
  ])("has neither where the acceptance had %s", async (_what, status, answer) => {
    const { url } = await recorder(status, answer);
    const [sent] = await uploadExperiment({ datasetName: "questions", rows }, { url });
    expect(sent.experiment).toBeUndefined();
    expect(sent.dataset).toBeUndefined();
    expect(sent).toMatchObject({ status: "uploaded", datasetKey: { id: undefined, name: "questions" } });
  });
});

/** The faults of a call that a program without types makes. */
async function faultsOf(given: unknown, options: unknown = { url: "http://127.0.0.1:9" }): Promise<readonly string[]> {
  const call = Reflect.apply(uploadExperiment, undefined, [given, options]) as Promise<unknown>;
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "ARGUMENTS" });
  return z.object({ faults: z.array(z.string()) }).parse(error).faults;
}

describe("what is wrong", () => {
  test("with the fields of the contract stands in one report, with that of the rows of a list", async () => {
    const given = {
      datasetName: "questions",
      experimentName: 7,
      startTime: "2026-05-04T11:00:00Z",
      endTime: "2026-05-04T10:00:00Z",
      summaryScores: {
        accuracy: null,
        tone: { value: 1 },
        range: { score: 1, feedback_config: { type: "stars" } },
        source: { score: 1, feedback_source: { model: "a" } },
        made: { score: 1, created_at: "yesterday", modified_at: 5 },
        other: { score: 1, weight: 2 },
        right: { score: 1, correction: 3 },
      },
      rows: [
        { inputs: 1, scores: { exact: "well" } },
        { inputs: 1, run_name: "x", scores: { a: { value: 1 } } },
      ],
    };
    const faults = await faultsOf(given);
    for (const part of [
      "`experimentName` must be a text",
      "`endTime` is before `startTime`",
      "`summaryScores` `accuracy` has no number; leave the score out if it is missing",
      "`summaryScores` `tone` has an invalid `value`: Input should be a valid string",
      "`summaryScores` `range` has an invalid `feedback_config.type`: Input should be 'continuous', 'categorical' or 'freeform'",
      "`summaryScores` `source` has an invalid `feedback_source.type`: Field required",
      "`summaryScores` `made` has an invalid `created_at`: Input should be a valid datetime",
      "`summaryScores` `made` has an invalid `modified_at`: Input should be a valid string",
      "`summaryScores` `right` has an invalid `correction`: Input should be a valid dictionary or a valid string",
    ]) {
      expect(faults).toContain(part);
    }
    expect(faults.join("\n")).toMatch(
      /`summaryScores` `other` has an unknown field `weight`; a score has score, value/,
    );
    expect(faults.join("\n")).toMatch(/`rows`: row 1: the score "exact" is a text, not a number/);
    expect(faults.join("\n")).toMatch(/`rows`: row 2: `run_name` is not a field of a row, which has .*runName/);
  });

  test.each<[string, object, string | RegExp]>([
    ["a time that is none", { startTime: "soon" }, /^`startTime` is a text, not a time; write it as 2026-/],
    ["an empty time", { endTime: "" }, /^`endTime` is .*not a time/],
    ["a Date that is none", { endTime: new Date("never") }, /^`endTime` must be a Date/],
    ["a list of scores without names", { summaryScores: [{ score: 1 }] }, /^`summaryScores` score 1 has no name/],
    [
      "a score given twice",
      {
        summaryScores: [
          { key: "a", score: 1 },
          { key: "a", score: 2 },
        ],
      },
      /`a` is set twice$/,
    ],
    ["scores that are a text", { summaryScores: "a" }, "`summaryScores` must be an object or a list"],
    ["rows and files", { files: "a.csv" }, "`rows` and `files` are both given; give one"],
    ["a format without files", { format: "csv" }, "`format` is for `files`, not for `rows`"],
  ])("%s is told", async (_what, wrong, fault) => {
    const [first] = await faultsOf({ datasetName: "questions", rows: [], ...wrong });
    if (typeof fault === "string") expect(first).toBe(fault);
    else expect(first).toMatch(fault);
  });

  test("leaves rows that are made one by one alone", async () => {
    let isAsked = false;
    function* rows() {
      isAsked = true;
      yield { inputs: 1 };
    }
    await faultsOf({ datasetName: 7, rows: rows() });
    expect(isAsked).toBe(false);
  });

  test("with a row outside the time of the experiment is told by the number of the row", async () => {
    const rows = [
      { inputs: 1, scores: { exact: 1 }, startTime: "2026-05-04T12:00:00Z", endTime: "2026-05-04T12:00:01Z" },
    ];
    await expect(uploadExperiment({ ...WHOLE, rows }, { url: "http://127.0.0.1:9" })).rejects.toMatchObject({
      code: "RESULTS",
      faults: [{ place: { row: 1 }, message: expect.stringContaining("is outside the time of the experiment") }],
    });
  });
});

describe("files", () => {
  async function world() {
    const service = await startLocalService({ experimentDelayMilliseconds: 0 });
    const directory = await realpath(await mkdtemp(join(tmpdir(), "graph-deploy-files-")));
    const before = process.cwd();
    onTestFinished(async () => {
      process.chdir(before);
      await service.close();
      await rm(directory, { recursive: true, force: true });
    });
    return { service, directory, url: service.url };
  }
  const fixture = (...path: string[]) => join(projectRoot, "test/fixtures/results", ...path);

  test("of promptfoo and of pytest are uploaded from anywhere, by their paths", async () => {
    const { url, directory } = await world();
    process.chdir(directory);
    const [promptfoo] = await uploadExperiment(
      { datasetName: "a", files: fixture("promptfoo/promptfoo.json") },
      { url },
    );
    expect(promptfoo.rows).toBeGreaterThan(0);
    const [pytest] = await uploadExperiment({ datasetName: "b", files: [fixture("junit/pytest-scores.xml")] }, { url });
    expect(pytest.rows).toBeGreaterThan(0);
  });

  test("of a table are read by a mapping, as an object or as YAML, from the working directory", async () => {
    const { url, directory } = await world();
    await writeFiles(directory, { "out/a.csv": "frage,note\nWarum?,1\nWie?,0\n" });
    process.chdir(directory);
    for (const mapping of [{ inputs: "frage", scores: { exact: "note" } }, "inputs: frage\nscores:\n  exact: note\n"]) {
      const [sent] = await uploadExperiment(
        { datasetName: "fragen", files: "out/*.csv", format: "csv", mapping, allowNoScores: true, expectedFiles: 1 },
        { url },
      );
      expect(sent).toMatchObject({ rows: 2, datasetKey: { name: "fragen" } });
    }
  });

  test("that are not there, or cannot be mapped, are errors of the arguments", async () => {
    const { directory } = await world();
    process.chdir(directory);
    await writeFiles(directory, { "a.csv": "x\n1\n" });
    expect(await faultsOf({ files: ["a.csv", "b.csv"], datasetName: "d", mapping: { input: "x" } })).toEqual([
      expect.stringMatching(/^`files`: b\.csv matches no file/),
      expect.stringMatching(/^`mapping`: `input` is not known; a mapping has/),
    ]);
    expect(await faultsOf({ files: [] })).toEqual(["`files` is empty"]);
    expect(await faultsOf({ files: "a.csv", expectedFiles: undefined })).toEqual([
      expect.stringMatching(/^`expectedFiles` is undefined: /),
    ]);
  });

  test("may name the dataset, and summary scores and times that are given come before theirs", async () => {
    const { bodies, url } = await recorder();
    const directory = await realpath(await mkdtemp(join(tmpdir(), "graph-deploy-files-")));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const [start, end] = ["2026-05-04T10:00:00Z", "2026-05-04T10:00:01Z"];
    const native = {
      experiment_name: "of the file",
      experiment_start_time: start,
      experiment_end_time: end,
      dataset_name: "questions",
      summary_experiment_scores: [{ key: "accuracy", score: 0.1 }],
      results: [
        { inputs: { q: 1 }, evaluation_scores: [{ key: "exact", score: 1 }], start_time: start, end_time: end },
      ],
    };
    await writeFiles(directory, { "native.json": JSON.stringify(native) });
    await uploadExperiment(
      { files: join(directory, "native.json"), summaryScores: { accuracy: 0.9 }, endTime: "2026-05-04T11:00:00Z" },
      { url },
    );
    expect(bodies()[0]).toMatchObject({
      experiment_name: "of the file",
      dataset_name: "questions",
      experiment_start_time: start,
      experiment_end_time: "2026-05-04T11:00:00Z",
      summary_experiment_scores: [{ key: "accuracy", score: 0.9 }],
    });
  });
});

describe("the connection of an upload", () => {
  test("takes what a control plane takes: a token in place of the key, names, and a tenant alone", async () => {
    const { posts, url } = await recorder();
    const rows = [{ inputs: 1, scores: { exact: 1 } }];
    await uploadExperiment({ datasetName: "q", rows }, { url, bearerToken: "token-1", fieldNames: FieldNames.none });
    expect(posts().map(({ headers }) => headers["authorization"])).toEqual(["Bearer token-1"]);
    const far = { url: "https://service.example.test", tenantId: ID };
    // Nothing is missing from it, so the rows are read.
    await expect(uploadExperiment({ datasetName: "q", rows: [] }, far)).rejects.toMatchObject({ code: "RESULTS" });
  });
});
