import { isJsonObject, type JsonObject, type JsonValue, numberIn } from "../files/json/value.ts";

export type Prices = Readonly<Record<string, Price>>;

/** Prices for a million tokens of one model; the unit is the caller's. */
export interface Price {
  /** For a million input tokens, in the unit of the caller. */
  readonly input: number;
  /** For a million output tokens, in the same unit. */
  readonly output: number;
  /** For a million input tokens that were read from a cache, in the same unit; as `input` when not given. */
  readonly cached?: number;
}

/** Counts of tokens; undefined where nobody told. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
}

const TOKENS_OF_PRICE = 1_000_000;

/** The tokens of all models together; undefined where they are unknown. */
export function tokensIn(usage: JsonValue | undefined): Tokens | undefined {
  if (!isJsonObject(usage)) return undefined;
  const models = Object.values(usage);
  const sumOf = (kind: string) => models.reduce((sum: number, model) => sum + countIn(model, kind), 0);
  return { input: sumOf("input"), output: sumOf("output") };
}

/** What tokens cost, by model; undefined where they are unknown, or a model has no price. */
export function costOf(usage: JsonObject | undefined, prices: Prices): number | undefined {
  if (!usage) return undefined;
  let cost = 0;
  for (const [name, model] of Object.entries(usage)) {
    const price = Object.hasOwn(prices, name) ? prices[name] : undefined;
    if (!price) return undefined;
    const { input, output, cached = input } = price;
    const read = countIn(model, "cache_read");
    cost += (countIn(model, "input") - read) * input + read * cached + countIn(model, "output") * output;
  }
  return cost / TOKENS_OF_PRICE;
}

function countIn(model: JsonValue, kind: string): number {
  return isJsonObject(model) ? (numberIn(model[kind]) ?? 0) : 0;
}
