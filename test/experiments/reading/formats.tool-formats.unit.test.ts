import { expect, test } from "vitest";
import type { ResultFormat } from "../../../src/experiments/formats/shared/format.ts";
import { azureAi } from "../../../src/experiments/formats/azure-ai.ts";
import { bedrock } from "../../../src/experiments/formats/bedrock.ts";
import { braintrust } from "../../../src/experiments/formats/braintrust/braintrust.ts";
import { deepeval } from "../../../src/experiments/formats/deepeval/deepeval.ts";
import { langfuse } from "../../../src/experiments/formats/langfuse/langfuse.ts";
import { openaiEvals } from "../../../src/experiments/formats/openai/evals.ts";
import { promptfoo } from "../../../src/experiments/formats/promptfoo/promptfoo.ts";
import { pydanticEvals } from "../../../src/experiments/formats/pydantic-evals.ts";
import { lmEval } from "../../../src/experiments/formats/lm-eval.ts";
import { openaiEvalItems } from "../../../src/experiments/formats/openai/eval-items.ts";
import { opik } from "../../../src/experiments/formats/opik.ts";
import { pytestJson } from "../../../src/experiments/formats/test-runners/pytest-json.ts";
import { expectedFiles, expectRows } from "../formats/expected-file.ts";
import { readAll } from "../formats/reading.ts";
import { fixtureFile } from "../formats/stored-file.ts";

const FORMATS: readonly ResultFormat[] = [
  ...[promptfoo, deepeval, braintrust, openaiEvals, pydanticEvals, langfuse],
  ...[azureAi, bedrock, lmEval, openaiEvalItems, opik, pytestJson],
];
const FILES = FORMATS.flatMap((format) =>
  expectedFiles(format.name).map(([name, file]) => ({ format, name: `${format.name}/${name}`, file })),
);

test.each(FILES)("$name has the rows that were worked out", async ({ format, name, file }) => {
  const { rows, run, faults } = await readAll(format, fixtureFile(name));
  expectRows(rows, file);
  expect(faults).toEqual([]);
  expect(run.tool).toBe(file.tool);
  expect(run.toolVersion ?? null).toBe(file.version);
  const summary = run.summaryScores?.map(({ key, value }) => [key, value]);
  expect(summary && Object.fromEntries(summary)).toEqual(file.summary);
});
