import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rowWithoutTestCase } from "../../../../src/experiments/formats/promptfoo/test-case.ts";
import { isJsonObject, saysNothing } from "../../../../src/files/json-object.ts";
import { decodeJson } from "../../../../src/files/json/parsed-value.ts";
import type { JsonObject, JsonValue } from "../../../../src/files/json/value.ts";

const key = fc.constantFrom("description", "vars", "assert", "testCase", "a", 'x"testCase', "__proto__");
const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>(null, "", "text", '"', "\\", '\\"testCase":{', "}", "é😀", 0.1, -3, true),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
  ),
})).value;

/** What is left of a value of a test case. */
function leftOf(name: string, value: JsonValue): JsonValue {
  return name === "description" ? value : saysNothing(value) ? null : 1;
}

test("a row keeps all but what its test case holds besides the description", () => {
  const members = fc.array(fc.tuple(key, json), { maxLength: 5 }).map((all) => Object.fromEntries(all));
  fc.assert(
    fc.property(members, fc.record({ before: members, after: members }), fc.nat(2), (testCase, row, space) => {
      const whole: JsonObject = { ...row.before, testCase, ...row.after, testCase2: 1 };
      const short = rowWithoutTestCase(Buffer.from(JSON.stringify(whole, undefined, space)));
      if (short === undefined) return;
      const { testCase: of } = whole;
      const left = Object.entries(isJsonObject(of) ? of : {}).map(([name, value]) => [name, leftOf(name, value)]);
      expect(short).toEqual({ ...whole, testCase: Object.fromEntries(left) });
    }),
  );
});

describe("a row of which no test case can be told is left to the parser", () => {
  test.each([
    "1",
    "{}",
    '{"testCase":null}',
    '{"testCase":[]}',
    '{"vars":{"testCase":{}}}',
    '{"vars":{"testCase":{}},"testCase":-0}',
    '{"testCase":{"testCase":{}}}',
    '{"testCase":{},"testCase":{}}',
    '{"vars":1,"vars":2,"testCase":{}}',
    '{"testCase":{"description":"a","description":"b"}}',
    '{"testCase":{"vars":1,"vars":2}}',
    String.raw`{"testCase":{"d\u0065scription":"a"}}`,
    String.raw`{"x\"testCase":{}}`,
    '{"testCase":{"vars":1}',
    '{"testCase":{"vars":',
    '{"testCase":{"vars" 1}}',
    '{"testCase":{"vars":1 "a":2}}',
    '{"testCase":{1:2}}',
    '{"testCase":{}} x',
    '{"a":tru,"testCase":{}}',
  ])("%s", (text) => {
    expect(rowWithoutTestCase(Buffer.from(text))).toBeUndefined();
  });
});

test("numbers with all of their digits, and words of Python, stay as they are beside it", () => {
  const text = '{"score":0.12345678901234567890,"cost":NaN,"testCase":{"vars":NaN,"assert":[ ],"a":Infinity}}';
  const value = decodeJson(Buffer.from(text));
  expect(rowWithoutTestCase(Buffer.from(text))).toEqual({
    ...Object(value),
    testCase: { vars: null, assert: null, a: null },
  });
});
