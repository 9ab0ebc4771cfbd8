import type { RunType } from "../../contract/run.ts";
import { isJsonObject } from "../../files/json-object.ts";
import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import { tokensOf } from "../../files/token-usage.ts";

/** The run types whose tokens count: the others repeat the tokens of the runs below them. */
export const MODEL_CALLS: ReadonlySet<RunType> = new Set(["llm", "embedding"]);

/** The tokens of a run in the format `jsonl`. */
export function runTokens(run: JsonObject): number | undefined {
  const usage = [run["outputs"], field(run["extra"], "metadata")].map((value) => field(value, "usage_metadata"));
  return usage.map(tokensOf).find((count) => count !== undefined);
}

function field(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}
