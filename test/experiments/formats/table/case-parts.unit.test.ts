import { expect, test } from "vitest";
import { caseReader } from "../../../../src/experiments/formats/table/case-parts.ts";
import type { JsonObject } from "../../../../src/files/json/value.ts";

test.each<[string, JsonObject, unknown]>([
  ["a field called as expected", { question: "q", expected_output: "a" }, { inputs: { question: "q" }, expected: "a" }],
  ["the input as a whole", { input: { q: 1 }, expected: { a: 1 } }, { inputs: { q: 1 }, expected: { a: 1 } }],
  ["no expected field", { question: "q", lang: "en" }, { inputs: { question: "q", lang: "en" }, expected: undefined }],
  [
    "an expected field without a value",
    { question: "q", expected: null },
    { inputs: { question: "q" }, expected: undefined },
  ],
  ["an empty case", {}, { inputs: {}, expected: undefined }],
])("%s", (_what, item, parts) => {
  expect(caseReader()(item)).toEqual(parts);
});

test("each case is split by its own names", () => {
  const read = caseReader();
  expect(read({ q: "1", expected: "a" }).expected).toBe("a");
  expect(read({ q: "1", note: "b" })).toEqual({ inputs: { q: "1", note: "b" }, expected: undefined });
  expect(read({ q: "2", expected: "c" }).expected).toBe("c");
});
