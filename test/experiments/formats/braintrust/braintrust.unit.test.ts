import { describe, expect, test } from "vitest";
import { braintrust } from "../../../../src/experiments/formats/braintrust/braintrust.ts";
import { readAll, refusalOf } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const UNKNOWN = "The tool reported a failure without a reason.";
const SUMMARY = { projectName: "p", experimentName: "e", scores: { exact: { name: "exact", score: 0.5 } } };
const row = (fields: object = {}) => ({
  input: "q",
  expected: "a",
  output: "a",
  scores: { exact: 1 },
  metadata: {},
  ...fields,
});
const evaluation = (...results: readonly unknown[]) => storedFile(JSON.stringify({ summary: SUMMARY, results }));
const output = (...lines: readonly (string | object)[]) =>
  storedFile(lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));

describe("a row of braintrust", () => {
  test("has an error wherever the tool wrote one, even an empty object", async () => {
    const errors = [
      {},
      { name: "TypeError", message: "no key" },
      { message: "no key" },
      "text",
      7,
      null,
      "",
      undefined,
    ];
    const { rows } = await readAll(braintrust, evaluation(...errors.map((error) => row({ error }))));
    expect(rows.map(({ error }) => error)).toEqual([
      UNKNOWN,
      "TypeError: no key",
      "no key",
      "text",
      UNKNOWN,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("has a missing score for a scorer that crashed, with the first line of why", async () => {
    const scorer_errors = { judged: "Error: no key\n    at judged", exact: "twice" };
    const { rows } = await readAll(braintrust, evaluation(row({ metadata: { scorer_errors } })));
    expect(rows[0]?.scores).toEqual([
      { key: "exact", value: 1 },
      { key: "judged", value: null, comment: "Error: no key" },
    ]);
  });

  test("keeps its tags, its metadata, and values that are false, 0 and empty", async () => {
    const { rows } = await readAll(
      braintrust,
      evaluation(
        row({ input: 0, expected: "", output: false, tags: ["eu"], metadata: { level: 1 } }),
        row({ error: "e", output: null }),
      ),
    );
    expect(rows[0]).toMatchObject({ inputs: 0, expected: "", outputs: false, metadata: { tags: ["eu"], level: 1 } });
    expect(rows[1]?.outputs).toBeUndefined();
  });

  test("keeps a score called __proto__", async () => {
    const text = JSON.stringify({ summary: SUMMARY, results: [row()] }).replace('"exact":1', '"__proto__":1');
    expect((await readAll(braintrust, storedFile(text))).rows[0]?.scores).toEqual([{ key: "__proto__", value: 1 }]);
  });

  test("that is broken is a fault without its data, and the others are read", async () => {
    const { rows, faults } = await readAll(
      braintrust,
      evaluation(row({ scores: "secret" }), row(), null, row({ tags: [1] })),
    );
    expect(rows).toHaveLength(1);
    expect(faults).toEqual([
      "row 1: `results.0.scores` is a text, not an object",
      "row 3: `results.2` is null, not an object",
      "row 4: `results.3.tags.0` is a number, not a text",
    ]);
  });
});

describe("a summary of braintrust", () => {
  test.each([
    ["JavaScript", SUMMARY],
    ["Python", { project_name: "p", experiment_name: "e", scores: SUMMARY.scores }],
    ["Go", { ProjectName: "p", ExperimentName: "e", Scores: { exact: { Name: "exact", Score: 0.5 } } }],
  ])("is read as %s writes it, and alone in its file", async (_, summary) => {
    const file = output(summary);
    expect(braintrust.detect(file)).toBe(true);
    const { rows, run } = await readAll(braintrust, file);
    expect(rows).toEqual([]);
    expect(run).toMatchObject({
      summaryScores: [{ key: "exact", value: 0.5 }],
      metadata: { experiment: "e", project: "p" },
    });
  });

  test("is found behind words of the tool and rows", async () => {
    const file = output("Processing capitals", "[not json", row({ error: {} }), "", SUMMARY);
    expect(braintrust.detect(file)).toBe(true);
    const { rows, run, faults } = await readAll(braintrust, file);
    expect([rows.length, run.metadata?.["experiment"], faults.length]).toEqual([1, "e", 0]);
  });

  test("of a second experiment in one file is a warning", async () => {
    const { warnings } = await readAll(braintrust, output(SUMMARY, { ...SUMMARY, experimentName: "f" }, SUMMARY));
    expect(warnings).toEqual(["results.any has the summaries of several experiments, which are merged into one."]);
  });

  test("that is cut off is refused, and a broken row before it is a fault", async () => {
    const file = storedFile(`Running evaluator e\n{"input":}\n${JSON.stringify(SUMMARY)}\n`);
    expect((await readAll(braintrust, file)).faults).toEqual([expect.stringMatching(/^2: /)]);
    expect(await refusalOf(braintrust, storedFile('Running evaluator e\n{"input":1,'))).toMatch(
      /^results\.any, line 2: /,
    );
  });
});
