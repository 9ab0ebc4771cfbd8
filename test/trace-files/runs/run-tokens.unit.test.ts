import { expect, test } from "vitest";
import { ExactNumber, NOT_A_NUMBER, type JsonValue } from "../../../src/files/json/value.ts";
import { runTokens, tokenCount, totalTokens } from "../../../src/trace-files/runs/run-tokens.ts";

test.each<[JsonValue | undefined, number | undefined]>([
  [0, 0],
  [7, 7],
  [new ExactNumber("1.50e3"), 1_500],
  [new ExactNumber("1e400"), undefined],
  [-1, undefined],
  ["7", undefined],
  [NOT_A_NUMBER, undefined],
  [undefined, undefined],
])("%j counts as %j tokens", (value, count) => {
  expect(tokenCount(value)).toBe(count);
});

test("the total wins over its parts, and a part stands for both where the other is missing", () => {
  expect(totalTokens({ total_tokens: 9, input_tokens: 1, output_tokens: 2 })).toBe(9);
  expect(totalTokens({ total_tokens: null, input_tokens: 1, output_tokens: 2 })).toBe(3);
  expect(totalTokens({ output_tokens: 2 })).toBe(2);
  expect([totalTokens({}), totalTokens("9"), totalTokens(undefined)]).toEqual([undefined, undefined, undefined]);
});

test("the usage in the outputs wins over that in the metadata", () => {
  const usage = (total_tokens: number) => ({ usage_metadata: { total_tokens } });
  expect(runTokens({ outputs: usage(1), extra: { metadata: usage(2) } })).toBe(1);
  expect(runTokens({ outputs: {}, extra: { metadata: usage(2) } })).toBe(2);
  expect(runTokens({ extra: usage(2) })).toBeUndefined();
});
