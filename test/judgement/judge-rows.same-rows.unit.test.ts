import { expect, test } from "vitest";
import type { ResultRow } from "../../src/experiments/rows/result-row.ts";
import { judge } from "../../src/judgement/judge-rows.ts";

const rows = (): readonly ResultRow[] =>
  Array.from({ length: 20 }, (_, at) => ({
    id: `q-${String(at)}`,
    inputs: { question: at },
    outputs: { answer: "a" },
    scores: { correct: true },
  }));
const settings = { datasetName: "qa", gates: "correct not regressed" };

test("rows are no baseline of themselves, and equal ones are unchanged", async () => {
  const results = { rows: rows() };
  const same = await judge({ ...settings, results, baseline: { rows: results.rows } });
  expect(same.judgement).toMatchObject({ status: "incomplete", verdict: "incomplete" });
  expect(same.judgement.gaps.map(({ kind }) => kind)).toEqual(["same-file"]);
  const again = await judge({ ...settings, results: same.results, baseline: same.results });
  expect(again.judgement.gaps.map(({ kind }) => kind)).toEqual(["same-file"]);
  const equal = await judge({ ...settings, results, baseline: { rows: rows() } });
  expect(equal.judgement).toMatchObject({ status: "passed", verdict: "unchanged", gaps: [] });
});

test("an anchor of the same rows is a warning", async () => {
  const results = { rows: rows() };
  const { judgement } = await judge({ ...settings, results, baseline: { rows: rows() }, anchor: results });
  expect(judgement.status).toBe("passed");
  expect(judgement.warnings).toEqual([
    "Anchor: the same rows as the results, which show no change against themselves.",
  ]);
});
