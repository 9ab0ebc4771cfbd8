import fc from "fast-check";
import { expect, test } from "vitest";
import { valueEnd } from "../../../src/files/json/value-end.ts";

test("a value ends where its text does, whatever stands before and behind it", () => {
  const space = fc.string({ unit: fc.constantFrom(" ", "\n", "\t"), maxLength: 3 });
  const behind = fc.constantFrom(",", "}", "]", " ", ',"a":1', "");
  fc.assert(
    fc.property(fc.json(), fc.nat(2), space, behind, (json, indent, before, rest) => {
      const text = JSON.stringify(JSON.parse(json), undefined, indent);
      const bytes = Buffer.from(`${before}${text}${rest}`);
      expect(valueEnd(bytes, before.length)).toBe(before.length + Buffer.byteLength(text));
    }),
  );
});

test.each(["", " 1", "{", "[[]", '"a', '"a\\"', "}", ",", '{"a":"}'])("%j has no end", (text) => {
  expect(valueEnd(Buffer.from(text), 0)).toBe(-1);
});
