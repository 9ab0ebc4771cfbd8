import { ExactNumber, isJsonObject, type JsonObject, type JsonValue } from "./json/value.ts";

/** The names of a count in the files of tools and services, the first that is there. */
const TOTAL = ["total_tokens", "totalTokens", "total_token_count", "totalTokenCount", "total", "tokens"];
/** Whose input is without what the cache had: Anthropic's, Bedrock's, Langfuse's. */
const INPUT_BESIDE_CACHE = ["input_tokens", "inputTokens", "input"];
/** Whose input includes it: OpenAI's, LiteLLM's, Gemini's, Ollama's. */
const INPUT_WITH_CACHE = [
  ...[
    "prompt_tokens",
    "promptTokens",
    "prompt_token_count",
    "promptTokenCount",
    "input_token_count",
    "inputTokenCount",
  ],
  ...["prompt", "prompt_eval_count"],
];
const OUTPUT = [
  ...["output_tokens", "completion_tokens", "outputTokens", "completionTokens", "candidates_token_count"],
  ...["candidatesTokenCount", "output_token_count", "outputTokenCount", "output", "completion"],
  "eval_count",
];
/** Gemini counts what it thought beside its answer. */
const THOUGHTS = ["thoughtsTokenCount", "thoughts_token_count"];
/**
 * What was read from a cache or written to it, beside the input: input_tokens + cache_read_input_tokens +
 * cache_creation_input_tokens is what went in (Anthropic, "Prompt caching"; Bedrock says write for creation). `cached_tokens`
 * (OpenAI, `prompt_tokens_details`), `cache_read` (LangChain, `input_token_details`), `cachedInputTokens` (AI SDK) and
 * `cachedContentTokenCount` (Gemini) are parts of the input, and are not added.
 */
const CACHED = [
  ["cache_read_input_tokens", "cacheReadInputTokens"],
  [
    ...["cache_creation_input_tokens", "cacheCreationInputTokens"],
    ...["cache_write_input_tokens", "cacheWriteInputTokens"],
  ],
];

/** The tokens that went in and came out, with those that a cache had; undefined where no count is there. */
export function tokensOf(usage: JsonValue | undefined): number | undefined {
  if (!isJsonObject(usage)) return undefined;
  const [total, output] = [first(usage, TOTAL), first(usage, OUTPUT)];
  const [beside, whole] = [first(usage, INPUT_BESIDE_CACHE), first(usage, INPUT_WITH_CACHE)];
  const cached = CACHED.map((names) => first(usage, names)).filter((count) => count !== undefined);
  const ofCache = sum(cached);
  // No part is larger than its whole: such an input is without the cache, whatever its name.
  const isBeside = whole === undefined || ofCache > whole;
  const input = isBeside && cached.length > 0 ? (beside ?? whole ?? 0) + ofCache : (whole ?? beside);
  const parts = [input, output, first(usage, THOUGHTS)].filter((count) => count !== undefined);
  if (parts.length === 0) return total ?? tokensByModel(usage);
  const plain = whole ?? beside;
  // Two that state the same: the cache is a part of an input that is as large.
  if (total !== undefined && plain !== undefined && plain >= ofCache && total === plain + (output ?? 0)) return total;
  // A total of the two alone is without the cache; any other may count more than they do, such as reasoning.
  return total === undefined ? sum(parts) : cached.length > 0 ? Math.max(total, sum(parts)) : total;
}

/** The counts of several models; undefined where one of them is not known. */
function tokensByModel(usage: JsonObject): number | undefined {
  const models = Object.values(usage).map((counts) => tokensOf(counts));
  const known = models.filter((count) => count !== undefined);
  return models.length > 0 && known.length === models.length ? sum(known) : undefined;
}

/** A count of tokens: a number that is not negative, or the digits of one. */
export function tokenCount(value: JsonValue | undefined): number | undefined {
  const count =
    value instanceof ExactNumber
      ? value.value
      : typeof value === "string" && DIGITS.test(value)
        ? Number(value)
        : value;
  return typeof count === "number" && Number.isFinite(count) && count >= 0 ? count : undefined;
}

const DIGITS = /^\s*\d{1,15}(?:\.\d+)?\s*$/;

function first(usage: JsonObject, names: readonly string[]): number | undefined {
  for (const name of names) {
    const count = Object.hasOwn(usage, name) ? tokenCount(usage[name]) : undefined;
    if (count !== undefined) return count;
  }
  return undefined;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
