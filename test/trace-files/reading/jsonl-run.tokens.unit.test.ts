import { expect, test } from "vitest";
import { runTokens } from "../../../src/trace-files/reading/jsonl-run.ts";

test("the usage in the outputs wins over that in the metadata", () => {
  const usage = (total_tokens: number) => ({ usage_metadata: { total_tokens } });
  expect(runTokens({ outputs: usage(1), extra: { metadata: usage(2) } })).toBe(1);
  expect(runTokens({ outputs: {}, extra: { metadata: usage(2) } })).toBe(2);
  expect(runTokens({ extra: usage(2) })).toBeUndefined();
});

test("what a cache had counts, as LangChain writes it within the input", () => {
  const usage_metadata = { input_tokens: 5_000, output_tokens: 20, input_token_details: { cache_read: 4_900 } };
  expect(runTokens({ outputs: { usage_metadata } })).toBe(5_020);
});
