import type { RunType } from "../../contract/run.ts";
import { isJsonObject } from "../../files/json-object.ts";
import { ExactNumber, type JsonObject, type JsonValue } from "../../files/json/value.ts";

/** The run types whose tokens count: the others repeat the tokens of the runs below them. */
export const MODEL_CALLS: ReadonlySet<RunType> = new Set(["llm", "embedding"]);

/** The tokens of a run in the format `jsonl`. */
export function runTokens(run: JsonObject): number | undefined {
  const usage = [run["outputs"], field(run["extra"], "metadata")].map((value) => field(value, "usage_metadata"));
  return usage.map(totalTokens).find((count) => count !== undefined);
}

/** The total of a usage, else input and output together. */
export function totalTokens(usage: JsonValue | undefined): number | undefined {
  const total = tokenCount(field(usage, "total_tokens"));
  if (total !== undefined) return total;
  const parts = ["input_tokens", "output_tokens"].map((name) => tokenCount(field(usage, name)));
  const known = parts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
}

/** A valid count of tokens, else undefined. */
export function tokenCount(value: JsonValue | undefined): number | undefined {
  const count = value instanceof ExactNumber ? value.value : value;
  return typeof count === "number" && Number.isFinite(count) && count >= 0 ? count : undefined;
}

function field(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}
