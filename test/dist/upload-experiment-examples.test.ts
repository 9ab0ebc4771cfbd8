import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { projectRoot } from "../../scripts/command.ts";
import { runAction } from "../runner/runner.ts";
import { API_KEY } from "./step.ts";
import { withUploadStep, expectGreen, uploadStep } from "./upload-step.ts";

const workspace = join(projectRoot, "examples/results");
const Case = z.object({ id: z.string(), question: z.string() });

test("the two runs of examples/results have the same rows, and stand side by side on the page", async () => {
  const { options, service, stored, rows } = await uploadStep();
  const upload = async (results: string, name: string) => {
    const result = await runAction(options({ results, "experiment-name": name }, { workspace }));
    expectGreen(result);
    return result.outputs;
  };
  const main = await upload("main/*.jsonl", "main");
  const candidate = await upload("candidate.csv", "candidate");
  expect(Object.fromEntries(main)).toMatchObject({
    "row-count": "20",
    "error-count": "0",
    "missing-score-count": "0",
    scores: '{"correct":{"n":20,"mean":0.7},"complete":{"n":20,"mean":0.725},"tone":{"n":20,"mean":0.72}}',
  });
  const facts = { "row-count": "20", "error-count": "1", "missing-score-count": "4" };
  expect(Object.fromEntries(candidate)).toMatchObject(facts);
  const experiments = await stored();
  const [one = [], other = []] = await Promise.all(experiments.map(({ id }) => rows(id)));
  expect(one).toHaveLength(20);
  expect(new Set(one.map(({ row_id }) => row_id))).toEqual(new Set(other.map(({ row_id }) => row_id)));
  const ids = [main, candidate].map((outputs) => outputs.get("experiment-id") ?? "");
  const page = `${service.datasetsUrl}/${main.get("dataset-id") ?? ""}/compare?selectedSessions=${ids.join(",")}`;
  const html = await (await fetch(page, { headers: { "x-api-key": API_KEY } })).text();
  const words = html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  expect(words).toContain("worse 3 better 8 only in the compared one 0 only in the baseline 0 same scores 9");
});

withUploadStep("the export of examples/results is read by its mapping", async ({ options, stored, rows }) => {
  const inputs = { results: "mapped/desk-export.csv", mapping: "mapped/mapping.yml" };
  expectGreen(await runAction(options(inputs, { workspace })));
  const [experiment] = await stored();
  expect(experiment?.extra?.metadata).toMatchObject({ score_directions: { stars: "higher" } });
  expect(await rows(experiment?.id ?? "")).toMatchObject([
    {
      inputs: { question: "How do I reset my password?" },
      expected_outputs: { output: "Reset your password" },
      evaluation_scores: [
        { key: "correct", score: 1 },
        { key: "stars", score: 5 },
      ],
      run_metadata: { queue: "access" },
    },
    {},
    { evaluation_scores: [{ score: 0 }, { score: 1 }] },
    {},
    { evaluation_scores: [{ key: "correct", score: 1 }] },
  ]);
});

test("the runs of examples/results ask the questions of examples/evaluation", async () => {
  const lines = async (file: string) =>
    (await readFile(join(projectRoot, "examples", file), "utf8")).trimEnd().split("\n");
  const cases = (await lines("evaluation/cases.jsonl")).map((line) => Case.parse(JSON.parse(line)));
  const shards = [await lines("results/main/shard-1.jsonl"), await lines("results/main/shard-2.jsonl")].flat();
  const asked = shards.map((line) => z.object({ id: z.string(), input: z.string() }).parse(JSON.parse(line)));
  expect(new Map(asked.map(({ id, input }) => [id, input]))).toEqual(
    new Map(cases.map(({ id, question }) => [id, question])),
  );
});
