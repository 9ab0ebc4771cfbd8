import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { givenJson } from "../../../src/experiments/rows/given-json.ts";

const read = (value: unknown) => givenJson(value, { file: "rows" });

test("a value is what its JSON says, whatever it is", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "grapheme" }), (value) => {
      // JSON has no -0.
      const text = JSON.stringify(value);
      expect(JSON.stringify(read(value).fault === undefined ? Reflect.get(read(value), "value") : undefined)).toBe(
        text,
      );
    }),
  );
});

test.each<[string, unknown, unknown]>([
  ["a Date", new Date(0), "1970-01-01T00:00:00.000Z"],
  ["an Error", new TypeError("no"), "no"],
  ["an Error of the platform", new DOMException("gone", "AbortError"), "gone"],
  ["an Error without words", new RangeError(), "RangeError"],
  ["a field that is not there", { a: undefined, b: 1 }, { b: 1 }],
  ["a number that is none", { a: Number.NaN, b: Infinity }, { a: null, b: null }],
  [
    "an object of a class, by its fields",
    new (class Point {
      x = 1;
    })(),
    { x: 1 },
  ],
  ["an object that says its JSON itself", { toJSON: () => ({ a: 1 }) }, { a: 1 }],
  ["objects of another realm", runInNewContext("({ a: {}, b: [], c: new Error('no') })"), { a: {}, b: [], c: "no" }],
  ["an object without a prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
])("%s is written as what it stands for", (_what, value, expected) => {
  expect(read(value)).toEqual({ value: expected });
});

const circle: unknown[] = [];
circle.push(circle);
let deep: unknown = 1;
for (let depth = 0; depth < 100_000; depth++) deep = [deep];

test.each<[string, unknown, RegExp]>([
  ["a Map", new Map([[1, 2]]), /^contains a Map, which/],
  ["a Set", new Set([1]), /^contains a Set, which/],
  ["a Promise", Promise.resolve(1), /^contains a Promise, which/],
  ["bytes", new Uint8Array(3), /^contains a Uint8Array, which/],
  ["a BigInt", 1n, /^contains a BigInt, which/],
  ["an invalid Date", new Date(Number.NaN), /^contains an invalid Date, which/],
  ["a circle", circle, /^cannot be written as JSON/],
  ["what is nested too deeply", deep, /^cannot be written as JSON/],
  [
    "a getter that throws",
    {
      get a() {
        throw new Error("secret");
      },
    },
    /^cannot be written as JSON(?!.*secret)/,
  ],
])("%s is a fault of its field, and not lost", (_what, value, fault) => {
  expect(read({ id: 1, outputs: { answer: value } })).toMatchObject({
    fault: expect.stringMatching(fault),
    field: "outputs",
  });
  expect(read(value)).toMatchObject({ fault: expect.stringMatching(fault) });
});

test.each([undefined, () => 1, Symbol("s")])("%o is not a value", (value) => {
  expect(read(value)).toEqual({ fault: "is not a JSON value", field: undefined });
});
