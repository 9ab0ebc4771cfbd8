import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../../src/text/canonical-json.ts";

test("equal values have one text, whatever the order of their keys", () => {
  expect(canonicalJson({ b: [1, { d: null, c: "x" }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(turned(value))).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("keys stand in the order of their code units, and one that is undefined is left out", () => {
  expect(canonicalJson({ "\u{1f642}": 1, "\uffff": 2, B: 3, a: 4, gone: undefined })).toBe(
    '{"B":3,"a":4,"\u{1f642}":1,"\uffff":2}',
  );
});

test("a value with a text of its own is written as JSON.stringify does", () => {
  expect(canonicalJson({ at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
});

/** The same value, with the keys of each object the other way round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, part]) => [key, turned(part)] as const)
      .toReversed(),
  );
}
