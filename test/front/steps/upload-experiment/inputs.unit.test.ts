import { secretsOf } from "../../../../front/steps/run-step.ts";
import { hostOf, optionsOf } from "../../hosted.ts";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { uploadExperimentStep } from "../../../../action/upload-experiment/step.ts";
import { Endpoint } from "../../../../src/http/endpoint.ts";
import { inputsRead, inputVariable } from "../../options/step.ts";
import { environment, errorOf, faults, makeStep, read, type Inputs } from "./step.ts";

describe("the inputs of an upload", () => {
  test("are read with their defaults", async () => {
    const { env, workspace } = await makeStep();
    vi.useFakeTimers({ now: new Date("2026-08-28T10:15:00.250Z"), toFake: ["Date"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    expect(await optionsOf(uploadExperimentStep, env)).toEqual({
      task: "upload",
      comment: undefined,
      notices: [],
      request: {
        results: {
          files: [{ path: join(workspace, "results.jsonl"), name: "results.jsonl" }],
          format: undefined,
          mapping: undefined,
          workspace,
        },
        name: undefined,
        defaultName: "experiment-2026-08-28T10:15:00Z",
        description: undefined,
        datasetId: undefined,
        datasetName: undefined,
        datasetDescription: undefined,
        facts: {},
        metadata: {},
        summaryScores: [],
        timePolicy: "strict",
        expectedShards: undefined,
        expectedRows: undefined,
        allowNoScores: false,
        onNameConflict: "suffix",
        onUnclear: "fail",
        run: { id: expect.stringMatching(/^[\da-f-]{36}$/) as string, isRepeated: false },
        maxRows: undefined,
        timeoutMilliseconds: 600_000,
      },
      connection: {
        service: expect.any(Endpoint) as Endpoint,
        allowHttp: false,
        proxy: {},
      },
      jobSummary: true,
      runUrl: undefined,
      warnings: [],
    });
  });

  test("are read as they are given", async () => {
    const { request, jobSummary } = await read({
      "experiment-name": "nightly: größer – v2",
      "experiment-description": "line one\nline two",
      "dataset-id": "6BA7B810-9dad-11d1-80b4-00c04fd430c8",
      "dataset-name": "support regression",
      "dataset-description": "Cases of June.",
      metadata: "model: small",
      "summary-scores": "accuracy: 0.91",
      "time-policy": "clamp",
      "on-unclear": "retry",
      "on-name-conflict": "fail",
      "expected-shards": "4",
      "expected-rows": "240",
      "max-rows-per-experiment": "1000",
      timeout: "90s",
      "job-summary": "false",
    });
    expect(request).toMatchObject({
      name: "nightly: größer – v2",
      description: "line one\nline two",
      datasetId: "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
      datasetName: "support regression",
      datasetDescription: "Cases of June.",
      metadata: { model: "small" },
      summaryScores: [{ key: "accuracy", value: 0.91 }],
      timePolicy: "clamp",
      onNameConflict: "fail",
      onUnclear: "retry",
      expectedShards: 4,
      expectedRows: 240,
      maxRows: 1000,
      timeoutMilliseconds: 90_000,
    });
    expect(jobSummary).toBe(false);
  });

  test("that are not handed over at all have the same defaults", async () => {
    const { workspace, temp } = await makeStep();
    const base = { GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp, GITHUB_RUN_ID: "77" };
    vi.useFakeTimers({ now: new Date(), toFake: ["Date"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const bare = await optionsOf(uploadExperimentStep, {
      ...base,
      INPUT_RESULTS: "*.jsonl",
      "INPUT_BASE-URL": "local",
    });
    expect(bare).toEqual(
      await optionsOf(uploadExperimentStep, environment({ results: "*.jsonl", "base-url": "local" }, base)),
    );
  });

  test("are each declared: the reader looks at no other INPUT_ variable, and at each of these", async () => {
    const { env } = await makeStep();
    const { defaults, neverEmpty } = uploadExperimentStep.declared;
    expect(await inputsRead([env], neverEmpty, (given) => optionsOf(uploadExperimentStep, given))).toEqual(
      Object.keys(defaults).map(inputVariable).sort(),
    );
  });

  test.each([
    ["expected-shards", "none"],
    ["expected-rows", "none"],
    ["max-rows-per-experiment", "empty"],
  ] as const)("count with whole numbers from 1 on: %s", async (name, none) => {
    for (const text of ["0", "-1", "1.5", "1e3", "0x10", "many", "9007199254740993"]) {
      expect(await faults({ [name]: text })).toEqual([`${name}: "${text}" must be a positive integer, or ${none}`]);
    }
    expect((await read({ [name]: "1" })).request.results.files).toHaveLength(1);
  });

  test.each<[Inputs, string]>([
    [{ "time-policy": "lax" }, 'time-policy: "lax" is not valid (choose strict, expand or clamp)'],
    [{ "on-name-conflict": "overwrite" }, 'on-name-conflict: "overwrite" is not valid (choose suffix or fail)'],
    [{ timeout: "0" }, 'timeout: "0" must be between 0.1s and 168h'],
    [{ "dry-run": "yes" }, 'dry-run: "yes" is not valid (choose true or false)'],
    [{ "job-summary": "1" }, 'job-summary: "1" is not valid (choose true or false)'],
    [{ "allow-http": "on" }, 'allow-http: "on" is not valid (choose true or false)'],
    [{ "dataset-id": "support" }, 'dataset-id: "support" is not a valid UUID; write a name in `dataset-name`'],
    [
      { "experiment-name": "two\nlines" },
      String.raw`experiment-name: "two\nlines" contains a line break or another control character`,
    ],
    [
      { "dataset-name": "a\u001bb" },
      String.raw`dataset-name: "a\u001bb" contains a line break or another control character`,
    ],
    [{ metadata: "small" }, "metadata: must be a YAML mapping, for example `model: small`"],
    [{ "summary-scores": "accuracy: good" }, "summary-scores: `accuracy` is a text, not a number"],
  ])("cannot be %j", async (inputs, fault) => {
    expect(await faults(inputs)).toEqual([fault]);
  });

  test("are refused all at once", async () => {
    const error = await errorOf({
      results: "nowhere.json",
      format: "yaml",
      mapping: "inputs: [",
      "base-url": "",
      "api-key": "",
      "dataset-id": "x",
      metadata: "a: .nan\nb: .inf",
      "summary-scores": "- 1",
      timeout: "soon",
      "job-summary": "maybe",
    });
    expect(error.faults.map(({ input }) => input)).toEqual([
      ...["format", "mapping", "results", "base-url", "api-key", "dataset-id", "timeout"],
      ...["metadata", "metadata", "summary-scores", "job-summary"],
    ]);
    expect(error.advice).toContain("nothing was sent");
  });

  test("are refused all at once when nothing is given", async () => {
    const error = await optionsOf(uploadExperimentStep, {}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      faults: [{ input: "results" }, { input: "results" }, { input: "base-url" }, { input: "api-key" }],
    });
  });
});

describe("a key", () => {
  const key = "sk-live-0123456789";

  test.each(["experiment-name", "experiment-description", "dataset-name", "dataset-description"] as const)(
    "that stands in %s would be stored, and is refused without being repeated",
    async (name) => {
      const error = await errorOf({ "api-key": key, [name]: `by ${key}` });
      expect(error.faults).toEqual([
        {
          input: name,
          message: "contains this step's API key, which would be stored where others can read it; remove it",
        },
      ]);
    },
  );

  test("is found in metadata and scores too, also when it comes from the environment", async () => {
    const options = { env: { GRAPH_DEPLOY_API_KEY: key } };
    const inputs = { "api-key": "", metadata: `token: ${key}`, "summary-scores": `a: { score: 1, comment: ${key} }` };
    const error = await errorOf(inputs, options);
    expect(error.faults.map(({ input }) => input)).toEqual(["metadata", "summary-scores"]);
    expect(JSON.stringify([error.message, error.faults])).not.toContain(key);
  });

  test("that was pasted into another input is not repeated", async () => {
    const error = await errorOf({ "api-key": key, format: key, timeout: key, results: key, mapping: key });
    expect(error.faults.map(({ input }) => input)).toEqual(["format", "mapping", "results", "timeout"]);
    expect(JSON.stringify([error.message, error.faults])).not.toContain(key);
  });

  test("that is as short as a word may stand in a name", async () => {
    expect((await read({ "api-key": "eval", "experiment-name": "evaluation" })).request.name).toBe("evaluation");
  });

  test("is among the secrets of the step, also when the inputs cannot be used", () => {
    const inputs = { "api-key": "the-api-key", "base-url": "https://user:url-password@evals.example", timeout: "soon" };
    const more = { GRAPH_DEPLOY_API_KEY: "the-fallback-key", https_proxy: "http://user:proxy-password@proxy.example" };
    expect(secretsOf(uploadExperimentStep, hostOf(environment(inputs, more)))).toEqual([
      ...["the-api-key", "the-fallback-key", "url-password", "proxy-password"],
    ]);
    expect(secretsOf(uploadExperimentStep, hostOf({}))).toEqual([]);
  });
});
