import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { azureAi } from "../../../src/experiments/formats/azure-ai.ts";
import { bedrock } from "../../../src/experiments/formats/bedrock.ts";
import { braintrust } from "../../../src/experiments/formats/braintrust/braintrust.ts";
import { deepeval } from "../../../src/experiments/formats/deepeval/deepeval.ts";
import { jsonl } from "../../../src/experiments/formats/jsonl.ts";
import { junit } from "../../../src/experiments/formats/junit/junit.ts";
import { lmEval } from "../../../src/experiments/formats/lm-eval.ts";
import { openaiEvalItems } from "../../../src/experiments/formats/openai/eval-items.ts";
import { opik } from "../../../src/experiments/formats/opik.ts";
import { promptfoo } from "../../../src/experiments/formats/promptfoo/promptfoo.ts";
import { pytestJson } from "../../../src/experiments/formats/test-runners/pytest-json.ts";
import type { ResultFormat } from "../../../src/experiments/formats/shared/format.ts";
import { numbersOf } from "./expected-file.ts";
import { readAll, refusalOf } from "./reading.ts";
import { FIXTURES, fixtureFile, storedFile } from "./stored-file.ts";

const lines = (...records: readonly unknown[]) => records.map((record) => JSON.stringify(record)).join("\n");
const readText = async (format: ResultFormat, text: string) => await readAll(format, storedFile(text));

describe("deepeval", () => {
  test.each(["stopped.json", "result.json"])("says in %s which metrics failed, and why", async (name) => {
    const { rows } = await readAll(deepeval, fixtureFile(`deepeval/${name}`));
    const [right, wrong] = rows.map(({ scores }) => scores.find(({ key }) => key === "success")?.comment);
    expect(right).toBeUndefined();
    expect(wrong).toMatch(/^Exact: the score is 0(?:\.0)?, and its threshold is 0\.5: Exact of 'Barcelona'\n/);
    expect(wrong).toContain(name === "result.json" ? "Judged: RuntimeError: the judge has no key" : "Judged: deepeval");
    const judged = rows[1]?.scores.find(({ key }) => key === "Judged");
    expect(judged?.value ?? undefined).toBeUndefined();
    expect(judged?.comment).toContain(name === "result.json" ? "no key" : "no score and no error");
  });
});

describe("promptfoo as YAML", () => {
  const whole = readFileSync(join(FIXTURES, "promptfoo/promptfoo.yaml"), "utf8");

  test("is refused with what to write in its place where it is no YAML", async () => {
    const message = await refusalOf(promptfoo, storedFile(`${whole}\n  - [`));
    expect(message).toContain("is not valid YAML: line");
  });

  test("is refused where it is too large, before it is parsed", async () => {
    const message = await refusalOf(promptfoo, storedFile(`${whole}# ${"x".repeat(8 * 1024 * 1024)}`));
    expect(message).toContain("larger than 8 MiB");
  });

  test("is refused where aliases make more of it than it is", async () => {
    const levels = Array.from({ length: 30 }, (_, level) => {
      const before = level === 0 ? "x" : `*a${String(level - 1)}, *a${String(level - 1)}`;
      return `b${String(level)}: &a${String(level)} [${before}]`;
    });
    expect(await refusalOf(promptfoo, storedFile(`${whole}${levels.join("\n")}\n`))).toContain("is too large");
  });
});

describe("a page of output items", () => {
  test("is a fault where further pages are missing", async () => {
    const item = { datasource_item_id: 1, datasource_item: { input: 1 }, results: [], status: "pass" };
    const { faults } = await readText(openaiEvalItems, JSON.stringify({ data: [item], has_more: true }));
    expect(faults).toEqual([expect.stringContaining("`has_more` is true")]);
  });

  test("gives two graders of one name two scores, and a grader without a number its verdict", async () => {
    const results = [
      { name: "same", score: 0.5 },
      { name: "same", score: null, passed: true },
    ];
    const { rows } = await readText(openaiEvalItems, lines({ datasource_item_id: 1, datasource_item: {}, results }));
    expect(rows.map(numbersOf)).toEqual([{ same: 0.5, "same 2": 1 }]);
  });
});

describe("rows of Azure", () => {
  const row = (value: unknown) => ({ "inputs.query": "x", "outputs.f1.f1": 1, "outputs.own.value": value });

  test("are a fault where a column of numbers has a text, and the other way round", async () => {
    expect((await readText(azureAi, lines(row(1), row("x")))).faults).toEqual([expect.stringContaining("a text here")]);
    const { faults } = await readText(azureAi, lines(row("x"), row(1)));
    expect(faults).toEqual([expect.stringContaining("a number here")]);
  });

  test("keep the name of an evaluator whose metric is called otherwise", async () => {
    const { rows } = await readText(azureAi, lines(row(0.5)));
    expect(rows.map(numbersOf)).toEqual([{ f1: 1, "own.value": 0.5 }]);
  });

  test("have a verdict where no other field says it", async () => {
    const { rows } = await readText(
      azureAi,
      lines({ ...row(0.5), "outputs.f1.f1_result": "pass", "outputs.f1.gpt_f1": 1 }),
    );
    expect(rows.map(numbersOf)).toEqual([{ f1: 1, f1_result: 1, "own.value": 0.5 }]);
  });

  test("of a table of anything are not theirs", () => {
    const json = lines({ "inputs.question": 1, "outputs.answer.text": "x", "outputs.answer.tokens": 1 });
    expect(azureAi.detect(storedFile(json))).toBe(false);
  });
});

describe("properties of tests", () => {
  test("of JUnit with one name are scores of their own", async () => {
    const properties = ["1", "0.5"].map((value) => `<property name="score.exact" value="${value}"/>`).join("");
    const xml = `<testsuite><testcase name="t" classname="c"><properties>${properties}</properties></testcase></testsuite>`;
    expect((await readText(junit, xml)).rows.map(numbersOf)).toEqual([{ pass: 1, exact: 1, "exact 2": 0.5 }]);
  });

  const report = (test: object, more: object = {}) => {
    const rest = { created: 1, exitcode: 0, root: "/", summary: { total: 1 }, ...more };
    return JSON.stringify({ ...rest, tests: [{ nodeid: "a.py::b", outcome: "passed", ...test }] });
  };

  test("of pytest are no scores without the prefix", async () => {
    const { rows } = await readText(pytestJson, report({ user_properties: [{ exact: 1 }, { "score.": 1 }] }));
    expect(rows.map(({ scores, metadata }) => [scores.length, metadata])).toEqual([[1, { exact: 1, "score.": 1 }]]);
  });

  test("of pytest are a fault where an outcome is not known, or tests are missing", async () => {
    const { faults } = await readText(pytestJson, report({ outcome: "rerun" }));
    expect(faults).toEqual([expect.stringContaining("outcome")]);
    const fewer = await readText(pytestJson, report({}, { summary: { total: 2 } }));
    expect(fewer.faults).toEqual([expect.stringContaining("`summary.total` is 2")]);
  });

  test("a file of pytest that does not load is a row with an error", async () => {
    const collectors = [{ nodeid: "b.py", outcome: "failed", longrepr: "ImportError: x" }];
    const { rows } = await readText(pytestJson, report({}, { collectors }));
    expect(rows.map(({ inputs, error }) => [inputs, error])).toEqual([
      [{ file: "a.py", test: "b" }, undefined],
      [{ file: "b.py" }, "ImportError: x"],
    ]);
  });
});

describe("Opik", () => {
  test("leaves the names of several experiments in one table to a mapping", () => {
    const header = "id,dataset.question,one.evaluation_task.output,two.evaluation_task.output\n1,x,y,z\n";
    expect(opik.detect(storedFile(header))).toBe(false);
  });

  test("has the scores of items of its API, which are rows of anything", async () => {
    const item = { dataset_item_id: "d", trace_id: "t", input: { q: 1 }, output: { a: 1 }, total_estimated_cost: 0.5 };
    const scores = [{ name: "exact", value: 1, source: "sdk", reason: null }];
    const { rows } = await readText(
      jsonl,
      JSON.stringify({ content: [{ ...item, feedback_scores: scores }], page: 1 }),
    );
    expect(rows.map(({ id, cost }) => [id, cost])).toEqual([["d", 0.5]]);
    expect(rows.map(numbersOf)).toEqual([{ exact: 1 }]);
  });

  test("has an assertion as a score, and a category as what it is", async () => {
    const item = {
      dataset_item_id: "1",
      evaluation_task_output: { output: "x" },
      dataset_item_data: { id: "1", input: "q" },
      feedback_scores: [{ name: "kind", value: 2, category_name: "good" }],
      assertion_results: [{ value: "is polite", passed: false, reason: "no" }],
    };
    const { rows } = await readText(opik, lines(item));
    expect(rows.map(numbersOf)).toEqual([{ kind: 2, "is polite": 0 }]);
    expect(rows[0]?.inputs).toBe("q");
  });
});

describe("lm-evaluation-harness", () => {
  test("has metrics that are lists in the metadata, and reads files that do not list them", async () => {
    const sample = { doc_id: 0, doc: { text: "x" }, target: "y", resps: [["y"]], filtered_resps: ["y"] };
    const { rows } = await readText(lmEval, lines({ ...sample, acc: 1, word_perplexity: [-3.5, 2] }));
    expect(rows.map(({ id, metadata }) => [id, metadata])).toEqual([["0", { word_perplexity: [-3.5, 2] }]]);
    expect(rows.map(numbersOf)).toEqual([{ acc: 1 }]);
  });

  test("refuses a second line of a document that says no filter, whose scores would be averaged", async () => {
    const sample = { doc_id: 0, doc: { text: "x" }, target: "y", resps: [["y"]], filtered_resps: ["y"] };
    const { faults } = await readText(lmEval, lines({ ...sample, exact_match: 1 }, { ...sample, exact_match: 0 }));
    expect(faults).toEqual([expect.stringContaining("document 0 appears twice")]);
  });
});

describe("braintrust as CSV", () => {
  test("is anything where no column is one of its service", () => {
    expect(braintrust.detect(storedFile("id,input,output,scores\n1,x,y,1\n"))).toBe(false);
  });

  test("has the rows of its JSON, whatever stands in them", async () => {
    // Of a text that is JSON itself, a cell does not tell that it is one; and an empty cell is nothing.
    const text = fc.stringMatching(/^[a-z,;"\n\r é日]{0,9}[a-z]$/);
    const field = fc.oneof(
      text,
      fc.dictionary(text, fc.oneof(text, fc.double({ noDefaultInfinity: true, noNaN: true }))),
    );
    const event = fc.record({
      span_id: fc.constant("1"),
      root_span_id: fc.constant("1"),
      input: field,
      output: field,
      expected: field,
      scores: fc.dictionary(text, fc.oneof(fc.double({ noDefaultInfinity: true, noNaN: true }), fc.constant(null))),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 5 }), async (events) => {
        const fromJson = await readText(braintrust, JSON.stringify(events));
        const cells = events.map((each) =>
          Object.values(each).map((value) => (typeof value === "string" ? value : JSON.stringify(value))),
        );
        const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
        const header = Object.keys(events[0] ?? {});
        const fromCsv = await readText(
          braintrust,
          [header, ...cells].map((row) => row.map(quoted).join(",")).join("\n"),
        );
        const seen = (rows: typeof fromCsv.rows) =>
          rows.map(({ inputs, outputs, expected, scores }) => ({ inputs, outputs, expected, scores }));
        expect(fromCsv.faults).toEqual(fromJson.faults);
        expect(seen(fromCsv.rows)).toEqual(seen(fromJson.rows));
      }),
    );
  });

  test("has a cell that only looks like JSON as a text", async () => {
    const csv = 'id,span_id,root_span_id,input,output,scores\n1,1,1,[x,"{""a"":1}","{""Exact"":1}"\n';
    const { rows } = await readText(braintrust, csv);
    expect(rows.map(({ id, inputs, outputs }) => [id, inputs, outputs])).toEqual([[undefined, "[x", { a: 1 }]]);
    expect(rows.map(numbersOf)).toEqual([{ Exact: 1 }]);
  });
});

describe("Bedrock", () => {
  test("is refused where people answered", async () => {
    const file = storedFile(lines({ humanEvaluationResult: [], inputRecord: { prompt: "x" }, modelResponses: [] }));
    expect(bedrock.detect(file)).toBe(true);
    expect(await refusalOf(bedrock, file)).toContain("what people answered");
  });

  test("has two answers to one prompt as a list", async () => {
    const modelResponses = [{ response: "a" }, { response: "b", modelIdentifier: "m" }];
    const record = { automatedEvaluationResult: { scores: [] }, inputRecord: { prompt: "x" }, modelResponses };
    const { rows } = await readText(bedrock, lines(record));
    expect(rows.map(({ outputs, metadata }) => [outputs, metadata])).toEqual([[["a", "b"], { model: "m" }]]);
  });
});
