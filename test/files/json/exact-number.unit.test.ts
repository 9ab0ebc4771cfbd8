import fc from "fast-check";
import { expect, test } from "vitest";
import { holdsInexactNumber, isExact } from "../../../src/files/json/exact-number.ts";

test.each(["0", "-0", "0e999", "1.50", "15e-1", "1E+2", "0.1", "5e-324"])("%s is held by a double", (text) => {
  expect(isExact(text)).toBe(true);
});

test.each(["9007199254740993", "1e309", "1e-400", "0.12345678901234567890"])("%s is not held by a double", (text) => {
  expect(isExact(text)).toBe(false);
  expect(holdsInexactNumber(Buffer.from(`{"a":[${text}]}`))).toBe(true);
  expect(holdsInexactNumber(Buffer.from(`"a${text}b"`))).toBe(false);
});

test("what a double prints it holds, wherever it stands in a text", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })), (numbers) => {
      for (const number of numbers) expect(isExact(JSON.stringify(number))).toBe(true);
      expect(holdsInexactNumber(Buffer.from(JSON.stringify({ numbers })))).toBe(false);
    }),
  );
});

test("one digit too many is found wherever it stands in a text", () => {
  fc.assert(
    fc.property(fc.nat(40), fc.nat(40), (before, behind) => {
      const text = `[${"1,".repeat(before)}9007199254740993${",2".repeat(behind)}]`;
      expect(holdsInexactNumber(Buffer.from(text))).toBe(true);
    }),
  );
});
