import { expect, test } from "vitest";
import { evaluateStep } from "../../../../front/steps/evaluate/step.ts";
import { secretsOf } from "../../../../front/steps/run-step.ts";
import { hostOf } from "../../hosted.ts";
import { inputVariables } from "../../options/step.ts";
import { faults, read } from "./step.ts";

/** The request of a step that asks. */
async function request(...given: Parameters<typeof read>) {
  const { task } = await read(...given);
  if (task.type !== "ask") expect.fail("nothing is asked");
  return task.request;
}

test("the file says what is asked, and the rest has its default", async () => {
  expect(await request()).toMatchObject({
    dataset: { file: { name: "cases.jsonl" }, name: "cases", filter: [] },
    scorers: [{ name: "correct" }],
    trials: 1,
    concurrency: 8,
    timeoutMilliseconds: 120_000,
    resume: true,
    dryRun: false,
    resultsPath: expect.stringMatching(/evaluation\.results\.jsonl$/) as unknown,
  });
});

test("an input beside the file replaces its key, also where it is the default", async () => {
  const files = {
    "evaluation.yaml": "dataset: cases.jsonl\ntrials: 5\ntimeout: 10s\nscorers: { a: { equals: $.answer } }\n",
  };
  const inputs = { trials: "1", scorers: "correct: { equals: $.answer }", shard: "2/5" };
  expect(await request(inputs, {}, files)).toMatchObject({
    trials: 1,
    timeoutMilliseconds: 10_000,
    scorers: [{ name: "correct" }],
    dataset: { shard: { index: 2, count: 5 } },
  });
});

test("the inputs alone do without a file", async () => {
  const inputs = { evaluation: "none", dataset: "cases.jsonl", input: "$.question", filter: "a = 1\nb = 2" };
  expect(await request(inputs)).toMatchObject({ dataset: { input: "$.question", filter: { length: 2 } }, scorers: [] });
});

test("all errors of the inputs and of the file are told at once, those of the file with their lines", async () => {
  const told = await faults(
    { "agent-url": "", trials: "0", output: "answer", "max-cost": "1", results: "../results.jsonl" },
    {},
    { "evaluation.yaml": "dataset: missing.jsonl\nscorer: {}\nlimit: 0\nfilter: topic\n" },
  );
  expect(told).toEqual([
    expect.stringContaining("agent-url: is missing"),
    expect.stringContaining('trials: "0" must be a positive integer'),
    expect.stringContaining("evaluation: line 3: `limit` must be 1 or more"),
    expect.stringContaining("evaluation: line 2: `scorer` is not a known key; did you mean `scorers`?"),
    expect.stringContaining('evaluation: line 4: `filter` "topic" is not a condition'),
    expect.stringContaining("max-cost: has no effect without `prices`"),
    expect.stringContaining('output: "answer" is not a path'),
    expect.stringContaining("results: "),
  ]);
});

test("of a file that cannot be read, nothing is said to be missing", async () => {
  expect(await faults({ evaluation: "other.yaml" })).toEqual([expect.stringContaining("is not a file")]);
  expect(await faults({}, {}, { "evaluation.yaml": "dataset: cases.jsonl\n\tscorers: {}\n" })).toEqual([
    expect.stringContaining("is not valid YAML: line 2"),
  ]);
});

test("a dataset that is not there is an error, and so is one of several files", async () => {
  const evaluation = { evaluation: "none" };
  expect(await faults(evaluation)).toEqual([expect.stringContaining("dataset: is missing")]);
  expect(await faults({ ...evaluation, dataset: "none.jsonl" })).toEqual([expect.stringContaining("dataset: ")]);
  expect(await faults({ ...evaluation, dataset: "*.{jsonl,yaml}" })).toEqual([
    expect.stringContaining("names 2 files; name one"),
  ]);
});

test("the results do not take the place of the dataset", async () => {
  expect(await faults({ results: "cases.jsonl" })).toEqual([
    expect.stringContaining("results: is the file of `dataset`"),
  ]);
});

test("an empty key is explained, and one in a text that is sent is refused", async () => {
  expect(await faults({ "api-key": "" })).toEqual([expect.stringContaining("api-key: is empty")]);
  expect(await faults({ run: "{ config: { key: key-0123456789 } }" })).toEqual([
    expect.stringContaining("run: contains this step's API key"),
  ]);
});

test("the key is kept out of what the step is", async () => {
  expect(JSON.stringify(await read())).not.toContain("key-0123456789");
});

test("kept answers are scored again without an agent", async () => {
  const step = await read({ "agent-url": "", "api-key": "", rescore: "kept.jsonl" }, {}, { "kept.jsonl": "" });
  expect(step).toMatchObject({
    connection: undefined,
    task: { type: "rescore", by: { scorers: [{ name: "correct" }] }, file: { name: "kept.jsonl" } },
  });
  expect(await faults({ rescore: "missing.jsonl" })).toEqual([expect.stringContaining("rescore: ")]);
});

test("a trace needs the address of its service and its own key, which is masked", async () => {
  const session = { "trace-session": "trials" };
  expect(await faults(session)).toEqual([expect.stringMatching(/^trace-url: is missing/)]);
  expect(await faults({ ...session, "trace-url": "local" })).toEqual([
    "trace-url: is local, but `agent-url` is not: this step has no local service",
  ]);
  expect(await faults({ ...session, "trace-url": "https://trace.example" })).toEqual([
    expect.stringMatching(/^trace-api-key: is empty/),
  ]);
  const rehearsal = await read({ ...session, "agent-url": "local", "api-key": "" });
  expect(rehearsal.task).toMatchObject({ trace: { service: "local", session: "trials" } });
  const variables = inputVariables({
    "trace-url": "https://user:password-2@trace.example",
    "trace-api-key": "key-of-it",
  });
  const env = { ...variables, GRAPH_DEPLOY_BASE_URL: "https://user:password-1@trace.example" };
  const secrets = secretsOf(evaluateStep, hostOf(env));
  expect(secrets).toEqual(expect.arrayContaining(["password-1", "password-2", "key-of-it"]));
});

test("what a workflow run evaluates is known by its id and the path of the results, as long as it has an id", async () => {
  const taskOf = async (results: string, env = {}) => (await read({ results }, env)).task;
  const env = { GITHUB_RUN_ID: "77" };
  expect(await taskOf("results/a.jsonl", env)).toMatchObject({ request: { nonce: "77 results/a.jsonl" } });
  expect(await taskOf("b.jsonl", env)).toMatchObject({ request: { nonce: "77 b.jsonl" } });
  expect(await taskOf("b.jsonl")).toMatchObject({ request: { nonce: undefined } });
});
