import fc from "fast-check";
import { expect, test } from "vitest";
import { readPythonLiteral } from "../../../../src/experiments/formats/shared/python-literal.ts";
import { ExactNumber, NOT_A_NUMBER, writeJsonValue, type JsonValue } from "../../../../src/files/json/value.ts";

test.each<[string, JsonValue]>([
  ["[]", []],
  ["(1,)", [1]],
  ["['a', \"it's\", 'a\"b\\'']", ["a", "it's", "a\"b'"]],
  ["['a\\nb\\t\\\\n', '\\x00\\xe9\\u65e5\\U0001f600']", ["a\nb\t\\n", "\u0000é日😀"]],
  ["[True, False, None, -1.5, 1e-07, 1.]", [true, false, null, -1.5, 1e-7, 1]],
  ["[nan, inf, -inf]", [NOT_A_NUMBER, NOT_A_NUMBER, NOT_A_NUMBER]],
  ["{'a': {'b': [-1.5e3]}, 'c': ()}", { a: { b: [-1500] }, c: [] }],
  ["['a' 'b'\n 'c']", ["a", "b", "c"]],
  ["[0.1 0.2\n 0.3]", [0.1, 0.2, 0.3]],
  [" [ 'a' , 'b' ] ", ["a", "b"]],
  ["12345678901234567890", new ExactNumber("12345678901234567890")],
])("%j is read", (text, value) => {
  expect(readPythonLiteral(text)).toEqual(value);
});

test.each([
  ...["", "true", "012", "array([1])", "[1, 2] x", "[1, 2", "['a'", "['a]", "[,]", "['a',, 'b']", "[a]"],
  ...["[HumanMessage(content='a')]", "{'a'}", "{1: 2}", "{'a': 1 'b': 2}", "['a' ... 'b']", "[1.2.3]"],
  ...["['\\q']", "['\\x4']", "['\\ud800']", "['\\U00110000']"],
  ...["[".repeat(100_000), "[".repeat(200) + "]".repeat(200)],
])("%j is none, and stays a text", (text) => {
  expect(readPythonLiteral(text)).toBeUndefined();
});

test("the digits of a large number stay, and a key __proto__", () => {
  const value = readPythonLiteral("[9007199254740993, {'__proto__': 1}]");
  expect(writeJsonValue(value ?? null)).toBe('[9007199254740993,{"__proto__":1}]');
});

test("what Python writes of a value is that value", () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom("'", '"', "\\", "\n", "\t", "\r", "\0", "é", "日", "😀"), fc.string()),
  });
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      text,
      fc.constantFrom(true, false, null),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie("value"), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(value, (written) => {
      expect(readPythonLiteral(repr(written))).toEqual(written);
    }),
  );
});

test("any text is read to its end", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."[](){}'\"\\,: 1.e-ax".split("")), maxLength: 40 }), (text) => {
      const value = readPythonLiteral(text);
      if (value !== undefined) expect(() => writeJsonValue(value)).not.toThrow();
    }),
  );
});

/** As Python's repr writes a value. */
function repr(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value).replace("e+", "e");
  if (Array.isArray(value)) return `[${value.map(repr).join(", ")}]`;
  if (typeof value === "object") {
    const members = Object.entries(value).map(([key, item]) => `${repr(key)}: ${repr(item)}`);
    return `{${members.join(", ")}}`;
  }
  if (typeof value !== "string") throw new Error("repr knows no such value");
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  const inner = value
    .replaceAll("\\", "\\\\")
    .replaceAll(quote, `\\${quote}`)
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t")
    // eslint-disable-next-line no-control-regex -- these are what is written so
    .replace(/[\0-\x1f\x7f]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return `${quote}${inner}${quote}`;
}
