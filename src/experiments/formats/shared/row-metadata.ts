import { isJsonObject, saysNothing } from "../../../files/json-object.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";

/**
 * The metadata of a row or a run: what the user gave, over what the tool adds. Facts that are absent, null or empty
 * are left out; metadata that is not an object stands under `metadata`. Undefined when nothing is left.
 */
export function metadataOf(
  own: JsonValue | undefined,
  facts: Readonly<Record<string, JsonValue | undefined>>,
): JsonObject | undefined {
  const said: Record<string, JsonValue> = {};
  for (const name of Object.keys(facts)) {
    const fact = facts[name];
    if (fact !== undefined && !saysNothing(fact)) said[name] = fact;
  }
  const given = own === undefined || own === null ? undefined : isJsonObject(own) ? own : { metadata: own };
  const metadata = given ? { ...said, ...given } : said;
  return Object.keys(metadata).length === 0 ? undefined : metadata;
}
