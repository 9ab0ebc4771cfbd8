import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPythonLiteral } from "../../../src/experiments/formats/shared/python-literal.ts";
import { ragasCsv } from "../../../src/experiments/formats/ragas-csv.ts";
import { NOT_A_NUMBER, writeJsonValue } from "../../../src/files/json/value.ts";
import { expectFile, numbersOf } from "./expected-file.ts";
import { readAll } from "./reading.ts";
import { fixtureFile, storedFile } from "./stored-file.ts";

const FILES = ["ragas-csv/ragas-no-index-nan.csv", "ragas-csv/ragas.csv"];

describe("ragas-csv", () => {
  it.each(FILES)("reads %s", async (name) => {
    const { rows, run, faults, warnings } = await readAll(ragasCsv, fixtureFile(name));
    expectFile(name, rows);
    expect({ run, faults, warnings }).toEqual({ run: { tool: "ragas" }, faults: [], warnings: [] });
  });

  it("reads the columns of ragas before 0.2", async () => {
    const text = `question,answer,contexts,ground_truth,faithfulness\nq,a,"['c']",g,0.5\n`;
    expect(ragasCsv.detect(storedFile(text))).toBe(true);
    const { rows } = await readAll(ragasCsv, storedFile(text));
    expect(rows).toMatchObject([{ inputs: { question: "q", contexts: ["c"] }, outputs: "a", expected: "g" }]);
    expect(numbersOf(rows[0]!)).toEqual({ faithfulness: 0.5 });
  });

  it("reads a conversation, and leaves a text that only looks like a list", async () => {
    const turns = `"[{'content': 'Hi', 'metadata': None, 'type': 'human'}]"`;
    const { rows } = await readAll(ragasCsv, storedFile(`user_input,reference,x\n${turns},"['a']",1\n"[1, 2]",b,0\n`));
    expect(rows.map(({ inputs, expected }) => [inputs, expected])).toEqual([
      [{ user_input: [{ content: "Hi", metadata: null, type: "human" }] }, "['a']"],
      [{ user_input: "[1, 2]" }, "b"],
    ]);
  });

  it("takes a joined column for a part that its own columns do not hold, and for no other", async () => {
    const partsOf = async (text: string) => {
      const { rows } = await readAll(ragasCsv, storedFile(text));
      return rows.map(({ inputs, expected, outputs }) => [inputs, expected, outputs]);
    };
    expect(await partsOf("user_input,response,correct_answer,x\nq,a,g,1\nr,b,h,0\n")).toEqual([
      [{ user_input: "q" }, "g", "a"],
      [{ user_input: "r" }, "h", "b"],
    ]);
    expect(await partsOf("user_input,reference,bot_reply,x\nq,g,a,1\nr,h,b,0\n")).toEqual([
      [{ user_input: "q" }, "g", "a"],
      [{ user_input: "r" }, "h", "b"],
    ]);
    expect(await partsOf("user_input,response,reference,bot_reply,task,gold,x\nq,a,g,c,t,i,1\n")).toEqual([
      [{ user_input: "q" }, "g", "a"],
    ]);
  });

  it("keeps a metric that broke in all samples as a score without a number", async () => {
    const { rows } = await readAll(ragasCsv, storedFile("user_input,response,exact,judged\na,b,1,\nc,d,0,nan\n"));
    expect(rows.map(({ scores }) => scores.map(({ key, value }) => [key, value]))).toEqual([
      [
        ["exact", 1],
        ["judged", null],
      ],
      [
        ["exact", 0],
        ["judged", null],
      ],
    ]);
  });

  it("takes no seed, count, cost or time that stands beside the metrics as a score", async () => {
    const names = "question,answer,ground_truth,case_id,exact,total_tokens,cost_usd,latency_ms,seed,temperature,prompt";
    const { rows } = await readAll(ragasCsv, storedFile(`${names}\nq,a,g,7,0.5,120,0.002,300,42,0.1,p\n`));
    expect(rows).toMatchObject([
      {
        id: "7",
        inputs: { question: "q" },
        usage: { total_tokens: 120 },
        cost: 0.002,
        times: { milliseconds: 300 },
        metadata: { seed: "42", temperature: "0.1", prompt: "p" },
      },
    ]);
    expect(numbersOf(rows[0]!)).toEqual({ exact: 0.5 });
  });

  it("has no outputs, contexts or reference where nan stands for none", async () => {
    const { rows } = await readAll(
      ragasCsv,
      storedFile("user_input,retrieved_contexts,reference_contexts,response,reference,x\na,,nan,nan,nan,1\n"),
    );
    expect(rows).toMatchObject([{ inputs: { user_input: "a" }, outputs: undefined, expected: undefined }]);
  });

  it("keeps the reference under its name beside other things that are expected", async () => {
    const { rows } = await readAll(ragasCsv, storedFile(`user_input,reference,reference_contexts\na,b,"['c']"\n`));
    expect(rows).toMatchObject([{ expected: { reference: "b", reference_contexts: ["c"] } }]);
  });
});

describe("a literal of Python", () => {
  it.each<[string, unknown]>([
    ["[]", []],
    ["['a', \"it's\", 'a\"b\\'']", ["a", "it's", "a\"b'"]],
    ["['a\\nb\\t\\\\n', '\\x00\\xe9\\u65e5\\U0001f600']", ["a\nb\t\\n", "\u0000é日😀"]],
    ["(1,)", [1]],
    ["[True, False, None, -1.5, 1e-07, 1.]", [true, false, null, -1.5, 1e-7, 1]],
    ["[nan, inf, -inf]", [NOT_A_NUMBER, NOT_A_NUMBER, NOT_A_NUMBER]],
    ["{'a': {'b': [1]}, 'c': ()}", { a: { b: [1] }, c: [] }],
    ["['a' 'b'\n 'c']", ["a", "b", "c"]],
    [" [ 'a' , 'b' ] ", ["a", "b"]],
  ])("is read: %j", (text, value) => {
    expect(readPythonLiteral(text)).toEqual(value);
  });

  it.each([
    "",
    "['a'",
    "['a]",
    "['a'] x",
    "[,]",
    "['a',, 'b']",
    "[a]",
    "[HumanMessage(content='a')]",
    "{'a'}",
    "{1: 2}",
    "{'a': 1 'b': 2}",
    "['\\q']",
    "['\\x4']",
    "['\\ud800']",
    "['\\U00110000']",
    "[1.2.3]",
    "['a' ... 'b']",
    "[".repeat(100_000),
    "[".repeat(200) + "]".repeat(200),
  ])("is none, and stays a text: %j", (text) => {
    expect(readPythonLiteral(text)).toBeUndefined();
  });

  it("keeps the digits of a large number, and a key __proto__", () => {
    const value = readPythonLiteral("[9007199254740993, {'__proto__': 1}]");
    expect(writeJsonValue(value ?? null)).toBe('[9007199254740993,{"__proto__":1}]');
  });

  it("is read as it was written, whatever it holds", () => {
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.string({
          unit: fc.oneof(fc.constantFrom("'", '"', "\\", "\n", "\t", "\r", "\0", "é", "日", "😀"), fc.string()),
        }),
        fc.constantFrom(true, false, null),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie("value"), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(value, (written) => {
        expect(readPythonLiteral(repr(written))).toEqual(written);
      }),
    );
  });

  it("ends for any text", () => {
    const unit = fc.constantFrom(
      "[",
      "]",
      "(",
      ")",
      "{",
      "}",
      "'",
      '"',
      "\\",
      ",",
      ":",
      " ",
      "1",
      ".",
      "e",
      "-",
      "a",
      "x",
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
        const value = readPythonLiteral(text);
        if (value !== undefined) expect(() => writeJsonValue(value)).not.toThrow();
      }),
    );
  });
});

/** As Python's repr writes a value. */
function repr(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value).replace("e+", "e");
  if (Array.isArray(value)) return `[${value.map(repr).join(", ")}]`;
  if (typeof value === "object") {
    return `{${Object.entries(value)
      .map(([key, item]) => `${repr(key)}: ${repr(item)}`)
      .join(", ")}}`;
  }
  if (typeof value !== "string") throw new Error("repr knows no such value");
  const text = value;
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text
    .replaceAll("\\", "\\\\")
    .replaceAll(quote, `\\${quote}`)
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t")
    // eslint-disable-next-line no-control-regex -- these are what is written so
    .replace(/[\0-\x1f\x7f]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return `${quote}${inner}${quote}`;
}
