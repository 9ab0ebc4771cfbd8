import { isJsonObject } from "../files/json-object.ts";
import { numberIn, type JsonObject, type JsonValue } from "../files/json/value.ts";
import type { Prices, Tokens } from "./evaluation.ts";

const TOKENS_OF_PRICE = 1_000_000;

/** The tokens of all models together. */
export function tokensIn(usage: JsonObject): Tokens {
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
