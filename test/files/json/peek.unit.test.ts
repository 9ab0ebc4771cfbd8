import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { peekJson } from "../../../src/files/json/peek.ts";
import { file, messageOf } from "./reading.ts";

const peek = (content: string | Uint8Array) => peekJson(file(content, 5));

describe("a look at the beginning of a file", () => {
  test("reports the keys at each path, through lists", () => {
    const text = JSON.stringify({
      evalId: "e",
      results: {
        version: 3,
        results: [{ id: 1, vars: { q: 1 } }, { id: 2, vars: { p: 1 }, error: "x" }, 7, [{ deep: 1 }]],
      },
      empty: [],
    });
    const { kind, topKeys, keysAt, complete } = peek(`\uFEFF\n${text}\n`);
    expect({ kind, topKeys, complete }).toEqual({
      kind: "object",
      topKeys: ["evalId", "results", "empty"],
      complete: true,
    });
    expect(keysAt(["results"])).toEqual(["version", "results"]);
    expect(keysAt(["results", "results"])).toEqual(["id", "vars", "error", "deep"]);
    expect(keysAt(["results", "results", "vars"])).toEqual(["q", "p"]);
    expect(keysAt(["empty"])).toEqual([]);
    expect(keysAt(["nowhere", "at all"])).toEqual([]);
  });

  test("reports where JSON breaks, but not where only the look ends", () => {
    const deep = `{"a":\n${"[".repeat(1_001)}`;
    expect(peek('{"a":1}\n{"b":oops}\n').fault).toEqual({
      line: 2,
      fault: "unquoted word (only true, false and null are allowed)",
    });
    expect(peek('{"a":[1,').fault).toMatchObject({ line: 1 });
    expect(peek(deep).fault).toEqual({ line: 2, fault: "brackets are nested more than 1,000 deep" });
    expect(peek(`{"a":"${"x".repeat(300_000)}"}`).fault).toBeUndefined();
    expect(peek('{"a":"\\ud800"}\n{"a":1}')).toMatchObject({ kind: "lines", fault: undefined });
    expect(peek("[INFO] started").fault).toBeUndefined();
  });

  test.each([
    ['[{"a":1},{"b":2}]', "array", ["a", "b"], true],
    ['{"a":1}', "object", ["a"], true],
    ['{"a":1}\n', "object", ["a"], true],
    ['{"a":1}\n{"b":2}\n', "lines", ["a", "b"], true],
    ['\r\n{"a":1}\r\n\r\n{"b":2}', "lines", ["a", "b"], true],
    ['{"a":1}\n{"b":', "lines", ["a", "b"], false],
    ['{"a":1}\n{"b":2}\noops', "lines", ["a", "b"], false],
    ["[1]\n[2]", "lines", [], true],
    ['{"a":NaN,"b":1', "object", ["a", "b"], false],
    ['{"a":oops}', "object", ["a"], false],
    ['[{"a":1},', "array", ["a"], false],
    ["[", "array", [], false],
    ["[INFO] started", "other", [], false],
    ["{not json}", "other", [], false],
    ['{"a":1} {"b":2}', "other", ["a"], false],
    ['{\n"a":1}\n{\n"b":2}', "texts", ["a", "b"], true],
    ['{"a":1}\n{\n"b":2}', "texts", ["a", "b"], true],
    ['{\n"a":1}\n{\n"b":', "texts", ["a", "b"], false],
    ['{\n"a":1}{\n"b":2}', "other", ["a"], false],
    ['{"a":1}\nDone.', "other", ["a"], false],
    ['"a","b"\n1,2\n', "other", [], false],
    ["<testsuites/>", "other", [], false],
    ["PK\x03\x04\0\0", "other", [], false],
    ["17", "other", [], false],
    ["", "other", [], false],
    ["{".repeat(2_000), "other", [], false],
    ["[".repeat(2_000), "array", [], false],
  ])("%j", (content, kind, topKeys, complete) => {
    const seen = peek(content);
    expect({ kind: seen.kind, topKeys: seen.topKeys, complete: seen.complete }).toEqual({ kind, topKeys, complete });
  });

  test("reports as much as stands before the cut, wherever that is", () => {
    const row = fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, maxKeys: 3 });
    fc.assert(
      fc.property(row, fc.nat(), (document, cut) => {
        const text = Buffer.from(JSON.stringify(document));
        const { kind, topKeys, complete } = peek(text.subarray(0, 1 + (cut % text.length)));
        expect(kind).toBe("object");
        expect(complete).toBe(1 + (cut % text.length) === text.length);
        expect(Object.keys(JSON.parse(JSON.stringify(document)) as object)).toEqual(
          expect.arrayContaining([...topKeys]),
        );
      }),
    );
  });

  test("reads 256 KiB and no more", () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => ({ [`key${index}`]: "é".repeat(20) }));
    const source = file(JSON.stringify(rows), 4096);
    let read = 0;
    const counted = {
      ...source,
      open: () => {
        const opened = source.open();
        const counting = (into: Uint8Array) => {
          const count = opened.read(into);
          read += count;
          return count;
        };
        return { ...opened, read: counting };
      },
    };
    const { kind, topKeys, complete } = peekJson(counted);
    expect({ kind, complete, first: topKeys[0] }).toEqual({ kind: "array", complete: false, first: "key0" });
    expect(read).toBe(256 * 1024 + 1);
    expect(peek(`{"a":1}${" ".repeat(256 * 1024 - 7)}`)).toMatchObject({ kind: "object", complete: true });
    expect(peek(`{"a":1}${" ".repeat(256 * 1024 - 6)}`)).toMatchObject({ kind: "object", complete: false });
  });

  test("refuses UTF-16 by name", () => {
    expect(messageOf(() => peek(Buffer.from("\uFEFFa,b\n", "utf16le")))).toBe(
      "results.json: the file is UTF-16, not UTF-8.",
    );
  });
});
