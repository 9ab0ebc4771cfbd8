import fc from "fast-check";
import { expect, test } from "vitest";
import { elementsOf, membersIn, membersOf, RawJson, without, writeJson } from "../../../src/local/http/raw-json.ts";

test("raw parts are written unchanged: numbers keep their digits, and deep nesting does not fail", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const value = { a: new RawJson("1.50"), b: [new RawJson(deep)], c: undefined, d: null };
  expect(writeJson(value)).toBe(`{"a":1.50,"b":[${deep}],"d":null}`);
});

test("the members of an object and the elements of a list are the texts that JSON.parse would read", () => {
  const spaced = fc.jsonValue().map((value) => JSON.stringify(value, undefined, 1));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), spaced), fc.array(spaced), (members, elements) => {
      const object = `{ ${Object.entries(members)
        .map(([key, text]) => `${JSON.stringify(key)} : ${text}`)
        .join(" , ")} }`;
      expect(new Map(membersOf(object))).toEqual(new Map(Object.entries(members)));
      expect(elementsOf(`[ ${elements.join(" , ")} ]`)).toEqual(elements);
    }),
  );
});

test("of several members with one name the last counts, and only an object has some", () => {
  expect([...membersOf('{"a":1,"a":2}')]).toEqual([["a", "2"]]);
  expect([membersIn("[1]").size, membersIn(null).size, membersIn('{"a":1}').size]).toEqual([0, 0, 1]);
});

test("the other members are an object, or nothing", () => {
  const members = membersOf('{"a":1.50,"b":2}');
  expect(without(members, new Set(["b"]))).toBe('{"a":1.50}');
  expect(without(members, new Set(["a", "b"]))).toBeUndefined();
});
