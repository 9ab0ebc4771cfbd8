import { setFields } from "../../contract/set-fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../files/json/value.ts";
import { tokensOf } from "../../files/token-usage.ts";

/** The totals of a run that a service exported, beside its other fields. */
const TOTALS = ["prompt_tokens", "completion_tokens", "total_tokens"];

/** The tokens that a run in the format `jsonl` has of its own; undefined where it has no number. */
export function runTokens(run: JsonObject): number | undefined {
  const usage = [run["outputs"], field(run["extra"], "metadata")].map((value) => field(value, "usage_metadata"));
  const totals = setFields(Object.fromEntries(TOTALS.map((name) => [name, run[name]])));
  const counts = [...usage, totals].map(tokensOf).filter((count) => count !== undefined);
  // An export states 0 for a number that it does not know.
  return counts.find((count) => count > 0) ?? counts[0];
}

function field(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}
