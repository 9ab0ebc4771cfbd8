import fc from "fast-check";
import { parse } from "csv-parse/sync";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { csv } from "../../../src/experiments/formats/csv.ts";
import { csvRecords } from "../../../src/experiments/formats/shared/csv-file.ts";
import { memoryBytes } from "../../../src/files/json/byte-source.ts";
import { writeJsonValue } from "../../../src/files/json/value.ts";
import { expectedRefusal, expectFile, numbersOf } from "./expected-file.ts";
import { mappingOf, readAll, refusalOf } from "./reading.ts";
import { fixtureFile, storedFile } from "./stored-file.ts";

const MAPPED = readFileSync(join(import.meta.dirname, "../../fixtures/results/csv/project/mapping.yaml"), "utf8");

describe("the columns of a CSV file", () => {
  it.each([
    ["prose", "Hello, world\nThis is a report, of sorts, in three parts\n"],
    ["a list in YAML", "- a\n- b\n"],
    ["nothing", ""],
    ["one column", "input\na\nb\n"],
    ["an archive", "PK\u0003\u0004,\0\0,\n"],
  ])("are not seen in %s", (_what, text) => {
    expect(csv.detect(storedFile(text))).toBe(false);
  });

  it("are read by their names", async () => {
    const { rows, columns, faults, warnings } = await readAll(csv, fixtureFile("csv/names.csv"));
    expectFile("csv/names.csv", rows);
    expect(rows.map(({ place }) => place.line)).toEqual([2, 4, 5, 6]);
    expect(rows.map(({ metadata }) => metadata)).toEqual([
      { kind: "short" },
      { kind: "long" },
      { kind: "short" },
      undefined,
    ]);
    expect({ faults, warnings }).toEqual({ faults: [], warnings: [] });
    expect(columns).toBe(
      "inputs from `input`; expected from `expected_output`; outputs from `output`; scores from `exact`, `length`; " +
        "id from `id`; error from `error`; start from `start_time`; end from `end_time`; " +
        "latency (milliseconds) from `latency_ms`; metadata from `kind`",
    );
  });

  it("are read behind a byte order mark, with keys behind dots, and numbers digit by digit", async () => {
    const { rows, columns } = await readAll(csv, fixtureFile("csv/dotted-bom.csv"));
    expectFile("csv/dotted-bom.csv", rows);
    expect(writeJsonValue(numbersOf(rows[0]!))).toBe('{"exact":1,"big":9007199254740993}');
    expect(rows.map(({ times }) => times?.milliseconds)).toEqual([250, 500]);
    expect(columns).toContain("latency (taken as seconds) from `latency`");
  });

  it("are no scores where they are the index of pandas, and True and False are 1 and 0", async () => {
    const { rows, columns } = await readAll(csv, fixtureFile("csv/pandas.csv"));
    expectFile("csv/pandas.csv", rows);
    expect(columns).toContain("left out the column without a name");
  });

  it("are read by a mapping, between semicolons", async () => {
    const { rows, columns, warnings } = await readAll(csv, fixtureFile("csv/mapped.csv"), {
      mapping: await mappingOf(MAPPED),
    });
    expectFile("csv/mapped.csv", rows);
    expect(rows[0]?.times).toMatchObject({ start: "1777888800", milliseconds: 250 });
    expect(columns).toMatch(/inputs from `q` → `question`; .*id from `case`; /);
    expect(warnings).toEqual([]);
  });

  it("are not said to be without a unit when the mapping has it", async () => {
    const mapping = await mappingOf("inputs: a\nlatency_ms: latency");
    const { columns } = await readAll(csv, storedFile("a,latency\n1,2\n"), { mapping });
    expect(columns).toContain("latency (milliseconds) from `latency`");
  });

  it("are refused when one appears twice", async () => {
    expect(expectedRefusal("csv", "duplicate-headers.csv").refused).toContain("`score` appears twice");
    expect(await refusalOf(csv, fixtureFile("csv/duplicate-headers.csv"))).toBe(
      "csv/duplicate-headers.csv, line 1: the column `score` appears twice.",
    );
  });

  it("are refused when the mapping names others", async () => {
    const message = await refusalOf(
      csv,
      storedFile("a,b\n1,2\n"),
      await mappingOf("inputs: a\nexpected: c\nscores: { d: e }"),
    );
    expect(message).toBe("results.any, line 1: the mapping names `c`, `e`, but the only columns are `a`, `b`.");
  });

  it("are refused when none holds the inputs", async () => {
    const message = await refusalOf(csv, storedFile("asked,said\na,b\n"));
    expect(message).toMatch(/no column contains the inputs: .* the columns are `asked`, `said`\.$/);
  });

  it("mean the same in other spellings", async () => {
    const text = "ID,Input,Expected Output,actualOutput,startTime,End-Time\n1,a,b,c,1777888800,1777888801\n";
    const { rows } = await readAll(csv, storedFile(text));
    expect(rows).toMatchObject([
      { id: "1", inputs: "a", expected: "b", outputs: "c", times: { start: "1777888800", end: "1777888801" } },
    ]);
  });

  it("are no outputs when they measure or describe one", async () => {
    const { rows } = await readAll(csv, storedFile("input,output,output_tokens,output_language\na,b,12,fr\n"));
    expect(rows).toMatchObject([
      { outputs: "b", scores: [], usage: { output_tokens: 12 }, metadata: { output_language: "fr" } },
    ]);
  });

  it("stand side by side where there are several for one part", async () => {
    const { rows } = await readAll(
      csv,
      storedFile("input,inputs.lang,expected_city,expected_river\na,fr,Paris,Seine\n"),
    );
    expect(rows).toMatchObject([
      { inputs: { input: "a", lang: "fr" }, expected: { expected_city: "Paris", expected_river: "Seine" } },
    ]);
  });

  it("that hold numbers and texts are metadata, with a warning", async () => {
    const { rows, warnings } = await readAll(csv, storedFile("input,grade\na,1\nb,good\n"));
    expect(rows.map(({ scores, metadata }) => ({ scores, metadata }))).toEqual([
      { scores: [], metadata: { grade: "1" } },
      { scores: [], metadata: { grade: "good" } },
    ]);
    expect(warnings).toEqual([
      "results.any: the column `grade` holds numbers or verdicts beside other texts, so it is metadata and not a score; a mapping can say otherwise.",
    ]);
  });

  it.each([
    ["latency", "350", true],
    ["latency", "2.5", false],
    ["latency", "3", false],
    ["latency_s", "350", false],
    ["latency_ms", "350", false],
  ])(
    "that are latencies without a unit warn where they look like milliseconds: %s of %s",
    async (name, text, warns) => {
      const { warnings } = await readAll(csv, storedFile(`input,score,${name}\na,1,${text}\nb,0,420\n`));
      const sentence =
        "results.any: the column `latency` is taken as seconds, but looks like milliseconds: if so, rename it to `latency_ms`, or map it with `latency_ms`.";
      expect(warnings).toEqual(warns ? [sentence] : []);
    },
  );

  it("that are empty at first are decided by their first value, and every later row is held to that", async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `row ${index},${index < 2_000 ? "" : index},1`);
    const { rows, columns, faults, warnings } = await readAll(
      csv,
      storedFile(`input,late,score\n${lines.join("\n")}\nlast,text,text\n`),
    );
    expect(columns).toBe("inputs from `input`; scores from `score`, `late`");
    expect(rows).toHaveLength(3_000);
    expect(rows[2_500]?.scores).toEqual([
      { key: "late", value: 2_500 },
      { key: "score", value: 1 },
    ]);
    // Numbers without a bound may not have been scores: a text among them is no error.
    expect(faults).toEqual(["3002: `score` is not a number, unlike in the other rows"]);
    expect(warnings).toEqual([
      "results.any: `late` (2000 to 2999) is read as a score, but neither the name nor the values show that it is one. Name the columns of the scores in a mapping.",
    ]);
  });

  it("may have the name of anything", async () => {
    const { rows, columns } = await readAll(
      csv,
      storedFile('input,__proto__,inputs.__proto__,"a\n::error::x"\na,1,b,2\n'),
    );
    expect(rows).toHaveLength(1);
    expect(writeJsonValue(rows[0]?.inputs ?? null)).toBe('{"input":"a","__proto__":"b"}');
    expect(rows[0]?.scores.map(({ key }) => key)).toEqual(["__proto__", "a\n::error::x"]);
    expect(columns).not.toContain("\n");
  });
});

describe("a CSV file", () => {
  it("with a mapping of kinds sends words as values", async () => {
    const mapping = await mappingOf(
      "inputs: q\nscores: { a: { from: a, kind: categorical }, b: { from: b, kind: freeform, direction: lower }, c: c }",
    );
    const { rows } = await readAll(csv, storedFile("q,a,b,c\nx,good,fine,1\ny,1,,\n"), { mapping });
    expect(rows.map(({ scores }) => scores)).toEqual([
      [
        { key: "a", value: undefined, more: { value: "good", feedback_config: { type: "categorical" } } },
        { key: "b", value: undefined, more: { value: "fine", feedback_config: { type: "freeform" } } },
        { key: "c", value: 1 },
      ],
      [
        { key: "a", value: 1, more: { feedback_config: { type: "categorical" } } },
        { key: "b", value: null, isBlank: true },
        { key: "c", value: null, isBlank: true },
      ],
    ]);
  });

  it.each([
    ["1", "1"],
    [" 0.5 ", "0.5"],
    ["+.5", "0.5"],
    ["-1.", "-1"],
    ["1e3", "1000"],
    ["007", "7"],
    ["-0.12345678901234567890123", "-0.12345678901234567890123"],
    ["12345678901234567890", "12345678901234567890"],
    ["true", "1"],
    ["FALSE", "0"],
  ])("with the score %s sends %s", async (cell, sent) => {
    const { rows } = await readAll(csv, storedFile(`input;score\na;${cell}\n`));
    expect(writeJsonValue(numbersOf(rows[0]!))).toBe(`{"score":${sent}}`);
  });

  it.each(["", "nan", "NaN", "None", "null", "N/A", "<NA>", "inf", "-Infinity"])(
    "with the score %j has none in that row",
    async (cell) => {
      const { rows } = await readAll(csv, storedFile(`input,score\na,1\nb,${cell}\n`));
      expect(rows.map((row) => numbersOf(row))).toEqual([{ score: 1 }, {}]);
    },
  );

  it("reports each row with too many cells or too few, and reads on", async () => {
    const text = 'input,output,score\na,b\n"x\r\ny",b,1\nc,d,1,2\n  \n\ne,f,0\n';
    const { rows, faults } = await readAll(csv, storedFile(text));
    expect(rows.map(({ place }) => place.line)).toEqual([3, 8]);
    expect(faults).toEqual([
      "2: the row has 2 columns instead of 3: `input`, `output`, `score`",
      "5: the row has 4 columns instead of 3: `input`, `output`, `score`",
    ]);
  });

  it("with only a header has no rows, and one without anything is refused", async () => {
    expect((await readAll(csv, storedFile("input,output\n"))).rows).toEqual([]);
    expect(await refusalOf(csv, storedFile(""))).toBe("results.any: the file is empty.");
  });

  it("is read with the line ends of any system", async () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const { rows } = await readAll(csv, storedFile(["input\tscore", "a\t1", "b\t0", ""].join(end)));
      expect(rows.map(({ inputs, place }) => [inputs, place.line])).toEqual([
        ["a", 2],
        ["b", 3],
      ]);
    }
  });

  it.each([
    ["a quote that is never closed", 'a,b\n1,2\n\n3,"4\n5,6\n', /line 4: a quote in this row is never closed/],
    ["text behind a quote", 'a,b\n1,"2"3\n', /line 2: text follows a closing quote/],
    ["a quote in a cell", 'a,b\n1,2"3\n', /line 2: an unquoted cell contains a quote/],
    ["a NUL byte", "a,b\n1,\0\n", /line 2: NUL byte/],
    [
      "bytes that are no UTF-8",
      Buffer.from([0x61, 0x2c, 0x62, 0x0a, 0xff, 0x2c, 0x31]),
      /line 2: bytes that are not UTF-8/,
    ],
  ])("with %s is refused", async (_what, content, message) => {
    expect(await refusalOf(csv, storedFile(content), await mappingOf("inputs: a"))).toMatch(message);
  });

  it("that was cut off is refused by its line", async () => {
    expect(await refusalOf(csv, fixtureFile("csv/cut-off.csv"))).toMatch(/^csv\/cut-off\.csv, line 2: .* cut off\.$/);
  });

  it("is read as csv-parse reads it, wherever the blocks of the file end", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r\n", "é", "日", "𝄞", " ", ";") });
    const table = fc.integer({ min: 2, max: 4 }).chain((width) => {
      return fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 });
    });
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 9 }), (rows, blockBytes) => {
        const text = rows.map((row) => row.map((item) => `"${item.replaceAll('"', '""')}"`).join(",")).join("\r\n");
        const file = { ...storedFile(text), bytes: memoryBytes("results.any", Buffer.from(text), blockBytes) };
        const read: string[][] = [];
        for (const { cells, line } of csvRecords(file, ",")) {
          const before = rows.slice(0, read.length).flat().join("");
          expect(line).toBe(1 + read.length + (before.match(/\r\n|\n/g) ?? []).length);
          read.push([...cells]);
        }
        expect(read).toEqual(parse(text, { record_delimiter: "\r\n" }));
        expect(read).toEqual(rows);
      }),
    );
  });
});
