import { isJsonObject } from "../../../files/json-object.ts";
import { ExactNumber, type JsonObject, type JsonValue } from "../../../files/json/value.ts";
import type { SourceRow } from "../../rows/source-row.ts";

/** Tokens of all models of a sample, by the names of inspect_ai, and what they cost. */
export function usageOf(byModel: JsonObject): Pick<SourceRow, "cost" | "usage"> {
  const sums = new Map<string, number>();
  for (const usage of Object.values(byModel)) {
    for (const [name, value] of Object.entries(isJsonObject(usage) ? usage : {})) {
      const count = numberOf(value);
      if (count !== undefined) sums.set(name, (sums.get(name) ?? 0) + count);
    }
  }
  const { [COST]: cost, ...counts } = Object.fromEntries(sums);
  return { usage: Object.keys(counts).length === 0 ? undefined : counts, cost };
}

const COST = "total_cost";

function numberOf(value: JsonValue): number | undefined {
  const number = value instanceof ExactNumber ? value.value : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
