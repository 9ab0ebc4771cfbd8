import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultyPathIn, filledFrom, parsePath, pathAtStart, valueAtPath } from "../../../src/files/json/path.ts";
import type { JsonObject, JsonValue } from "../../../src/files/json/value.ts";

const value: JsonObject = { a: [{ "b c": 1 }, null, "x"], __proto__: { d: 1 }, 1: "one" };

function at(text: string): unknown {
  const path = parsePath(text);
  return path ? valueAtPath(value, path) : "no path";
}

describe("a path", () => {
  test.for<[string, unknown]>([
    ["$", { value }],
    ['$.a[0]["b c"]', { value: 1 }],
    ["$.a[-1]", { value: "x" }],
    ["$.a[1]", { value: null }],
    ["$.1", { value: "one" }],
    ["$[1]", { value: "one" }],
    ['$["a"][2]', { value: "x" }],
    ["$.a[3]", undefined],
    ["$.a[-4]", undefined],
    ["$.a.length", { value: 3 }],
    ["$.a[1].b", undefined],
    ["$.a[2][0]", undefined],
    ["$.constructor", undefined],
    ["a", "no path"],
    ["", "no path"],
    ["$a", "no path"],
    ["$.", "no path"],
    ["$.a[", "no path"],
    ["$.a[x]", "no path"],
    ["$.a b", "no path"],
    ['$["a]', "no path"],
    ["$.a ", "no path"],
  ])("%s", ([text, found]) => {
    expect(at(text)).toEqual(found);
  });

  test("leads to what stands there, whatever the keys and places are", { tags: "slow" }, () => {
    const step = fc.oneof(fc.string({ unit: "binary" }), fc.integer({ min: -3, max: 2 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), fc.jsonValue(), (steps, leaf) => {
        let nested: unknown = leaf;
        for (const each of steps.toReversed()) {
          const beside = ["x", "y", "z"];
          nested =
            typeof each === "string" ? Object.fromEntries([[each, nested]]) : beside.with(each, nested as string);
        }
        const text = steps
          .map((each) => (typeof each === "string" ? `[${JSON.stringify(each)}]` : `[${each}]`))
          .join("");
        const path = parsePath(`$${text}`);
        expect(path).toEqual({ text: `$${text}`, steps });
        expect(path && valueAtPath(nested, path)).toEqual({ value: leaf });
      }),
    );
  });

  test("ends where a text goes on, and the two together are the text", { tags: "slow" }, () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'$.[]"\\-: 01ab'.split("")) }), (rest) => {
        const read = pathAtStart(`$${rest}`);
        expect(read && read.path.text + read.rest).toBe(`$${rest}`);
        expect(parsePath(read?.path.text ?? "")).toEqual(read?.path);
      }),
    );
  });
});

describe("a template", () => {
  const row = { question: "why?", facts: [1, null] };

  test.for<[JsonValue, JsonValue]>([
    ["$.question", "why?"],
    ["$", row],
    [{ messages: [{ role: "user", content: "$.question" }] }, { messages: [{ role: "user", content: "why?" }] }],
    [
      ["$.facts[-1]", "$.facts"],
      [null, [1, null]],
    ],
    ["it costs $5", "it costs $5"],
    ["$5", "$5"],
    [{ "$.question": 1 }, { "$.question": 1 }],
    [null, null],
  ])("%j holds what stands at its paths", ([template, filled]) => {
    expect(filledFrom(row, template)).toEqual({ ok: true, value: filled });
    expect(faultyPathIn(template)).toBeUndefined();
  });

  test("names the first path that leads nowhere", () => {
    expect(filledFrom(row, { a: "$.facts[0]", b: ["$.facts[2]", "$.none"] })).toEqual({
      ok: false,
      path: "$.facts[2]",
    });
  });

  test("names the first text that begins as a path and is none", () => {
    expect(faultyPathIn({ a: "$.facts", b: ["$.facts[", "$["] })).toBe("$.facts[");
  });

  test("without a path is filled with itself", { tags: "slow" }, () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: fc.constantFrom("a", "[", ".", '"') }), (template) => {
        const given: JsonValue = JSON.parse(JSON.stringify(template));
        expect(filledFrom(row, given)).toEqual({ ok: true, value: given });
      }),
    );
  });
});
