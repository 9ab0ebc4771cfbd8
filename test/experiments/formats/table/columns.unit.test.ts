import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ResultFormat } from "../../../../src/experiments/formats/shared/format.ts";
import { csv } from "../../../../src/experiments/formats/csv.ts";
import { jsonl } from "../../../../src/experiments/formats/jsonl.ts";
import { ResultFaults } from "../../../../src/experiments/reading/result-faults.ts";
import { RowCollector } from "../../../../src/experiments/reading/row-collector.ts";
import { RowSpool } from "../../../../src/experiments/reading/row-spool.ts";
import { numbersOf } from "../expected-file.ts";
import { mappingOf, readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

/** The numbers of a column of a CSV file, row by row; undefined for a missing one. */
async function numbersIn(name: string, cells: readonly string[]) {
  const lines = cells.map((cell, index) => `q${String(index)};${cell}`);
  const reading = await readAll(csv, storedFile(`input;${name}\n${lines.join("\n")}\n`));
  const keys = reading.rows.flatMap(({ scores }) => scores.map(({ key }) => key));
  return { ...reading, numbers: reading.rows.map((row) => Object.values(numbersOf(row))[0]), keys: [...new Set(keys)] };
}

describe("a column of scores", () => {
  it.each([
    ["yes and no", ["yes", "No", "", "Y", "n"], [1, 0, undefined, 1, 0]],
    ["true and false", ["true", "False", "nan", "TRUE"], [1, 0, undefined, 1]],
    ["pass and fail", ["pass", "FAILED", "Passed", "fail"], [1, 0, 1, 0]],
    ["correct and incorrect", ["correct", "Incorrect", "None"], [1, 0, undefined]],
    ["ok and error", ["ok", "error", "OK"], [1, 0, 1]],
    ["1 and 0", ["1", "0", "1"], [1, 0, 1]],
    ["percentages", ["90 %", "12.3%", "N/A", "0,5 %", "100%"], [0.9, 0.123, undefined, 0.005, 1]],
    ["decimal commas", ["0,9", "1", "", "-1,25", "1,234"], [0.9, 1, undefined, -1.25, 1.234]],
    ["decimal points", ["0.9", "1", "", "1e-3"], [0.9, 1, undefined, 0.001]],
  ])("of %s has their numbers, whatever its name", async (_what, cells, numbers) => {
    for (const name of ["score", "feedback.exact", "anything"]) {
      const reading = await numbersIn(name, cells);
      expect(reading.numbers, name).toEqual(numbers);
      const isShown = name !== "anything" || Math.min(...cells.map((cell) => Number(cell.replace(",", ".")) || 0)) >= 0;
      expect({ faults: reading.faults, warnings: reading.warnings }).toEqual({
        faults: [],
        warnings: isShown
          ? []
          : [expect.stringContaining("`anything` (-1.25 to 1.234) is read as a score, but neither")],
      });
    }
  });

  it.each([
    ["a text among numbers", ["1", "0.5"], "good", /^1202: `anything` is not a number/],
    ["a comma among points", ["1", "0.5"], "0,9", /^1202: `anything` is not a number/],
    ["a percentage among numbers", ["1", "0.5"], "90 %", /^1202: `anything` is not a number/],
    ["a verdict among numbers", ["1", "0.5"], "yes", /^1202: `anything` is not a number/],
    ["a point among commas", ["0,5", "1"], "0.9", /^1202: `anything` is not a number with a decimal comma/],
    ["a plain number among percentages", ["90 %", "5%"], "0.9", /^1202: `anything` is not a percentage/],
    ["an unknown word among verdicts", ["yes", "no"], "maybe", /^1202: `anything` is not a verdict/],
    ["a verdict of another pair", ["pass", "fail"], "error", /^1202: `anything` is not a verdict/],
    ["a number among verdicts", ["pass", "fail"], "1", /^1202: `anything` is not a verdict/],
  ])("is held to what its first rows are: %s is a fault with its line", async (_what, cells, late, fault) => {
    const many = Array.from({ length: 1_200 }, (_, index) => cells[index % cells.length] ?? "");
    const { faults, rows } = await numbersIn("anything", [...many, late, ""]);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(fault);
    expect(rows).toHaveLength(1_201);
  });

  it("that has the name of one is red where most rows have another form, even among the first", async () => {
    const { faults } = await numbersIn("score", ["90 %", "80 %", "0.7", "good", ""]);
    expect(faults.map((fault) => fault.split(" ")[0])).toEqual(["4:", "5:"]);
  });

  it.each([
    ["thousands", ["1,234", "2,345"]],
    ["commas and points", ["0,9", "0.9"]],
    ["verdicts of two pairs", ["pass", "correct"]],
    ["verdicts and words", ["yes", "no", "yes", "perhaps"]],
  ])("is none where its values have no one meaning: %s", async (_what, cells) => {
    const { keys, rows } = await numbersIn("anything", cells);
    expect(keys).toEqual([]);
    expect(rows.map(({ metadata }) => metadata)).toEqual(cells.map((cell) => ({ anything: cell })));
  });

  it("that begins later is read as its first value is written", async () => {
    for (const [cell, number] of [
      ["yes", 1],
      ["50 %", 0.5],
      ["0,25", 0.25],
      ["0.75", 0.75],
    ] as const) {
      const { numbers, faults } = await numbersIn("score", [...Array.from({ length: 1_100 }, () => ""), cell, "x"]);
      expect(numbers.at(-1)).toBe(number);
      expect(faults).toHaveLength(1);
    }
  });

  it("of a mapping is read in the same forms", async () => {
    const mapping = await mappingOf("inputs: q\nscores: { a: a, b: b, c: c }");
    const file = storedFile("q;a;b;c\nx;yes;90 %;0,5\ny;no;5 %;1\n");
    const { rows, faults } = await readAll(csv, file, { mapping });
    expect(rows.map((row) => numbersOf(row))).toEqual([
      { a: 1, b: 0.9, c: 0.5 },
      { a: 0, b: 0.05, c: 1 },
    ]);
    expect(faults).toEqual([]);
  });

  it("of JSON may hold the same texts; the text of a number is a score only by its name", async () => {
    const rows = [
      { input: "a", exact: "yes", share: "90 %", score: "0.5", zip: "12345", passed: true },
      { input: "b", exact: "no", share: "5%", score: "1", zip: "54321", passed: false },
    ];
    const { rows: read } = await readAll(jsonl, storedFile(rows.map((row) => JSON.stringify(row)).join("\n")));
    expect(read.map((row) => numbersOf(row))).toEqual([
      { exact: 1, share: 0.9, score: 0.5, passed: 1 },
      { exact: 0, share: 0.05, score: 1, passed: 0 },
    ]);
    expect(read.map(({ metadata }) => metadata)).toEqual([{ zip: "12345" }, { zip: "54321" }]);
  });

  it("has a number for each cell, or there is a fault, or no cell has one", { tags: "slow" }, async () => {
    const cell = fc.constantFrom("1", "0.5", "yes", "no", "pass", "90 %", "0,9", "1,234", "text", "true");
    await fc.assert(
      fc.asyncProperty(
        fc.array(cell, { minLength: 1, maxLength: 5 }),
        fc.constantFrom("score", "any"),
        async (cells, name) => {
          const { numbers, faults, keys } = await numbersIn(name, cells);
          if (keys.length === 0) expect(numbers.every((number) => number === undefined)).toBe(true);
          else expect(numbers.filter((number) => number !== undefined).length + faults.length).toBe(cells.length);
        },
      ),
    );
  });
});

describe("scores in an object or a list", () => {
  it.each([
    ['"scores":{"exact":1,"passed":true,"judged":null,"word":"yes"}', { exact: 1, passed: 1, word: 1 }],
    [
      '"scores":{"exact":{"score":0.5,"reason":"close"},"b":{"value":1},"c":{"passed":false}}',
      { exact: 0.5, b: 1, c: 0 },
    ],
    ['"evaluations":[{"name":"exact","value":1,"comment":"same"},{"name":"tone","value":"kind"}]', { exact: 1 }],
    ['"annotations":[{"name":"exact","score":null,"label":"good"},{"key":"b","score":2}]', { b: 2 }],
    ['"results":[{"metric":"exact","passed":true}]', { exact: 1 }],
    ['"metrics":{"exact":1,"total_tokens":12,"latency":3,"note":"text"}', { exact: 1 }],
  ])("are those with a number or a verdict: %s", async (member, numbers) => {
    const { rows, faults } = await readAll(jsonl, storedFile(`{"input":"a",${member}}`));
    expect(rows.map((row) => numbersOf(row))).toEqual([numbers]);
    expect(faults).toEqual([]);
  });

  it("keep their comments and their labels, and what is no score is metadata", async () => {
    const line =
      '{"input":"a","evaluations":[{"name":"exact","value":1,"comment":"same"},{"name":"tone","value":"kind"},7],' +
      '"metrics":{"f1":0.5,"total_tokens":12}}';
    const { rows } = await readAll(jsonl, storedFile(line));
    expect(rows).toMatchObject([
      {
        scores: [
          { key: "exact", value: 1, comment: "same" },
          { key: "tone", value: null, more: { value: "kind" } },
          { key: "f1", value: 0.5 },
        ],
        metadata: { evaluations: [7], metrics: { total_tokens: 12 } },
      },
    ]);
  });

  it("are a fault where a later row has something else", async () => {
    const lines = [
      '{"input":"a","scores":{"exact":1}}',
      '{"input":"b","scores":"good"}',
      '{"input":"c","scores":{"exact":"x"}}',
    ];
    const { rows } = await readAll(jsonl, storedFile(lines.join("\n")));
    const { faults } = await readAll(jsonl, storedFile(lines.join("\n")));
    expect(faults).toEqual(["2: `scores` is a text, not an object or a list of scores"]);
    expect(rows[1]?.scores).toEqual([{ key: "exact", value: "x" }]);
  });
});

/** The ids that the rows of a file get. */
async function idsOf(format: ResultFormat, text: string): Promise<readonly string[]> {
  const directory = await mkdtemp(join(tmpdir(), "row-ids-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const spool = new RowSpool(directory);
  const faults = new ResultFaults();
  const rows = new RowCollector({ dataset: "qa-set" }, spool, faults);
  rows.beginFile("a");
  for (const row of (await readAll(format, storedFile(text))).rows) rows.add(row);
  faults.throwIfAny();
  spool.close();
  const sent = Buffer.concat([...spool.read({ first: 0, end: spool.count })]).toString();
  return (JSON.parse(`[${sent}]`) as { readonly row_id: string }[]).map(({ row_id: id }) => id);
}

describe("two files of the same cases", () => {
  it("have the same row ids, by the id of the case and not by that of the run", async () => {
    const export1 = "id,example_id,run_id,inputs.question,feedback.exact\nr1,e1,x,a,1\nr2,e2,x,b,0\n";
    const export2 = "id,example_id,run_id,inputs.question,feedback.exact\nr3,e1,y,a,0\nr4,e2,y,b,0\n";
    expect(await idsOf(csv, export1)).toEqual(await idsOf(csv, export2));
    const { rows } = await readAll(csv, storedFile(export1));
    expect(rows[0]).toMatchObject({ id: "e1", metadata: { id: "r1", run_id: "x" } });
  });

  it.each(["dataset_item_id", "caseId", "test_id", "sample_id", "doc_id", "Instance ID", "id"])(
    "are known by the column %s",
    async (name) => {
      const ids = await idsOf(csv, `question,run_id,${name}\na,r1,1\nb,r2,2\n`);
      expect(await idsOf(csv, `question,run_id,${name}\nb!,r3,2\na!,r4,1\n`)).toEqual(ids.toReversed());
    },
  );

  it.each(["run_id", "trace_id"])("are known by their inputs where there is only a %s", async (name) => {
    const ids = await idsOf(csv, `question,${name}\na,1\nb,2\n`);
    expect(await idsOf(csv, `question,${name}\na,3\nb,4\n`)).toEqual(ids);
  });

  it.each(["repetition", "repetition_number", "trial", "Epoch", "attempt"])(
    "pair repetition by repetition, whether %s counts from 0 or from 1",
    async (name) => {
      const from0 = await idsOf(csv, `id,input,${name}\na,q,1\na,q,0\n`);
      const from1 = await idsOf(csv, `id,input,${name}\na,q,1\na,q,2\n`);
      expect(from1).toEqual(from0.toReversed());
      expect(await idsOf(csv, "id,input\na,q\na,q\n")).toEqual(from1);
    },
  );

  it("are refused where a repetition contradicts the rows before", async () => {
    const many = Array.from({ length: 1_100 }, (_, index) => `c${String(index)},q,1`);
    const { faults } = await readAll(csv, storedFile(`id,input,trial\n${many.join("\n")}\nlate,q,0\n`));
    expect(faults).toEqual(["1102: `trial` must be a whole number of at least 1, as in the rows before"]);
  });
});

describe("tokens, cost and times of a row", () => {
  it("are read from their columns, in the form of the table", async () => {
    const text = "question;latency;total_tokens;cost;score\na;0,5;12;0,01;0,9\nb;;;;1\n";
    const { rows, faults } = await readAll(csv, storedFile(text));
    expect(faults).toEqual([]);
    expect(rows).toMatchObject([
      { times: { milliseconds: 500 }, usage: { total_tokens: 12 }, cost: 0.01, scores: [{ key: "score", value: 0.9 }] },
      { times: { milliseconds: undefined }, usage: undefined, cost: undefined },
    ]);
  });

  it("take an object of tokens as it is", async () => {
    const { rows } = await readAll(
      jsonl,
      storedFile('{"question":"a","usage":{"input":3,"output":4},"total_tokens":7}'),
    );
    expect(rows[0]?.usage).toEqual({ input: 3, output: 4, total_tokens: 7 });
  });

  it("have columns of flags: an error is one where it is true", async () => {
    const { rows } = await readAll(csv, storedFile("question,error\na,False\nb,True\n"));
    expect(rows.map(({ error }) => error)).toEqual([undefined, "true"]);
  });

  it("begin and end by their usual names", async () => {
    const text = "question,started_at,finished_at\na,2026-05-04T10:00:00Z,2026-05-04T10:00:01Z\n";
    const { rows } = await readAll(csv, storedFile(text));
    expect(rows[0]?.times).toMatchObject({ start: "2026-05-04T10:00:00Z", end: "2026-05-04T10:00:01Z" });
  });
});
