import type { JsonObject } from "../../files/json/value.ts";
import { tokenCount } from "../runs/run-tokens.ts";
import type { SpanAttributes } from "./attributes.ts";

/** Where conventions have the tokens of a call, the newest name first. */
const COUNTS = {
  input_tokens: [
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.token_count.prompt",
    "llm.usage.prompt_tokens",
  ],
  output_tokens: [
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.token_count.completion",
    "llm.usage.completion_tokens",
  ],
  total_tokens: ["gen_ai.usage.total_tokens", "llm.token_count.total", "llm.usage.total_tokens"],
} as const;

/** The tokens of a call of a model: input, output and both; undefined where no attribute tells. */
export function spanUsage(attributes: SpanAttributes): JsonObject | undefined {
  const count = (names: readonly string[]) =>
    names.map((name) => tokenCount(attributes.get(name))).find((tokens) => tokens !== undefined);
  const [input, output] = [count(COUNTS.input_tokens), count(COUNTS.output_tokens)];
  const total = count(COUNTS.total_tokens) ?? (input ?? 0) + (output ?? 0);
  if (input === undefined && output === undefined && total === 0) return undefined;
  return {
    ...(input === undefined ? {} : { input_tokens: input }),
    ...(output === undefined ? {} : { output_tokens: output }),
    total_tokens: total,
  };
}
