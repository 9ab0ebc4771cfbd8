import { optionsOf } from "../hosted.ts";
import { uploadTracesStep } from "../../../action/upload-traces/step.ts";
import { uploadExperimentStep } from "../../../action/upload-experiment/step.ts";
import { removeStep } from "../../../action/remove/step.ts";
import { judgeStep } from "../../../front/steps/judge/step.ts";
import { commentStep } from "../../../action/comment/step.ts";
import { evaluateStep } from "../../../action/evaluate/step.ts";
import { deployStep } from "../../../action/deploy/step.ts";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Environment } from "../../../front/environment.ts";
import { DECLARED_INPUTS } from "../../../scripts/declared-inputs.ts";
import { writeFiles } from "../../write-files.ts";
import { faults as deployFaults, faultsOf, inputVariables, makeRunner } from "./step.ts";

type Inputs = Readonly<Record<string, string>>;

/** Each action with inputs that work. */
const ACTIONS = [
  ["action.yml", (env) => optionsOf(deployStep, env), { name: "support", "control-plane-url": "local" }],
  ["action/comment/action.yml", (env) => optionsOf(commentStep, env), { "body-path": "comment.md", key: "support" }],
  [
    "action/evaluate/action.yml",
    (env) => optionsOf(evaluateStep, env),
    { dataset: "rows.jsonl", "agent-url": "local" },
  ],
  ["action/judge/action.yml", (env) => optionsOf(judgeStep, env), { results: "rows.jsonl" }],
  ["action/remove/action.yml", (env) => optionsOf(removeStep, env), { name: "support", "control-plane-url": "local" }],
  [
    "action/upload-experiment/action.yml",
    (env) => optionsOf(uploadExperimentStep, env),
    { results: "rows.jsonl", "base-url": "local" },
  ],
  [
    "action/upload-traces/action.yml",
    (env) => optionsOf(uploadTracesStep, env),
    { traces: "rows.jsonl", "base-url": "local" },
  ],
] as const satisfies readonly (readonly [string, (env: Environment) => Promise<unknown>, Inputs])[];

/** The environment of a step in one workspace: only these inputs are there, as outside of a runner. */
async function makeStep() {
  const { workspace, temp } = await makeRunner();
  await writeFiles(workspace, { "rows.jsonl": "", "comment.md": "text" });
  const event = join(workspace, "event.json");
  const github = { "github-token": "ghs_0123456789" };
  await writeFiles(workspace, { "event.json": JSON.stringify({ pull_request: { number: 7, head: {}, base: {} } }) });
  const runner = { GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp, GITHUB_REPOSITORY: "octo-org/octo-repo" };
  const run = { GITHUB_EVENT_NAME: "pull_request_target", GITHUB_EVENT_PATH: event, GITHUB_RUN_ID: "77" };
  return (inputs: Inputs): Environment => ({ ...runner, ...run, ...inputVariables({ ...github, ...inputs }) });
}

const settled = (reading: Promise<unknown>) => reading.catch((error: unknown) => ({ error: String(error) }));

const CASES = ACTIONS.flatMap(([file, read, working]) =>
  Object.entries(DECLARED_INPUTS.get(file)?.defaults ?? {}).map(
    ([input, fallback]) => [file, input, { read, working, fallback }] as const,
  ),
);
const isNeverEmpty = (file: string, input: string) => Object.hasOwn(DECLARED_INPUTS.get(file)?.neverEmpty ?? {}, input);

describe("an input that may not be empty", () => {
  const cases = CASES.filter(([file, input]) => isNeverEmpty(file, input));

  test.each(cases)("of %s: %s is an error where a workflow writes it and it is empty", async (_, input, step) => {
    const environment = await makeStep();
    const said = `${input}: is empty: the output or input that it hands on was probably empty; write \`\${{ inputs.${input} || '${step.fallback}' }}\` to hand on an optional one`;
    for (const empty of ["", " \n "]) {
      const reading = step.read(environment({ ...step.working, [input]: empty, "job-summary": "perhaps" }));
      expect(await faultsOf(reading)).toEqual([said, 'job-summary: "perhaps" is not valid (choose true or false)']);
    }
  });

  test.each(cases)(
    "of %s: %s that is not written is its default, as a runner and without one",
    async (_, input, step) => {
      const environment = await makeStep();
      const bare = await step.read(environment(step.working));
      expect(await step.read(environment({ ...step.working, [input]: step.fallback }))).toEqual(bare);
    },
  );
});

describe("any other input", () => {
  const cases = CASES.filter(([file, input]) => !isNeverEmpty(file, input));

  test.each(cases)("of %s: %s that is empty is one that is not written", async (_, input, { read, working }) => {
    const environment = await makeStep();
    const others = Object.fromEntries(Object.entries(working).filter(([name]) => name !== input));
    const token = input === "github-token" ? { "github-token": "" } : {};
    const bare = await settled(read(environment({ ...others, ...token })));
    expect(await settled(read(environment({ ...others, ...token, [input]: "" })))).toEqual(bare);
  });
});

describe("a required input", () => {
  const required = ACTIONS.flatMap(([file, read, working]) => {
    const { table = {}, spelling = String } = DECLARED_INPUTS.get(file) ?? {};
    const names = Object.entries(table).filter(([, option]) => option.required);
    return names.map(([name]) => [file, spelling(name), { read, working }] as const);
  });

  test("is one without which a step has nothing to do", () => {
    expect(required.map(([file, input]) => `${file}: ${input}`)).toEqual([
      "action/comment/action.yml: body-path",
      "action/judge/action.yml: results",
      "action/remove/action.yml: name",
      "action/upload-experiment/action.yml: results",
      "action/upload-traces/action.yml: traces",
    ]);
  });

  test.each(required)("of %s: %s is missed by the step, too", async (_, input, { read, working }) => {
    const environment = await makeStep();
    const others = Object.fromEntries(Object.entries(working).filter(([name]) => name !== input));
    const faults = await faultsOf(read(environment(others)));
    expect(faults.filter((fault) => fault.startsWith(`${input}: is missing`))).toHaveLength(1);
  });
});

/**
 * What an empty one of these means, for each input that may be empty. A new input stands here, or in the table beside its
 * default: it may not be empty if the step without it is green and does what nobody asked for.
 */
const WHEN_EMPTY = {
  "a variable, or nothing, stands in; a step without a credential is red": [
    ...["control-plane-url", "base-url", "agent-url", "api-key", "bearer-token", "tenant-id", "github-token"],
  ],
  "the step is red without it": ["name", "results", "traces", "body-path", "key", "dataset-id", "dataset-name"],
  "nothing more is written, shown or removed": [
    ...["environment", "comment", "comment-key", "comment-path", "deploy-record", "report", "show", "snapshot"],
    ...[
      "judgement",
      "trace-session",
      "trace-url",
      "trace-api-key",
      "all",
      "max-age",
      "max-count",
      "only-owner",
      "show-outputs",
    ],
  ],
  "what the deployment or the tool has stays": [
    ...["secrets", "source-config", "install-command", "build-command", "experiment-name", "experiment-description"],
    ...["dataset-description", "metadata", "summary-scores", "session-name", "directions", "cluster", "mapping"],
  ],
  "a list of nothing": [
    "include",
    "exclude",
    "allow-secrets-in-source",
    "reserved-names",
    "field-names",
    "ca-certificate",
  ],
  "the event of the run names it": ["pull-request"],
  "a setting has its default": [
    ...["wait", "timeout", "poll-interval", "on-superseded", "smoke-test", "max-size", "allow-http", "if-missing"],
    ...["if-no-files-found", "time-policy", "allow-no-scores", "on-name-conflict", "on-unclear", "on-missing-baseline"],
    ...[
      "on-evaluator-change",
      "on-run-change",
      "files",
      "preview-name-limit",
      "baseline-keep",
      "job-summary",
      "format",
      "graph-config",
    ],
  ],
  "the file of the evaluation has it, or it has its default": [
    ...["graph", "dataset", "input", "output", "scorers", "trials", "concurrency", "deadline", "max-errors"],
    ...["retry-errors", "on-agent-error", "allow-unverified", "run", "prices", "keep-state", "resume"],
  ],
  "a check that is asked for in the same file": [
    ...["smoke-input", "smoke-graph", "smoke-expect", "anchor", "baseline-max-age", "max-rows-per-experiment"],
  ],
};

describe("the tables", () => {
  test("decide for each input of each action what an empty one is", () => {
    const may = new Set(Object.values(WHEN_EMPTY).flat());
    const undecided = CASES.filter(([file, input]) => !isNeverEmpty(file, input) && !may.has(input));
    expect(undecided.map(([file, input]) => `${file}: ${input}`)).toEqual([]);
    const names = new Set(CASES.filter(([file, input]) => !isNeverEmpty(file, input)).map(([, input]) => input));
    expect([...may].filter((input) => !names.has(input))).toEqual([]);
  });

  test("take a default that is a word for no value only where the input may not be empty", () => {
    const words = CASES.filter(([, , { fallback }]) => /^(none|auto|any)$/.test(fallback));
    const others = words.filter(([file, input]) => !isNeverEmpty(file, input)).map(([, input]) => input);
    // `auto` is a value here: the step looks into the files, as it does without the input.
    expect([...new Set(others)]).toEqual(["format"]);
  });

  test("give an input that may not be empty a default that can be written", () => {
    for (const [file, { defaults, neverEmpty }] of DECLARED_INPUTS) {
      for (const input of Object.keys(neverEmpty)) expect(defaults[input], `${file}: ${input}`).toMatch(/\S/);
    }
  });
});

test.each<[Inputs]>([
  [{ "deployment-id": "", name: "" }],
  [{ preview: "", "preview-name-limit": "40" }],
  [{ "repo-ref": "", "source-config": "build_on_push: false" }],
  [{ "image-uri": "", "expected-digest": `sha256:${"a".repeat(64)}` }],
  [{ "image-uri": "", source: "external_docker" }],
  [{ source: "", "image-uri": "a:1", "repo-ref": "main" }],
])("what follows from an empty input is not reported besides: %j", async (inputs) => {
  const [empty] = Object.entries(inputs).find(([, value]) => value === "") ?? [];
  expect(await deployFaults(inputs)).toEqual([expect.stringMatching(`^${empty ?? ""}: is empty`)]);
});
