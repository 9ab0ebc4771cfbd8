import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AmbiguousStepError, valueAt } from "../../../src/experiments/rows/dotted-path.ts";
import { ExactNumber, type JsonObject } from "../../../src/files/json/value.ts";

describe("the value at a path", () => {
  const value: JsonObject = {
    a: { b: { c: 1 }, "b.c": 2 },
    "a.b": { d: 3 },
    list: [{ text: "x" }, ["y"]],
    none: null,
    zero: 0,
    empty: "",
    big: new ExactNumber("9007199254740993"),
    scores: [{ name: "Factuality", score: 0.5 }, { key: "a.b", value: 1 }, { metric: "ok" }, null, { name: "1" }],
    twice: [{ name: "x" }, { key: "x" }],
  };

  it.each([
    ["a.b.c", 2],
    ["a.b.d", 3],
    ["list.0.text", "x"],
    ["list.1.0", "y"],
    ["scores.Factuality.score", 0.5],
    ["scores.a.b.value", 1],
    ["scores.1.value", 1],
    ["none", null],
    ["zero", 0],
    ["empty", ""],
    ["$.list[-1][0]", "y"],
    ['$.a["b.c"]', 2],
    ['$["a.b"].d', 3],
    ['$["none"]', null],
  ])("%s is found", (path, found) => {
    expect(valueAt(value, path)).toBe(found);
  });

  it.each([
    "b",
    "a.c",
    "a.",
    ".a",
    "",
    "list.2",
    "list.00.text",
    "list.length",
    "zero.a",
    "none.a",
    "big.text",
    "scores.Fact",
    "scores.score",
    "a.b.c.d",
    "$.list[2]",
    "$.list[-3]",
    '$.a["b.d"]',
    "$.list[0",
    "$.big[0]",
  ])("%j is not there", (path) => {
    expect(valueAt(value, path)).toBeUndefined();
  });

  it("is refused where several entries of a list have the name", () => {
    expect(() => valueAt(value, "twice.x")).toThrow(AmbiguousStepError);
  });

  it.each(["__proto__", "constructor", "a.__proto__", "toString.name", "list.map"])(
    "%s of no data is not there",
    (path) => {
      expect(valueAt(value, path)).toBeUndefined();
    },
  );

  it("is found under a key __proto__ of the data", () => {
    const data: unknown = JSON.parse('{"__proto__":{"a":1}}');
    expect(valueAt(Object.fromEntries([["x", JSON.parse(JSON.stringify(data))]]), "x.__proto__.a")).toBe(1);
  });

  it("is found whatever the keys are", () => {
    const key = fc.string({ unit: fc.constantFrom("a", "b", ".", "0"), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 4 }), (keys) => {
        const nested = keys.reduceRight<JsonObject | number>((below, name) => ({ [name]: below }), 1);
        expect(valueAt(nested, keys.join("."))).toBe(1);
      }),
    );
  });
});
