import { describe, expect, test } from "vitest";
import { langfuse } from "../../../../src/experiments/formats/langfuse/langfuse.ts";
import { readAll, refusalOf } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const item = (fields: object = {}) => ({ item: { input: "q" }, input: "q", output: "a", evaluations: [], ...fields });
const script = (items: readonly unknown[] | null, fields: object = {}) => ({
  script_path: "a.py",
  status: "passed",
  experiment_result: items && { run_name: "run", item_results: items, run_evaluations: [], ...fields },
});
const fileOf = (...results: readonly unknown[]) =>
  storedFile(JSON.stringify({ schema_version: "v1", action_metadata: { sha: "0" }, results }));
const read = (...results: readonly unknown[]) => readAll(langfuse, fileOf(...results));

describe("an item of langfuse", () => {
  test("takes numbers and truth values as scores, and texts as categories", async () => {
    const evaluations = [
      { name: "exact", value: true, comment: "why", data_type: "BOOLEAN" },
      { name: "length", value: 0.5 },
      { name: "length", value: 0.25 },
      { name: "text", value: "0.75", data_type: "NUMERIC" },
      { name: "none", value: null },
      { name: "kind", value: "short", data_type: "CATEGORICAL" },
      { name: "word", value: "1" },
    ];
    const { rows } = await read(script([item({ evaluations, trace_id: "t" })]));
    expect(rows[0]?.scores).toEqual([
      { key: "exact", value: true, comment: "why" },
      { key: "length", value: 0.5 },
      { key: "length 2", value: 0.25 },
      { key: "text", value: "0.75" },
      { key: "none", value: null },
      { key: "kind", value: undefined, more: { value: "short" } },
      { key: "word", value: undefined, more: { value: "1" } },
    ]);
    expect(rows[0]?.metadata).toEqual({
      script: "a.py",
      run_name: "run",
      trace_id: "t",
    });
  });

  test("keeps the id of a dataset's item, and takes null for no expected output", async () => {
    const { rows } = await read(
      script([item({ item: { id: "i1", metadata: { level: 1 } }, expected_output: null, output: 0 }), item()]),
    );
    expect(rows.map(({ id }) => id)).toEqual(["i1", undefined]);
    expect(rows[0]).toMatchObject({ expected: undefined, outputs: 0, metadata: { level: 1 } });
  });

  test("of two scripts has two ids, though it is the same item", async () => {
    const items = [item({ item: { id: "i1" } }), item()];
    const { rows } = await read(script(items), { ...script(items), script_path: "b.py" });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(4);
  });

  test("that is broken is a fault without its data, and the others are read", async () => {
    const { rows, faults } = await read(
      script([item({ evaluations: [{ value: "secret" }] }), "secret", item()]),
      "secret",
    );
    expect(rows).toHaveLength(1);
    expect(faults).toEqual([
      "row 1: `results.0.experiment_result.item_results.0.evaluations.0.name` is absent, not a text",
      "row 2: `results.0.experiment_result.item_results.1` is a text, not an object",
      "-: `results.1` is a text, not an object",
    ]);
  });
});

describe("a result of langfuse", () => {
  test("warns of scripts that left no results", async () => {
    const { rows, warnings } = await read(script([item()]), script(null), script(null));
    expect(rows).toHaveLength(1);
    expect(warnings).toEqual(["results.any: 2 of 3 scripts left no results, and their rows are missing."]);
  });

  test("keeps the evaluations of all its runs", async () => {
    const scored = (value: unknown) =>
      script([], {
        run_evaluations: [
          { name: "mean", value },
          { name: "kind", value: "x" },
        ],
      });
    const { run } = await read(scored(0.5), scored(0.25));
    expect(run).toEqual({
      tool: "langfuse",
      metadata: { sha: "0" },
      summaryScores: [
        { key: "mean", value: 0.5 },
        { key: "kind", value: undefined, more: { value: "x" } },
        { key: "mean 2", value: 0.25 },
        { key: "kind 2", value: undefined, more: { value: "x" } },
      ],
    });
  });

  test("that is cut off is refused with its line", async () => {
    const text = JSON.stringify({ schema_version: "v1", results: [script([item()])] }, null, 1);
    expect(await refusalOf(langfuse, storedFile(text.slice(0, -30)))).toMatch(/^results\.any, line \d+: /);
  });
});

describe("what people write of an experiment of langfuse", () => {
  const written = (value: unknown) => readAll(langfuse, storedFile(JSON.stringify(value)));

  test("is read in the spelling of JavaScript as well", async () => {
    const itemResults = [
      {
        item: { id: "i1", input: "q", expectedOutput: "a" },
        expectedOutput: "a",
        output: "b",
        evaluations: [{ name: "exact", value: 0, dataType: "BOOLEAN" }],
        traceId: "t",
      },
    ];
    const { rows, run } = await written({ runName: "r", itemResults, runEvaluations: [{ name: "mean", value: 0.5 }] });
    expect(rows).toMatchObject([
      {
        id: "i1",
        inputs: "q",
        expected: "a",
        outputs: "b",
        scores: [{ key: "exact", value: 0 }],
        metadata: { trace_id: "t" },
      },
    ]);
    expect(run).toMatchObject({ metadata: { run_name: "r" }, summaryScores: [{ key: "mean", value: 0.5 }] });
  });

  test("has in its traces a list of values for each name", async () => {
    const trace = { id: "t", input: "q", output: "a", bookmarked: false, observationCount: 1, totalCost: 0.5 };
    const { rows } = await written([
      { ...trace, exact: [1, 0], tone: ["short"], none: null, usage: { totalTokens: 3 }, latency: 2 },
    ]);
    expect(rows).toMatchObject([
      {
        id: undefined,
        scores: [
          { key: "exact", value: 1 },
          { key: "exact 2", value: 0 },
          { key: "tone", value: undefined, more: { value: "short" } },
          { key: "none", value: undefined },
        ],
        usage: { totalTokens: 3 },
        cost: 0.5,
        times: { milliseconds: 2000 },
      },
    ]);
  });
});
