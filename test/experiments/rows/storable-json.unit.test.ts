import fc from "fast-check";
import { expect, test } from "vitest";
import { storableJson, storableText } from "../../../src/experiments/rows/storable-json.ts";

const text = fc.string({
  unit: fc.constantFrom(
    "a",
    "\\",
    "\\\\",
    '"',
    "\0",
    "\u0001",
    "\ud800",
    "\udfff",
    "😀",
    "u0000",
    "\\u0000",
    "\\ud800",
    "\n",
  ),
});

test("NUL and halves of characters become U+FFFD in keys and values, and are counted; all else stays", () => {
  fc.assert(
    fc.property(text, text, (key, value) => {
      const { text: stored, replaced } = storableJson(JSON.stringify({ [`k${key}`]: [value] }));
      expect(JSON.parse(stored)).toEqual({ [`k${storableText(key)}`]: [storableText(value)] });
      const bad = (each: string) => each.replace(/\p{Cs}|\0/gu, "\0").split("\0").length - 1;
      expect(replaced).toBe(bad(key) + bad(value));
      expect(stored.isWellFormed()).toBe(true);
    }),
  );
});

test("keys that become one are found", () => {
  expect(storableJson(JSON.stringify({ a: { "\0": 1, "\ud800": 2 } }))).toMatchObject({ losesKeys: true });
  expect(storableJson(JSON.stringify({ a: { "\0": 1 }, b: { "\0": 2 } }))).toMatchObject({ losesKeys: false });
});
