import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { outlineJson } from "../../../src/files/json/outline.ts";
import { file, messageOf } from "./reading.ts";

const outline = (content: string, path: readonly string[] = [], blockBytes = 5) =>
  outlineJson(file(content, blockBytes), path);

describe("the outline of a document", () => {
  test("gives each member its first bytes", () => {
    const document = {
      ...{ model: "m", n: 1.5, none: null },
      results: [{ input: "a", score: 1 }, 3],
      numbers: [1, {}],
      nested: { a: [1], b: "text" },
      empty: {},
      nothing: [],
    };
    const found = outline(JSON.stringify(document, undefined, 2));
    const none = { keys: [], hasText: false, first: undefined, value: undefined };
    expect(found?.members).toEqual([
      { ...none, key: "model", kind: "plain", value: "m" },
      { ...none, key: "n", kind: "plain", value: 1.5 },
      { ...none, key: "none", kind: "plain", value: null },
      { ...none, key: "results", kind: "list", first: "object", keys: ["input", "score"], hasText: true },
      { ...none, key: "numbers", kind: "list", first: "plain" },
      { ...none, key: "nested", kind: "object", first: "list", keys: ["a", "b"], hasText: true },
      { ...none, key: "empty", kind: "object" },
      { ...none, key: "nothing", kind: "list" },
    ]);
    expect(found?.kinds).toEqual(new Set(["plain", "list", "object"]));
  });

  test("can be of an object below, and is none of what is no object", () => {
    expect(outline('{"a":{"b":{"c":1}},"d":2}', ["a", "b"])?.members).toMatchObject([{ key: "c", value: 1 }]);
    expect(outline('{"a":[1]}', ["a"])).toBeUndefined();
    expect(outline("[1]")).toBeUndefined();
    expect(outline('{"a":1}', ["b"])).toBeUndefined();
  });

  test("keeps 1,000 members, 100 keys of each and values of 1,000 bytes, and sees the kinds of all", () => {
    const wide = Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`k${at}`, at < 1_400 ? { a: 1 } : 1]));
    const found = outline(JSON.stringify(wide), [], 4096);
    expect(found?.members).toHaveLength(1_000);
    expect(found?.kinds).toEqual(new Set(["object", "plain"]));
    const below = outline(JSON.stringify({ wide, long: "x".repeat(1_000), short: "x".repeat(998) }), [], 4096);
    expect(below?.members.map(({ keys }) => keys.length)).toEqual([100, 0, 0]);
    expect(below?.members.map(({ value }) => value !== undefined)).toEqual([false, false, true]);
  });

  test.each([
    ['{"a":1', /in the middle/],
    ['{"a":[1,2}', /missing comma/],
    ['{"a":[1,[2}]}', /closing bracket/],
    ['{"a":1} x', /unexpected content/],
    ['{"a":1,"a":2}', /duplicate key/],
    ['{"a":oops}', /unquoted word/],
    ['{"a" 1}', /colon/],
    ["{1}", /key/],
  ])("is refused for %j", (content, fault) => {
    expect(messageOf(() => outline(content))).toMatch(fault);
  });

  test("has the keys of any object, whatever its values are", () => {
    const document = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 });
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 40 }), (value, blockBytes) => {
        const text = JSON.stringify(value);
        expect(outline(text, [], blockBytes)?.members.map(({ key }) => key)).toEqual(
          Object.keys(JSON.parse(text) as object),
        );
      }),
    );
  });
});
