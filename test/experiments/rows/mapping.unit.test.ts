import fc from "fast-check";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ExactNumber, type JsonObject } from "../../../src/files/json/value.ts";
import { AmbiguousStepError, parseMapping, valueAt } from "../../../src/experiments/rows/mapping.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures/results");

function faultsOf(text: string): readonly string[] {
  const reading = parseMapping(text);
  return reading.ok ? [] : reading.faults;
}

describe("a mapping", () => {
  it("is read from YAML", () => {
    expect(parseMapping(readFileSync(join(FIXTURES, "csv/project/mapping.yaml"), "utf8"))).toEqual({
      ok: true,
      mapping: {
        id: "case",
        inputs: { question: "q" },
        expected: "gold",
        outputs: "a",
        scores: { grade: { path: "grade" }, cost: { path: "cost", direction: "lower" } },
        startTime: "t0",
        latencyMilliseconds: "ms",
      },
    });
  });

  it("is read from JSON", () => {
    const text = JSON.stringify({ inputs: "q", latency: "took", metadata: { m: "a.b" }, end_time: "end", error: "e" });
    expect(parseMapping(text)).toEqual({
      ok: true,
      mapping: { inputs: "q", latencySeconds: "took", metadata: { m: "a.b" }, endTime: "end", error: "e" },
    });
  });

  it("takes paths as JSONPath writes them, and a place of the rows alone", () => {
    expect(parseMapping("inputs: $.case.text\nscores: { exact: $.scores.exact }")).toMatchObject({
      mapping: { inputs: "case.text", scores: { exact: { path: "scores.exact" } } },
    });
    expect(parseMapping("rows: $.report.cases")).toEqual({ ok: true, mapping: { rows: "report.cases" } });
    expect(faultsOf("rows: cases\noutputs: a")).toEqual([
      "`inputs` must be a column or a dotted path, or one for each key",
    ]);
    expect(faultsOf("inputs: $.")).not.toEqual([]);
  });

  it("tells all of its faults at once", () => {
    const faults = faultsOf(`
id: 3
outputs: [a]
metadata: {}
latency: a
latency_ms: b
scores:
  a: { from: x, direction: up, kind: number, extra: 1 }
  b: 4
  c: {}
  d: ""
input: q
`);
    const known =
      "rows, id, inputs, expected, outputs, scores, start_time, end_time, latency, latency_ms, error, metadata";
    expect([...faults].sort()).toEqual(
      [
        "`id` must be a column or a dotted path, such as case.text",
        "`inputs` must be a column or a dotted path, or one for each key",
        "`outputs` must be a column or a dotted path, or one for each key",
        "`metadata` must be a column or a dotted path, or one for each key",
        "`scores.a.direction` must be higher or lower",
        "`scores.a.kind` must be one of continuous, categorical, freeform",
        "`scores.a.extra` is not known; a score has from, direction, kind",
        "`scores.b` must be a column or a dotted path, or `from` with `direction` and `kind`",
        "`scores.c.from` must be a column or a dotted path, such as case.text",
        "`scores.d.from` must be a column or a dotted path, such as case.text",
        `\`input\` is not known; a mapping has ${known}`,
        "`latency` (seconds) and `latency_ms` are both set; set one of them",
      ].sort(),
    );
  });

  it.each([
    ["nothing", "", /must be a YAML mapping/],
    ["a text", "question", /must be a YAML mapping/],
    ["a list", "- a\n- b\n", /must be a YAML mapping/],
    ["a bracket that stays open", "inputs: [", /is not valid YAML: line 1, column \d+ \(\w+\)/],
    ["a key twice", "inputs: a\ninputs: b\n", /^`inputs` is set twice$/],
    ["an alias of nothing", "inputs: *a\n", /has an alias without an anchor/],
    ["a score without a name", 'inputs: a\nscores: { "": b }\n', /`scores` has a score without a name/],
    ["scores in a list", "inputs: a\nscores: [b]\n", /`scores` must map the name of each score/],
    ["an object in place of a path", "inputs: { a: { b: c } }\n", /`inputs` must be a column/],
  ])("is refused for %s", (_what, text, fault) => {
    expect(faultsOf(text).join("\n")).toMatch(fault);
  });

  it("with aliases that multiply is refused at once", () => {
    const levels = Array.from(
      { length: 12 },
      (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index},`.repeat(9)}]`,
    );
    expect(faultsOf(`a0: &a0 x\n${levels.join("\n")}\n`)).toEqual(["is too large, with its aliases expanded"]);
  });

  it("never quotes a text that is no mapping", () => {
    expect(faultsOf('a: "secret\n b: {secret').join()).not.toContain("secret");
  });

  it("does not fail on any text", () => {
    const unit = fc.constantFrom(
      "inputs",
      "scores",
      "from",
      ":",
      " ",
      "\n",
      "-",
      "{",
      "}",
      "[",
      "]",
      "&a",
      "*a",
      "!!",
      '"',
      "|",
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
        const reading = parseMapping(text);
        expect(reading.ok || reading.faults.length > 0).toBe(true);
      }),
    );
  });
});

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
