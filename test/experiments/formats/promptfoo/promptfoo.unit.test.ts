import { describe, expect, test } from "vitest";
import { promptfoo } from "../../../../src/experiments/formats/promptfoo/promptfoo.ts";
import { numbersOf } from "../expected-file.ts";
import { readAll, refusalOf } from "../reading.ts";
import { fixtureFile, storedFile } from "../stored-file.ts";

const row = (fields: object = {}) => ({
  gradingResult: { pass: true, score: 1, reason: "All assertions passed", componentResults: [] },
  latencyMs: 12,
  namedScores: {},
  prompt: { raw: "p 1", label: "p {{x}}" },
  promptIdx: 0,
  provider: { id: "echo", label: "" },
  response: { output: "a" },
  score: 1,
  success: true,
  testCase: { description: "d" },
  testIdx: 0,
  vars: { x: "1" },
  failureReason: 0,
  ...fields,
});
const document = (rows: readonly unknown[], fields: object = {}) =>
  storedFile(
    JSON.stringify({ evalId: "e", results: { version: 3, timestamp: "t", prompts: [], results: rows }, ...fields }),
  );
const lines = (...rows: readonly unknown[]) => storedFile(rows.map((each) => `${JSON.stringify(each)}\n`).join(""));
const read = (...rows: readonly unknown[]) => readAll(promptfoo, document(rows));

const component = (score: number, weight: number | undefined, metric = "m", type = "equals") => ({
  pass: true,
  score,
  reason: `why ${String(score)}`,
  assertion: { type, metric, ...(weight === undefined ? {} : { weight }) },
});

describe("a row of promptfoo", () => {
  test("has the same id in JSON, JSONL and CSV, whatever the order in which rows ended", async () => {
    const idsOf = async (name: string) => (await readAll(promptfoo, fixtureFile(name))).rows.map(({ id }) => id).sort();
    const ids = await idsOf("promptfoo/promptfoo.json");
    expect(new Set(ids).size).toBe(12);
    expect(await idsOf("promptfoo/promptfoo.jsonl")).toEqual(ids);
    expect(await idsOf("promptfoo/promptfoo.csv")).toEqual(ids);
  });

  test("keeps its id when its prompt or the providers before are edited, and is distinguished from another prompt's", async () => {
    const run = (providers: readonly string[], word: string) => {
      const columns = providers.flatMap((provider) =>
        [0, 1].map((prompt) => ({ provider, label: `${word} ${prompt}` })),
      );
      const rows = columns.map(({ provider, label }, promptIdx) =>
        row({ prompt: { raw: label, label }, promptIdx, provider: { id: provider, label: "" } }),
      );
      const whole = {
        evalId: "e",
        results: { version: 3, timestamp: "t", prompts: columns, results: rows.toReversed() },
      };
      return [storedFile(JSON.stringify(whole)), lines(...rows)] as const;
    };
    const idsOf = async (file: ReturnType<typeof storedFile>) =>
      (await readAll(promptfoo, file)).rows.map(({ id }) => id).sort();
    const [before, beforeInLines] = run(["b"], "short");
    const [after, afterInLines] = run(["a", "b"], "polite");
    const ids = await idsOf(before);
    expect(new Set(ids).size).toBe(2);
    expect(await idsOf(beforeInLines)).toEqual(ids);
    expect(await idsOf(after)).toEqual(expect.arrayContaining(ids));
    expect(await idsOf(afterInLines)).toEqual(await idsOf(after));
  });

  test("of a prompt without a label has its text, and of another one its label", async () => {
    const prompts = [
      { raw: "a text as long as it takes" },
      { raw: "a text as long as it takes", label: null },
      { raw: "a text as long as it takes", label: "p" },
    ];
    const { rows } = await read(...prompts.map((prompt) => row({ prompt })));
    expect(rows.map(({ metadata }) => metadata?.["prompt"])).toEqual([prompts[0]?.raw, prompts[1]?.raw, "p"]);
  });

  test("is the same whatever stands in what is not read, which is not parsed", async () => {
    const unread = { x: "1", text: "a text as long as it takes" };
    const text = JSON.stringify(row({ testCase: { description: "d", vars: unread }, evalId: unread }));
    const broken = text.replaceAll('"x":"1","text"', '"x":tru,"x"');
    expect(broken).not.toBe(text);
    const [one, other] = (await readAll(promptfoo, storedFile(`${text}\n${broken}\n`))).rows;
    expect(JSON.stringify({ ...other, place: one?.place })).toBe(JSON.stringify(one));
  });

  test("without vars is known by the description of its case", async () => {
    const cases = ["first", "second"].map((description) => row({ vars: {}, testCase: { description } }));
    const ids = (await read(...cases)).rows.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect((await read(...cases.toReversed())).rows.map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test("has an error only when the tool calls it one, and the text of a failed assertion as a comment", async () => {
    const { rows } = await read(
      row({ failureReason: 1, error: "no match", success: false, gradingResult: { reason: "no match" } }),
      row({ failureReason: 2, error: "no model", success: false, gradingResult: null }),
      row({ failureReason: 2, error: "", response: { error: "from the provider" }, gradingResult: null }),
      row({ failureReason: 2, error: null, response: null, gradingResult: null }),
      // Written before there was a reason.
      row({ failureReason: undefined, error: "old error", gradingResult: null }),
      row({ failureReason: undefined, error: "old failure", success: false }),
    );
    expect(rows.map(({ error }) => error)).toEqual([
      undefined,
      "no model",
      "from the provider",
      "The tool reported a failure without a reason.",
      "old error",
      undefined,
    ]);
    expect(rows[0]?.scores[0]).toEqual({ key: "pass", value: false, comment: "no match" });
    expect(rows[5]?.scores[0]).toEqual({ key: "pass", value: false, comment: "All assertions passed" });
  });

  test("has the weighted mean of a metric, from its assertions where the file is too old to have it", async () => {
    const parts = [component(1, 3), component(0, 1), component(0.5, undefined, "n")];
    const graded = (more: object) =>
      row({ namedScores: { m: 3, n: 0.5 }, gradingResult: { componentResults: parts, ...more } });
    const { rows } = await read(
      graded({}),
      graded({ namedScoreWeights: { m: 4, n: 1 } }),
      row({ namedScores: { m: 0.25 }, gradingResult: { componentResults: [component(0, 0), component(0.5, 0)] } }),
      row({ namedScores: { derived: 7 } }),
    );
    expect(rows.map((each) => numbersOf(each))).toEqual([
      { pass: 1, score: 1, m: 0.75, n: 0.5 },
      { pass: 1, score: 1, m: 3, n: 0.5 },
      { pass: 1, score: 1, m: 0.25 },
      { pass: 1, score: 1, derived: 7 },
    ]);
    expect(rows[0]?.scores.at(-1)).toMatchObject({ key: "n", comment: "why 0.5", by: "code" });
  });

  test("has the metrics of its grading that stand there alone", async () => {
    const { rows } = await read(
      row({ namedScores: {}, gradingResult: { namedScores: { quality: 0.25 } } }),
      row({ namedScores: { m: 1 }, gradingResult: { namedScores: { m: 0.5, n: 0.75 } } }),
    );
    expect(rows.map((each) => numbersOf(each))).toEqual([
      { pass: 1, score: 1, quality: 0.25 },
      { pass: 1, score: 1, m: 1, n: 0.75 },
    ]);
  });

  test("says where a model has judged", async () => {
    const types = ["llm-rubric", "not-llm-rubric", "model-graded-closedqa", "g-eval", "equals", "javascript"];
    const rows = types.map((type) =>
      row({ namedScores: { m: 1 }, gradingResult: { componentResults: [component(1, 1, "m", type)] } }),
    );
    const judges = (await read(...rows)).rows.map(({ scores }) => scores.at(-1)?.by);
    expect(judges).toEqual(["model", "model", "model", "model", "code", "code"]);
  });

  test("keeps the verdict of the tool apart from metrics of the same names", async () => {
    const { rows } = await read(row({ namedScores: { pass: 0.25, score: 0.5 } }));
    expect(rows.map((each) => numbersOf(each))).toEqual([{ pass: 1, score: 1, "pass 2": 0.25, "score 2": 0.5 }]);
  });

  test("keeps false, 0 and empty outputs, and has none where there is no answer", async () => {
    const outputs = [false, 0, "", { a: [1] }];
    const { rows } = await read(...outputs.map((output) => row({ response: { output } })), row({ response: {} }));
    expect(rows.map((each) => each.outputs)).toEqual([...outputs, undefined]);
  });

  test("leaves out the conversation that promptfoo adds to the vars", async () => {
    const [first, second] = (await read(row({ vars: { x: "1", _conversation: [1] } }), row())).rows;
    expect(first?.inputs).toEqual({ x: "1" });
    expect(first?.id).toBe(second?.id);
  });

  test("keeps a var called __proto__", async () => {
    const text = JSON.stringify(row()).replace('"vars":{', '"vars":{"__proto__":{"a":1},');
    const { rows, faults } = await readAll(promptfoo, storedFile(`${text}\n${text}\n`));
    expect(faults).toEqual([]);
    expect(Object.keys(rows[0]?.inputs ?? {})).toEqual(["__proto__", "x"]);
  });

  test("that is broken is a fault without its data, and the others are read", async () => {
    const { rows, faults } = await readAll(
      promptfoo,
      document([
        row(),
        row({ vars: "secret", success: "secret" }),
        "secret",
        row({ gradingResult: { reason: 7 } }),
        row(),
      ]),
    );
    expect(rows).toHaveLength(2);
    expect(faults).toEqual([
      "row 2: `results.results.1.vars` is a text, not an object",
      "row 2: `results.results.1.success` is a text, not true or false",
      "row 3: `results.results.2` is a text, not an object",
      "row 4: `results.results.3.gradingResult.reason` is a number, not a text",
    ]);
  });

  test("in a file of one line is a row, too", async () => {
    const file = lines(row());
    expect(promptfoo.detect(file)).toBe(true);
    expect((await readAll(promptfoo, file)).rows).toHaveLength(1);
  });

  test("on a broken line is a fault, and in a file that is cut off the end", async () => {
    const good = JSON.stringify(row());
    const { rows, faults } = await readAll(promptfoo, storedFile(`${good}\n{"a":}\n${good}\n`));
    expect(rows).toHaveLength(2);
    expect(faults).toEqual([expect.stringMatching(/^2: /)]);
    expect(await refusalOf(promptfoo, storedFile(`${good}\n${good.slice(0, 99)}`))).toMatch(/^results\.any, line 2: /);
    expect(
      await refusalOf(promptfoo, storedFile(fixtureFile("promptfoo/promptfoo.json").head.subarray(0, 30_000))),
    ).toMatch(/cut off|ends in the middle/);
  });
});

const HEADER = "x,[echo] p {{x}},Status,Score,Named Scores,Grader Reason,Comment";
const table = (...records: readonly string[]) => storedFile([HEADER, ...records].join("\r\n"));

describe("a record of promptfoo's CSV", () => {
  test("has no output where the tool had an error, and an empty one where the answer was empty", async () => {
    const { rows } = await readAll(promptfoo, table("1,,ERROR,0.00,,,", "2,,PASS,1.00,,,", "3,,ERROR,0.00,,no model,"));
    expect(rows.map(({ outputs }) => outputs)).toEqual([undefined, "", undefined]);
    expect(rows.map(({ error }) => error)).toEqual([
      "The tool reported a failure without a reason.",
      undefined,
      "no model",
    ]);
  });

  test("leaves out a prompt that a case was not run with, and says how many", async () => {
    const group = "Status,Score,Named Scores,Grader Reason,Comment";
    const content = [`x,[a] p,${group},[b] p,${group}`, "1,o,PASS,1,,,,,,,,,", "2,o,PASS,1,,,,o,FAIL,0,,,", ""].join(
      "\n",
    );
    const { rows, faults, warnings } = await readAll(promptfoo, storedFile(content));
    expect(rows).toHaveLength(3);
    expect(faults).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/^results\.any: 1 of 4 cells .* line 2/)]);
  });

  test("without any result is a fault", async () => {
    const { rows, faults } = await readAll(promptfoo, table("1,,,,,,", "2,a,PASS,1.00,,,"));
    expect(rows).toHaveLength(1);
    expect(faults).toEqual(["2: the row has no result for any prompt"]);
  });

  test("under a heading that is not known is refused by the name of it, and never dropped", async () => {
    const group = "Status,Score,Named Scores,Metric: m,Grader Reason,Comment".split(",");
    const known = ["x", "[a] p", ...group, "[b] p", ...group];
    for (let at = 2; at <= known.length; at++) {
      const header = known.toSpliced(at, 0, "Latency <secret>");
      const file = storedFile([header.join(","), ...[1, 2].map(() => header.map(() => "PASS").join(","))].join("\n"));
      // Before an output it is a var, and at the beginning of a group it is the output.
      const message = await refusalOf(promptfoo, file);
      expect(promptfoo.detect(file), header.join()).toBe(true);
      expect(message, header.join()).toMatch(/^results\.any, line 1: .*`(?:Latency <secret>|Status|\[b\] p)`/);
    }
  });

  test("under a heading of a var that appears twice is refused", async () => {
    const file = storedFile(`x,y,${HEADER}\n1,2,3,a,PASS,1.00,,,\n`);
    expect(await refusalOf(promptfoo, file)).toBe("results.any, line 1: the column `x` appears twice.");
  });

  test("of a red team has the columns of its metadata behind those of its prompts", async () => {
    const { rows } = await readAll(
      promptfoo,
      storedFile(`${HEADER},Messages,RedteamHistory,pluginId,strategyId\n1,a,PASS,1.00,,,,[],,harmful,basic\n`),
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.metadata).toMatchObject({ pluginId: "harmful", strategyId: "basic" });
  });

  test("reads the columns that versions before and after have", async () => {
    const header =
      "Description,Description,p,Reasoning,Status,Score,Named Scores,Metric: m,Metric: n,Grader Reason,Comment";
    const { rows } = await readAll(promptfoo, storedFile(`${header}\nd,v,out,thought,FAIL,0.50,,0.25,,why,\n`));
    expect(rows[0]).toMatchObject({
      inputs: { Description: "v" },
      outputs: "out",
      metadata: { description: "d", prompt: "p" },
    });
    expect(rows.map((each) => numbersOf(each))).toEqual([{ pass: 0, score: 0.5, m: 0.25 }]);
  });

  test("that is broken is a fault with its line, and the others are read", async () => {
    const { rows, faults } = await readAll(
      promptfoo,
      table('"1\n1",a,PASS,1.00,,,', "secret,a,MAYBE,1.00,,,", "2,a,PASS,1.00,[1],,", "3,a,PASS", "4,a,PASS,1,{x,,"),
    );
    expect(rows).toHaveLength(1);
    expect(faults).toEqual([
      "4: `Status` must be PASS, FAIL or ERROR",
      "5: `Named Scores` is not a JSON object",
      expect.stringMatching(/^6: the row has 3 columns instead of 7: /),
      "7: `Named Scores` is not a JSON object",
    ]);
  });

  test("that is cut off in a quote is refused", async () => {
    expect(await refusalOf(promptfoo, table("1,a,PASS,1.00,,,", '2,"a'))).toMatch(
      /^results\.any, line 3: .*never closed/,
    );
  });
});
