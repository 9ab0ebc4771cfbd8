import fc from "fast-check";
import { expect, test } from "vitest";
import { tokenCount, tokensOf } from "../../src/files/token-usage.ts";
import { ExactNumber, NOT_A_NUMBER, type JsonObject, type JsonValue } from "../../src/files/json/value.ts";

test.each<[JsonValue | undefined, number | undefined]>([
  [0, 0],
  [7, 7],
  [new ExactNumber("1.50e3"), 1_500],
  [new ExactNumber("1e400"), undefined],
  [-1, undefined],
  ["7", 7],
  ["", undefined],
  [" ", undefined],
  ["0x10", undefined],
  ["seven", undefined],
  [true, undefined],
  [null, undefined],
  [NOT_A_NUMBER, undefined],
  [undefined, undefined],
])("%j counts as %j tokens", (value, count) => {
  expect(tokenCount(value)).toBe(count);
});

test.each<[string, JsonObject, number]>([
  // The usage of a message (Anthropic, "Prompt caching"): input_tokens are those that no cache had.
  [
    "Anthropic",
    { input_tokens: 1, output_tokens: 67, cache_creation_input_tokens: 287, cache_read_input_tokens: 30_433 },
    30_788,
  ],
  [
    "Anthropic with a breakdown",
    {
      ...{ input_tokens: 4, output_tokens: 6, cache_creation_input_tokens: 100, cache_read_input_tokens: 0 },
      cache_creation: { ephemeral_5m_input_tokens: 60, ephemeral_1h_input_tokens: 40 },
    },
    110,
  ],
  // TokenUsage of the Converse API (Amazon Bedrock).
  [
    "Bedrock",
    { inputTokens: 10, outputTokens: 5, totalTokens: 1_015, cacheReadInputTokens: 900, cacheWriteInputTokens: 100 },
    1_015,
  ],
  [
    "Bedrock with a total of the two",
    { inputTokens: 10, outputTokens: 5, totalTokens: 15, cacheReadInputTokens: 900, cacheWriteInputTokens: 100 },
    1_015,
  ],
  // CompletionUsage (OpenAI): cached_tokens is a part of prompt_tokens.
  [
    "OpenAI",
    {
      ...{ prompt_tokens: 2_006, completion_tokens: 300, total_tokens: 2_306 },
      prompt_tokens_details: { cached_tokens: 1_920 },
    },
    2_306,
  ],
  [
    "OpenAI responses",
    { input_tokens: 2_006, output_tokens: 300, input_tokens_details: { cached_tokens: 1_920 } },
    2_306,
  ],
  // UsageMetadata (LangChain): input_tokens is the sum of all input token types.
  ["LangChain", { input_tokens: 350, output_tokens: 240, input_token_details: { cache_read: 100 } }, 590],
  // LiteLLM repeats what Anthropic reports beside a prompt that includes it.
  [
    "LiteLLM",
    { prompt_tokens: 1_000, completion_tokens: 10, total_tokens: 1_010, cache_read_input_tokens: 900 },
    1_010,
  ],
  ["a prompt that cannot include it", { prompt_tokens: 3, completion_tokens: 10, cache_read_input_tokens: 900 }, 913],
  ["AI SDK", { inputTokens: 1_000, outputTokens: 10, totalTokens: 1_010, cachedInputTokens: 900 }, 1_010],
  // GenerateContentResponse.UsageMetadata (Gemini): thoughts are in the total alone.
  [
    "Gemini",
    {
      ...{ promptTokenCount: 100, candidatesTokenCount: 20, thoughtsTokenCount: 30, totalTokenCount: 150 },
      cachedContentTokenCount: 90,
    },
    150,
  ],
  [
    "a total of the two, whose input includes the cache",
    { input_tokens: 1_000, output_tokens: 20, total_tokens: 1_020, cache_read_input_tokens: 900 },
    1_020,
  ],
  ["Gemini without a total", { promptTokenCount: 100, candidatesTokenCount: 10, thoughtsTokenCount: 40 }, 150],
  ["Ollama", { prompt_eval_count: 26, eval_count: 298 }, 324],
  ["Langfuse", { input: 10, output: 5, total: 915, cache_read_input_tokens: 900 }, 915],
  ["promptfoo", { prompt: 10, completion: 5, total: 15, cached: 0 }, 15],
  ["cells of a table", { input_tokens: "10", output_tokens: "5", cache_read_input_tokens: "900" }, 915],
])("what was read from a cache counts %s", (_what, usage, tokens) => {
  expect(tokensOf(usage)).toBe(tokens);
});

test("the total wins over its parts, and a part stands for both where the other is missing", () => {
  expect(tokensOf({ total_tokens: 9, input_tokens: 1, output_tokens: 2 })).toBe(9);
  expect(tokensOf({ total_tokens: null, input_tokens: 1, output_tokens: 2 })).toBe(3);
  expect(tokensOf({ output_tokens: 2 })).toBe(2);
  expect([tokensOf({}), tokensOf("9"), tokensOf(undefined)]).toEqual([undefined, undefined, undefined]);
});

test("a cache never makes the count smaller, whatever else is there", () => {
  const count = fc.option(fc.nat(100_000), { nil: undefined });
  const usage = fc.record(
    { input_tokens: count, prompt_tokens: count, output_tokens: count, total_tokens: count },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(usage, fc.nat(100_000), (given, cache_read_input_tokens) => {
      const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as JsonObject;
      const withCache = tokensOf({ ...known, cache_read_input_tokens }) ?? 0;
      expect(withCache).toBeGreaterThanOrEqual(tokensOf(known) ?? 0);
      expect(withCache).toBeGreaterThanOrEqual(cache_read_input_tokens);
    }),
  );
});
