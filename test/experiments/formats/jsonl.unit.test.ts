import fc from "fast-check";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonl } from "../../../src/experiments/formats/jsonl.ts";
import { writeJsonValue } from "../../../src/files/json/value.ts";
import { expectFile, numbersOf } from "./expected-file.ts";
import { mappingOf, readAll, refusalOf } from "./reading.ts";
import { fixtureFile, storedFile } from "./stored-file.ts";

const MAPPED = readFileSync(join(import.meta.dirname, "../../fixtures/results/jsonl/project/mapping.yaml"), "utf8");

describe("jsonl", () => {
  it.each([
    ["one line", `{"input":"a"}\n`, true],
    ["a list", `[{"q":"a"}]`, true],
    ["an object over several lines", `{\n"input":"a"}`, true],
    ["an object without inputs", `{"a":1}`, false],
    ["a list of numbers", `[1,2]`, false],
    ["text", "hello\n", false],
  ])("looks at %s", (_what, text, isMine) => {
    expect(jsonl.detect(storedFile(text))).toBe(isMine);
  });

  it("reads keys by their names; 0 and the empty text are values, NaN and null missing scores", async () => {
    const { rows, columns, faults } = await readAll(jsonl, fixtureFile("jsonl/names.jsonl"));
    expectFile("jsonl/names.jsonl", rows);
    expect(faults).toEqual([]);
    expect(rows.map(({ times }) => times?.milliseconds)).toEqual([250, 500, 0, undefined]);
    expect(columns).toBe(
      "inputs from `input`; expected from `expected_output`; outputs from `output`; scores from `exact`, `length`; " +
        "id from `id`; error from `error`; latency (taken as seconds) from `latency`; metadata from `tags`",
    );
  });

  it("reads times of pandas in milliseconds", async () => {
    const { rows } = await readAll(jsonl, fixtureFile("jsonl/pandas.jsonl"));
    expectFile("jsonl/pandas.jsonl", rows);
    expect(rows[0]?.times).toMatchObject({ start: 1_777_888_800_000, end: 1_777_888_801_000 });
  });

  it("reads dotted paths of a mapping", async () => {
    const { rows, columns, warnings } = await readAll(jsonl, fixtureFile("jsonl/mapped.jsonl"), {
      mapping: await mappingOf(MAPPED),
    });
    expectFile("jsonl/mapped.jsonl", rows);
    expect(columns).toContain("latency (seconds) from `reply.took`");
    expect(warnings).toEqual([]);
  });

  it("warns of a path that stands in no row, and notes what is not read", async () => {
    const { rows, columns, warnings } = await readAll(jsonl, storedFile(`{"q":"a","x":1,"chat":[{"text":"b"}]}`), {
      mapping: await mappingOf("inputs: q\noutputs: chat.0.text\nexpected: gold"),
    });
    expect(rows).toMatchObject([{ inputs: "a", outputs: "b", expected: undefined }]);
    expect(columns).toMatch(/not read `x`$/);
    expect(warnings).toEqual(["results.any: `gold` of the mapping is in no row."]);
  });

  it("refuses a file that is cut off, by its line", async () => {
    expect(await refusalOf(jsonl, fixtureFile("jsonl/cut-off.jsonl"))).toBe(
      "jsonl/cut-off.jsonl, line 2: the file ends in the middle of its JSON.",
    );
  });

  it("reads scores and metadata that stand in objects of their own", async () => {
    const line = `{"input":"a","scores":{"exact":1,"judged":null},"metadata":{"model":"m"},"usage":{"tokens":3}}`;
    const { rows } = await readAll(jsonl, storedFile(`${line}\n`));
    expect(rows).toMatchObject([
      {
        scores: [
          { key: "exact", value: 1 },
          { key: "judged", value: null },
        ],
        usage: { tokens: 3 },
        metadata: { model: "m" },
      },
    ]);
  });

  it("reads the text of an error from what tools write there", async () => {
    const errors = ['"broke"', '{"message":"broke","stack":"x"}', '{"code":7}', "true", '""', "null", "false", "NaN"];
    const { rows } = await readAll(
      jsonl,
      storedFile(errors.map((error) => `{"input":"a","error":${error}}`).join("\n")),
    );
    const none = undefined;
    expect(rows.map(({ error }) => error)).toEqual(["broke", "broke", '{"code":7}', "true", none, none, none, none]);
  });

  it("keeps large ids and scores digit by digit", async () => {
    const big = "9007199254740993";
    const { rows } = await readAll(jsonl, storedFile(`{"id":${big},"input":{"n":${big}},"score":${big}}\n`));
    expect(rows[0]?.id).toBe(big);
    expect(writeJsonValue(rows[0]?.inputs ?? null)).toBe(`{"n":${big}}`);
    expect(writeJsonValue(numbersOf(rows[0]!))).toBe(`{"score":${big}}`);
  });

  it("reports faults of ids and latencies by kind, and reads on", async () => {
    const whole = '{"id":"a","input":1,"latency":1}';
    const lines = ['{"id":{"a":"secret"},"input":1}', '{"input":1,"latency":"secret"}', "7", whole];
    const { rows, faults } = await readAll(jsonl, storedFile(`${lines.join("\n")}\n`));
    expect(rows).toHaveLength(1);
    expect(faults).toEqual([
      "3: the line is a number, not an object",
      "1: `id` is an object, not a text or a number",
      "2: `latency` is a text, not a number",
    ]);
  });

  it("reads a list of objects in one document, with the lines where they begin", async () => {
    const { rows, faults } = await readAll(jsonl, storedFile('[\n{"input":"a"},\n{"input":"b"},\n3\n]'));
    expect(rows.map(({ inputs, place }) => [inputs, place.line])).toEqual([
      ["a", 2],
      ["b", 3],
    ]);
    expect(faults).toEqual(["4: a record is a number, not an object"]);
  });

  it("has no rows in an empty file, and refuses one whose keys name no inputs", async () => {
    expect((await readAll(jsonl, storedFile("\n"))).rows).toEqual([]);
    expect(await refusalOf(jsonl, storedFile('{"asked":"a"}\n{"said":"b"}\n'))).toMatch(
      /no column contains the inputs: .* the columns are `asked`, `said`\.$/,
    );
  });

  it("does not fill the log when each row has keys of its own", { tags: "slow" }, async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `{"input":"a","key ${index}":${index}}`);
    const { rows, columns } = await readAll(jsonl, storedFile(lines.join("\n")));
    expect(rows.at(-1)?.scores).toEqual([{ key: "key 4999", value: 4_999 }]);
    expect(columns.length).toBeLessThan(1_000);
  });

  it("keeps every value of inputs and outputs, whatever its shape", { tags: "slow" }, async () => {
    const value = fc.jsonValue({ maxDepth: 3 }).filter((item) => item !== null);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(value, value), { minLength: 2, maxLength: 5 }), async (pairs) => {
        const lines = pairs.map(([input, output]) => JSON.stringify({ input, output }));
        const { rows } = await readAll(jsonl, storedFile(lines.join("\n")));
        const written = rows.map(({ inputs = null, outputs = null }) => {
          return `{"input":${writeJsonValue(inputs)},"output":${writeJsonValue(outputs)}}`;
        });
        expect(written).toEqual(lines);
      }),
    );
  });
});
