import { expect, test } from "vitest";
import { setFields } from "../../src/contract/set-fields.ts";

test("a field that is undefined is left out, and null is there", () => {
  expect(Object.entries(setFields({ a: undefined, b: null, c: 0 }))).toEqual([
    ["b", null],
    ["c", 0],
  ]);
});
