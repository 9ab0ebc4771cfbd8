import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { canonicalJson } from "../../src/text/canonical-json.ts";
import { isJsonObject, type JsonObject } from "../../src/files/json/value.ts";
import type { FormatName } from "../../src/experiments/format-names.ts";
import { runAction } from "../runner/runner.ts";
import { FIXTURES } from "../experiments/formats/stored-file.ts";
import { expectGreen, uploadStep, type StoredRow } from "./upload-step.ts";
import { UUID } from "./step.ts";

/** One file of each format, as a tool wrote it, in the folder of that format. */
const FILES: Readonly<Record<FormatName, string>> = {
  native: "experiment.json",
  "native-jsonl": "with-header.jsonl",
  promptfoo: "promptfoo.json",
  deepeval: "latest_test_run.json",
  inspect: "capitals-zstd.eval",
  "ragas-csv": "ragas.csv",
  csv: "names.csv",
  jsonl: "names.jsonl",
  evalite: "evalite.json",
  vitest: "vitest-plain.json",
  jest: "jest.json",
  junit: "pytest-9.xml",
  braintrust: "braintrust.json",
  "openai-evals": "evals.jsonl",
  "pydantic-evals": "report.json",
  langfuse: "result.json",
  opik: "result.json",
  "lm-eval": "samples_choices.jsonl",
  bedrock: "judge.jsonl",
  "openai-eval-items": "page.json",
  "azure-ai": "result.json",
  "pytest-json": "pytest.json",
  phoenix: "experiment-1.json",
  "phoenix-evals": "evals-1.jsonl",
  mlflow: "genai-1.jsonl",
  weave: "calls-1.jsonl",
  trulens: "records-1.jsonl",
};

const OBJECT = z.custom<JsonObject>(isJsonObject);
const Means = z.record(z.string(), z.looseObject({ n: z.number(), mean: z.number() }));
const Expected = z.looseObject({
  workspace: z.string().optional(),
  means: Means,
  rows: z.array(
    z.looseObject({
      inputs: OBJECT,
      expected: OBJECT.optional(),
      outputs: OBJECT.optional(),
      scores: z.record(z.string(), z.number().nullable()),
      error: z.string().optional(),
    }),
  ),
});
const Feedback = z.array(z.looseObject({ key: z.string(), score: z.number().optional() })).optional();

/** What was worked out by hand for a file, and the file itself, as if its tool had run in `workspace`. */
async function fixture(path: string, workspace: string) {
  const [format = "", name = ""] = path.split("/");
  const all = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(readFileSync(join(FIXTURES, format, "expected.json"), "utf8")));
  const expected = Expected.parse(all[name]);
  const bytes = await readFile(join(FIXTURES, path));
  const from = expected.workspace;
  await writeFile(
    join(workspace, name),
    from === undefined ? bytes : bytes.toString("utf8").replaceAll(from, workspace),
  );
  return { format, name, expected };
}

type ExpectedRow = z.infer<typeof Expected>["rows"][number];

function comparable(
  inputs: unknown,
  expected: unknown,
  outputs: unknown,
  scores: readonly (readonly [string, unknown])[],
) {
  const numbers = Object.fromEntries(scores.filter(([, score]) => score !== null && score !== undefined));
  return { inputs, expected: expected ?? null, outputs: outputs ?? null, scores: numbers };
}

const wantedRow = (row: ExpectedRow) => comparable(row.inputs, row.expected, row.outputs, Object.entries(row.scores));
const storedRow = (row: StoredRow) =>
  comparable(
    row.inputs,
    row["expected_outputs"],
    row["actual_outputs"],
    (Feedback.parse(row["evaluation_scores"]) ?? []).map(({ key, score }) => [key, score]),
  );
const inOrder = (rows: readonly ReturnType<typeof comparable>[]) =>
  rows.map((row) => canonicalJson(OBJECT.parse(row))).toSorted();

/** Pairs of a row and a key that other rows have a number for. */
function missingPairs(rows: readonly ExpectedRow[], keys: readonly string[]): number {
  return rows.flatMap(({ scores }) => keys.filter((key) => (scores[key] ?? null) === null)).length;
}

test.each(Object.entries(FILES).map((path) => path.join("/")))(
  "the built action uploads what a tool wrote %s",
  async (path) => {
    const { options, workspace, stored, rows } = await uploadStep();
    const { format, name, expected } = await fixture(path, workspace);
    const hasScores = Object.keys(expected.means).length > 0;
    const inputs = { results: name, "experiment-name": path, "allow-no-scores": String(!hasScores) };
    const result = await runAction(options(inputs));
    expectGreen(result);
    expect(result.log.find((line) => line.startsWith("Results"))).toMatch(
      new RegExp(`^Results {7}${name}: ${String(expected.rows.length)} rows? \\(${format}, `),
    );
    const means = Object.entries(expected.means);
    const errors = expected.rows.filter(({ error }) => error !== undefined);
    expect(Object.fromEntries(result.outputs)).toMatchObject({
      "experiment-name": path,
      "upload-status": "uploaded",
      "row-count": String(expected.rows.length),
      "error-count": String(errors.length),
      "missing-score-count": String(missingPairs(expected.rows, Object.keys(expected.means))),
    });
    const wanted = means.map(([key, { n, mean }]) => [key, { n, mean: expect.closeTo(mean, 12) as number }]);
    expect(JSON.parse(result.outputs.get("scores") ?? "")).toEqual(Object.fromEntries(wanted));

    const [experiment] = await stored();
    expect(experiment).toMatchObject({ id: result.outputs.get("experiment-id"), name: path });
    // A score without a number counts as feedback too, so that only the means must be the same.
    for (const [key, { mean }] of means) expect(experiment?.feedback_stats?.[key]?.avg, key).toBeCloseTo(mean, 12);
    const sent = await rows(experiment?.id ?? "");
    expect(inOrder(sent.map(storedRow))).toEqual(inOrder(expected.rows.map(wantedRow)));
    expect(new Set(sent.map(({ row_id }) => row_id)).size).toBe(expected.rows.length);
    for (const { row_id } of sent) expect(row_id).toMatch(UUID);
    const told = sent.flatMap((row) => (typeof row["error"] === "string" ? [row["error"]] : []));
    expect(told).toHaveLength(errors.length);
    for (const { error = "" } of errors)
      expect(told).toSatisfy((texts: string[]) => texts.some((text) => text.includes(error)));
  },
);
