import fc from "fast-check";
import { expect, test } from "vitest";
import { readPythonLiteral } from "../../../../src/experiments/formats/shared/python-literal.ts";
import { ExactNumber, NOT_A_NUMBER, type JsonValue } from "../../../../src/files/json/value.ts";

test.each<[string, JsonValue | undefined]>([
  ["[1, 'a', None, True]", [1, "a", null, true]],
  ["(1,)", [1]],
  ["{'a': {'b': [-1.5e3]}}", { a: { b: [-1500] } }],
  ["[0.1 0.2\n 0.3]", [0.1, 0.2, 0.3]],
  ["'it\\'s \\x41 \\u00e9 \\U0001f642'", "it's A é 🙂"],
  ['"it\'s"', "it's"],
  ["[nan, inf, -inf]", [NOT_A_NUMBER, NOT_A_NUMBER, NOT_A_NUMBER]],
  ["12345678901234567890", new ExactNumber("12345678901234567890")],
  ["[1, 2] x", undefined],
  ["[1, 2", undefined],
  ["{'a'}", undefined],
  ["array([1])", undefined],
  ["true", undefined],
  ["012", undefined],
  ["", undefined],
])("%s", (text, value) => {
  expect(readPythonLiteral(text)).toEqual(value);
});

test("what Python writes of a value is that value", () => {
  const value = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, false),
      fc.integer(),
      fc.string({ unit: fc.constantFrom("a", "é", "'", '"', "\\", "\n", " ", ",", "]") }),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.string({ unit: fc.constantFrom("a", "b", "'") }), tie("value"), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    ),
  })).value;
  fc.assert(
    fc.property(value, (each) => {
      expect(readPythonLiteral(repr(each))).toEqual(each);
    }),
  );
});

test("a text that is nested too deep is a text", () => {
  expect(readPythonLiteral("[".repeat(100_000))).toBeUndefined();
  expect(readPythonLiteral(`${"[".repeat(200)}${"]".repeat(200)}`)).toBeUndefined();
});

/** As `repr` of Python writes it. */
function repr(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") {
    const text = value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
    return text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replaceAll("'", "\\'")}'`;
  }
  if (Array.isArray(value)) return `[${value.map(repr).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${repr(key)}: ${repr(item)}`)
    .join(", ")}}`;
}
