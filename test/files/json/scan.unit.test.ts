import fc from "fast-check";
import { expect, test } from "vitest";
import { FAULT } from "../../../src/files/json/faults.ts";
import { findJsonFault, JsonScan } from "../../../src/files/json/scan.ts";

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test("finds a fault in what JSON.parse refuses, and in nothing else", () => {
  const piece = fc.constantFrom("{", "}", "[", "]", ",", ":", '"', '"a"', "\\", "1", "-", ".", "e", "null", " ", "\n");
  const broken = fc.tuple(fc.json(), fc.nat(), piece).map(([text, at, more]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + more + text.slice(place);
  });
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string({ unit: piece }), broken), (text) => {
      expect(findJsonFault(Buffer.from(text)) === undefined, text).toBe(isJson(text));
    }),
  );
});

test.each([
  ["", 0, FAULT.noValue],
  ['{"a":1', 6, FAULT.cutOff],
  ['{"a":1]', 6, FAULT.otherBracket],
  ["[1 2]", 3, FAULT.noComma],
  ["[1,]", 3, FAULT.extraComma],
  ["{a:1}", 1, FAULT.noKey],
  ['{"a" 1}', 5, FAULT.noColon],
  ["[01]", 1, FAULT.badNumber],
  ["[True]", 1, FAULT.badWord],
  ["['a']", 1, FAULT.singleQuotes],
  ['["a', 1, FAULT.openString],
  ['["\\x"]', 1, FAULT.badEscape],
  ['["a\tb"]', 3, FAULT.badString],
  ["1 2", 2, FAULT.more],
])("%j breaks at byte %d", (text, at, fault) => {
  expect(findJsonFault(Buffer.from(text))).toMatchObject({ at, fault });
});

test("brackets that are nested too deep break at the first one too many", () => {
  expect(findJsonFault(Buffer.from("[".repeat(2_000)))).toMatchObject({ at: 1_000, fault: FAULT.tooDeep });
});

test("the words of Python for numbers that are none are taken, and half of a character where it counts is not", () => {
  expect(findJsonFault(Buffer.from("[NaN, Infinity, -Infinity]"))).toBeUndefined();
  const half = Buffer.from('["\\ud800"]');
  expect(findJsonFault(half)).toBeUndefined();
  expect(findJsonFault(half, true)).toMatchObject({ fault: FAULT.loneSurrogate });
});

test("a text without its end shows what stands in it, and that it was cut", () => {
  const seen: string[] = [];
  const visitor = { opens: () => seen.push("("), closes: () => seen.push(")"), key: (key: string) => seen.push(key) };
  const scan = new JsonScan(Buffer.from('{"a":[{"b":1},'), visitor);
  expect(() => {
    scan.value();
  }).toThrow();
  expect(scan.isCut).toBe(true);
  expect(seen.join(" ")).toBe("( a ( ( b )");
});
