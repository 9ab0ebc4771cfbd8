import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonObjectMembers, jsonTexts } from "../../../src/files/json/array-split.ts";
import { file, messageOf, parseText } from "./reading.ts";

const value = fc.jsonValue({ maxDepth: 3 });
const block = fc.integer({ min: 1, max: 40 });
const spaces = fc.constantFrom(undefined, 1, 2);

test("the members of an object come one by one, whatever the blocks are", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value), block, spaces, (object, blockBytes, space) => {
      const source = file(JSON.stringify({ before: [object], "a.b": object, behind: 1 }, undefined, space), blockBytes);
      const members = Array.from(jsonObjectMembers(source, ["a.b"]), ({ key, bytes }) => [key, parseText(bytes)]);
      expect(Object.fromEntries(members)).toEqual(JSON.parse(JSON.stringify(object)));
      expect(members).toHaveLength(Object.keys(object).length);
    }),
  );
});

test("texts one behind the other come one by one, with the lines in which they begin", () => {
  fc.assert(
    fc.property(fc.array(value), block, spaces, (values, blockBytes, space) => {
      const texts = values.map((each) => JSON.stringify(each, undefined, space));
      const found = Array.from(jsonTexts(file(texts.join("\n"), blockBytes)), ({ bytes, line }) => ({
        text: bytes.toString(),
        line,
      }));
      let line = 1;
      const wanted = texts.map((text) => {
        const at = line;
        line += text.split("\n").length;
        return { text, line: at };
      });
      expect(found).toEqual(wanted);
    }),
  );
});

test("what is no object has no members, and a text that is cut is a fault", () => {
  expect([...jsonObjectMembers(file("[1]"), [])]).toEqual([]);
  expect([...jsonObjectMembers(file('{"a":1}'), ["b"])]).toEqual([]);
  expect(messageOf(() => [...jsonObjectMembers(file('{"a":1,"b'), [])])).toMatch(/unterminated string/);
  expect(messageOf(() => [...jsonTexts(file('{"a":1}\n{"b":'))])).toMatch(/unclosed bracket/);
});
