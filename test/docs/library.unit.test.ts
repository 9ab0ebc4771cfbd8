import { expect, test } from "vitest";
import { CallOptionsShape } from "../../src/connection-options.ts";
import { ProjectShape } from "../../src/deploy-project.ts";
import { Feedback } from "../../src/contract/experiment.ts";
import { DEPLOY_DEFAULTS } from "../../src/deployment/request.ts";
import { RESULT_ROW_FIELDS } from "../../src/experiments/rows/result-row.ts";
import * as library from "../../src/index.ts";
import { TracesShape } from "../../src/given-traces.ts";
import { JudgeShape } from "../../src/judgement/judge-rows.ts";
import { EvaluationShape } from "../../src/given-evaluation.ts";
import { ExperimentShape } from "../../src/given-experiment.ts";
import { MarkdownFile } from "./markdown-file.ts";

const page = await MarkdownFile.read("docs/library.md");
const clients = await MarkdownFile.read("docs/clients.md");
const namesIn = (heading: string) => page.table(heading).map(([name]) => name);

test.each([
  ["deploy", Object.keys(ProjectShape.shape)],
  ["uploadExperiment", Object.keys(ExperimentShape.shape)],
  ["uploadTraces", Object.keys(TracesShape.shape)],
  ["evaluate", Object.keys(EvaluationShape.shape)],
  ["judge", Object.keys(JudgeShape.shape)],
  ["The fields of a row", RESULT_ROW_FIELDS],
  ["The fields of a score", Object.keys(Feedback.shape).filter((name) => name !== "key")],
])("the page on the library has a row for each argument under %s", (heading, names) => {
  expect(namesIn(heading).sort()).toEqual([...names].sort());
});

test("its options are known", () => {
  const known = Object.keys(CallOptionsShape.shape);
  expect(namesIn("Where the service is").length).toBeGreaterThan(8);
  for (const name of namesIn("Where the service is")) expect(known).toContain(name);
});

test("its defaults are those of the code", () => {
  const told = Object.fromEntries(page.table("deploy").map(([name, value]) => [name, value]));
  for (const name of [
    "graphConfig",
    "wait",
    "timeoutMilliseconds",
    "pollCapMilliseconds",
    "onSuperseded",
    "smokeTest",
  ] as const) {
    expect(told[name], name).toBe(String(DEPLOY_DEFAULTS[name]));
  }
});

test("its examples have no syntax that the oldest Node does not know", () => {
  const examples = page.codeBlocks("js");
  expect(examples.length).toBeGreaterThan(3);
  for (const code of examples) expect(code).not.toMatch(/\busing\b/);
});

test("names functions that are there", () => {
  const known: Readonly<Record<string, unknown>> = { ...library };
  for (const name of [
    "connect",
    "connectTracing",
    "connectUploads",
    "deploy",
    "dryRun",
    "follow",
    "uploadExperiment",
  ]) {
    expect(known[name], name).toBeTypeOf("function");
    expect(page.text + clients.text).toContain(`${name}(`);
  }
});
