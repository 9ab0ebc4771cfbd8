import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonListElements, splitJsonArray } from "../../../src/files/json/array-split.ts";
import { DataFileError } from "../../../src/files/json/errors.ts";
import { FAULT } from "../../../src/files/json/faults.ts";
import { failureOf, file, messageOf, parseText, splitAll } from "./reading.ts";
import { SkimMembers } from "../../../src/files/json/skim-plan.ts";
import { writeJsonValue } from "../../../src/files/json/value.ts";

const BLOCKS = [1, 2, 3, 4, 5, 6, 7, 1024];
const indent = fc.constantFrom(undefined, 2, "\t");
const value = fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" });
const fields = fc
  .dictionary(fc.string({ maxLength: 5 }), value, { maxKeys: 3 })
  .map((each) => Object.fromEntries(Object.entries(each).filter(([key]) => key !== "results" && key !== "run")));

/** As Python writes it: nothing but ASCII. */
const asciiOnly = (text: string) =>
  text.replaceAll(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

const PLAN = new SkimMembers((key) => (key.length % 2 === 0 ? "sign" : "whole"));

test("of an element no more is parsed than a plan wants, and what breaks is told as without it", () => {
  const long = "x".repeat(40);
  const text = (more: string) => `[{"k":1, "kk":"${long}"},\n{"k":2, "kk":${more}},\n{"k":3}]`;
  const skimmed = (more: string) => {
    const pieces = Array.from(splitJsonArray(file(text(more), 1024), [], PLAN));
    return pieces.map((piece) => [piece.skimmed, piece.line]);
  };
  expect(skimmed(`{"a":tru,"b":"${long}"}`)).toEqual([
    [{ k: 1, kk: 1 }, 1],
    [{ k: 2, kk: 1 }, 2],
    [{ k: 3 }, 3],
  ]);
  expect(skimmed("NaN")[1]).toEqual([undefined, 2]);
  for (const broken of [`[{"b":"${long}"]}`, `"${long}`, `{"${"[".repeat(2)}${long}":[[}]`]) {
    const messages = [PLAN, undefined].map((plan) =>
      messageOf(() => Array.from(splitJsonArray(file(text(broken), 1024), [], plan))),
    );
    expect(messages[0]).toBe(messages[1]);
  }
});

describe("the elements of a list", () => {
  test("can be read alone, without what stands behind them", () => {
    const text = '{"head":[0],"run":{"results":[1,\n{"a":2}],"tail":}';
    for (const block of BLOCKS) {
      const pieces = Array.from(jsonListElements(file(text, block), ["run", "results"]), ({ bytes, line }) => [
        bytes.toString(),
        line,
      ]);
      expect(pieces).toEqual([
        ["1", 1],
        ['{"a":2}', 2],
      ]);
    }
    for (const none of ["", "{}", '{"run":1}', '{"run":{"results":{}}}']) {
      expect([...jsonListElements(file(none), ["run", "results"])]).toEqual([]);
    }
    expect(messageOf(() => [...jsonListElements(file("[1,"), [])])).toContain(FAULT.cutOff);
  });

  test("are those that JSON.parse finds, wherever a block ends", { tags: "slow" }, () => {
    const shape = fc.record({
      rows: fc.array(value, { maxLength: 4 }),
      head: fields,
      tail: fields,
      path: fc.constantFrom([], ["results"], ["run", "results"]),
      indent,
      isAscii: fc.boolean(),
      mark: fc.constantFrom("", "\uFEFF"),
    });
    fc.assert(
      fc.property(shape, ({ rows, head, tail, path, indent, isAscii, mark }) => {
        const around = (list: unknown) =>
          path.reduceRight<unknown>((inner, key) => ({ ...head, [key]: inner, ...tail }), list);
        const plain = JSON.stringify(around(rows), undefined, indent);
        const text = mark + (isAscii ? asciiOnly(plain) : plain);
        const bytes = Buffer.from(text);
        for (const block of BLOCKS) {
          const { pieces, end } = splitAll(file(bytes, block), path);
          expect(pieces.map((piece) => JSON.stringify(JSON.parse(piece.text)))).toEqual(
            rows.map((row) => JSON.stringify(row)),
          );
          for (const { text: piece, offset, line } of pieces) {
            expect(bytes.toString("utf8", offset, offset + Buffer.byteLength(piece))).toBe(piece);
            expect(line).toBe(bytes.toString("utf8", 0, offset).split("\n").length);
          }
          if (!end.isFound) throw new Error("the list was not found");
          expect(writeJsonValue(end.rest)).toBe(JSON.stringify(around([])));
          expect(splitAll(file(bytes, block), path, PLAN)).toEqual({ pieces, end });
        }
      }),
    );
  });

  test("are refused together with the elements exactly where JSON.parse refuses the text", () => {
    const rows = fc.array(fc.jsonValue({ maxDepth: 2 }), { minLength: 1, maxLength: 3 });
    const damage = fc.record({
      at: fc.nat(),
      remove: fc.integer({ min: 0, max: 2 }),
      insert: fc.constantFrom("", '"', "\\", "{", "}", "[", "]", ",", ":", "1", "0", "-", ".", " ", "\n", "t", "é"),
    });
    let refused = 0;
    let passed = 0;
    fc.assert(
      fc.property(rows, fields, damage, fc.constantFrom(...BLOCKS), (list, head, { at, remove, insert }, block) => {
        const whole = JSON.stringify({ ...head, results: list, end: 1 });
        const from = at % whole.length;
        const text = whole.slice(0, from) + insert + whole.slice(from + remove);
        const expected = elementsByParse(text);
        const found = elementsBySplit(text, block);
        if (found === "twice") return;
        if (expected === undefined) refused++;
        else passed++;
        expect(found).toEqual(expected);
      }),
    );
    expect(refused).toBeGreaterThan(5);
    expect(passed).toBeGreaterThan(5);
  });

  /** Undefined for what is no JSON text, or has no list there. */
  function elementsByParse(text: string): string[] | undefined {
    try {
      const document: unknown = JSON.parse(text);
      if (typeof document !== "object" || document === null || !("results" in document)) return undefined;
      const { results } = document;
      return Array.isArray(results) ? results.map((each) => JSON.stringify(each)) : undefined;
    } catch {
      return undefined;
    }
  }

  function elementsBySplit(text: string, block: number): string[] | "twice" | undefined {
    try {
      const { pieces, end } = splitAll(file(text, block), ["results"]);
      if (!end.isFound) return undefined;
      // JSON.parse once more, for numbers that the damage made too long for it.
      return pieces.map(({ text }) => JSON.stringify(JSON.parse(writeJsonValue(parseText(text)))));
    } catch (error) {
      if (!(error instanceof DataFileError)) throw error;
      return error.fault === FAULT.twice ? "twice" : undefined;
    }
  }

  test("may be larger than a block many times over", () => {
    const rows = ["a".repeat(100_000), "\\".repeat(5_001), ['"'.repeat(3_000)], "é".repeat(10_000)];
    const { pieces } = splitAll(file(JSON.stringify({ results: rows }), 1024), ["results"]);
    expect(pieces.map((piece) => JSON.parse(piece.text) as unknown)).toEqual(rows);
  });

  test("of more than 64 MiB are an error", { tags: "slow" }, () => {
    const content = Buffer.concat([
      Buffer.from('{"results":[1,"'),
      Buffer.alloc(65 * 1024 * 1024, "a"),
      Buffer.from('"]}'),
    ]);
    const error = failureOf(() => splitAll(file(content, 1024 * 1024), ["results"]));
    expect(error).toMatchObject({ code: "DATA_FILE", place: { file: "results.json", line: 1 } });
    expect(error).toHaveProperty("message", "results.json, line 1: one value has more than 67.1 MB.");
  });

  test("leave a rest of at most 32 MiB", { tags: "slow" }, () => {
    const filler = `"${"a".repeat(33 * 1024 * 1024)}"`;
    for (const text of [`{"x":${filler},"results":[1]}`, `{"results":[1],"x":${filler}}`]) {
      expect(messageOf(() => splitAll(file(text, 1024 * 1024), ["results"]))).toBe(
        "results.json, line 1: there is more than 32 MiB besides the list of rows.",
      );
    }
    // Where there is no list nothing of the document is kept.
    expect(splitAll(file(`{"x":${filler},"y":${filler}}`, 1024 * 1024), ["results"]).end).toEqual({ isFound: false });
  });
});

test.each([
  ["{}", ["results"]],
  ["[]", ["results"]],
  ['{"results":{}}', ["results"]],
  ['{"results":null}', ["results"]],
  ['{"results":[]}', ["results", "results"]],
  ['{"results":{"a":[]}}', ["results", "b"]],
  ['{"a":{"results":[1]}}', ["results"]],
  ["{}", []],
  ["17", []],
])("a path that leads to no list is a result and no error: %s", (text, path) => {
  expect(splitAll(file(text, 1), path)).toEqual({ pieces: [], end: { isFound: false } });
});

describe("what is wrong with a file", () => {
  test.each([
    ["", 1, FAULT.empty],
    ["\n \n", 3, FAULT.empty],
    ['{"results":[1],\n"results":[2]}', 2, FAULT.twice],
    ['{"results":[1],\n"\\u0072esults":[2]}', 2, FAULT.twice],
    ['{"results":[1]}\n}', 2, FAULT.more],
    ['{"results":[1]}\n{"results":[2]}', 2, FAULT.more],
    ['{"results":[\n1,\n', 3, FAULT.cutOff],
    ['{"results":[\n{"a":\n"b', 3, FAULT.openString],
    ['{"results":[\n{"a":\n"b\\"', 3, FAULT.openString],
    ['{"results":[\n{"a":[\n1', 2, FAULT.openBracket],
    ['{"results":[1\n', 2, FAULT.cutOff],
    ['{"results":[1]\n', 2, FAULT.cutOff],
    ['{"results":[\n{"a":1]}]}', 2, FAULT.otherBracket],
    ['{"results":[1,\n]}', 2, FAULT.extraComma],
    ['{"results":[1],\n}', 2, FAULT.extraComma],
    ['{"results":[\n,1]}', 2, FAULT.noValue],
    ['{"results":[1\n2]}', 2, FAULT.noComma],
    ['{"results":[1]\n"a":2}', 2, FAULT.noComma],
    ['{"results"\n[1]}', 2, FAULT.noColon],
    ["{\nresults:[1]}", 2, FAULT.noKey],
    ['{\n"a\\x":1,"results":[1]}', 2, FAULT.badKey],
    ['{"results":[1,\n2\n],"a":\n01}', 4, FAULT.badNumber],
    ['{"a":\n01,"results":[1,\n2\n]}', 2, FAULT.badNumber],
    ['{"results":[\n"a\0b"]}', 2, FAULT.zeroByte],
    [Buffer.from('{"results":[\n"a\xffb"]}', "latin1"), 2, FAULT.notUtf8],
    [Buffer.from('{"results":[\n"\xed\xa0\x80"]}', "latin1"), 2, FAULT.notUtf8],
    [Buffer.from('{"results":[\n"\xe2\x82', "latin1"), 2, FAULT.notUtf8],
    [Buffer.from('{"results":[]}\n\xe2\x82', "latin1"), 2, FAULT.notUtf8],
  ])("is reported with its line: %j", (content, line, fault) => {
    for (const block of BLOCKS) {
      const error = failureOf(() => splitAll(file(content, block), ["results"]));
      expect(error).toBeInstanceOf(DataFileError);
      expect(error).toMatchObject({ message: `results.json, line ${line}: ${fault}.`, fault, code: "DATA_FILE" });
    }
  });

  test.each([
    ["UTF-16", Buffer.from("\uFEFF[1]", "utf16le")],
    ["UTF-16", Buffer.from("[1]", "utf16le")],
    ["UTF-16", Buffer.from("\uFEFF[1]", "utf16le").swap16()],
    ["UTF-16", Buffer.from("[1]", "utf16le").swap16()],
    ["UTF-32", Buffer.from([0xff, 0xfe, 0, 0, 0x5b, 0, 0, 0])],
    ["UTF-32", Buffer.from([0x5b, 0, 0, 0, 0x5d, 0, 0, 0])],
    ["UTF-32", Buffer.from([0, 0, 0, 0x5b, 0, 0, 0, 0x5d])],
  ])("is %s by name", (name, content) => {
    for (const block of BLOCKS) {
      const error = failureOf(() => splitAll(file(content, block), []));
      expect(error).toMatchObject({ message: `results.json: the file is ${name}, not UTF-8.`, code: "DATA_FILE" });
    }
  });

  test("is a depth over 1,000, counted from the top of the document", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    const document = (depth: number) => `{"results":[${nested(depth)}]}`;
    expect(splitAll(file(document(998)), ["results"]).pieces).toHaveLength(1);
    expect(messageOf(() => splitAll(file(document(999)), ["results"]))).toBe(`results.json, line 1: ${FAULT.tooDeep}.`);
    expect(messageOf(() => splitAll(file(`{"a":${nested(100_000)},"results":[]}`), ["results"]))).toBe(
      `results.json, line 1: ${FAULT.tooDeep}.`,
    );
  });
});
