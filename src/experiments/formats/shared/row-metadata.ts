import { isJsonObject, type JsonObject, type JsonValue, saysNothing } from "../../../files/json/value.ts";

/** Facts about a row or a run, without those that are absent, null or empty; undefined when nothing is left. */
export function factsOf(facts: Readonly<Record<string, JsonValue | undefined>>): JsonObject | undefined {
  const said: Record<string, JsonValue> = {};
  let isAny = false;
  for (const name of Object.keys(facts)) {
    const fact = facts[name];
    if (fact === undefined || saysNothing(fact)) continue;
    said[name] = fact;
    isAny = true;
  }
  return isAny ? said : undefined;
}

/**
 * The metadata of a row or a run: what the user gave, over what the tool adds; what is not an object stands under
 * `metadata`. Undefined when nothing is left.
 */
export function metadataOf(own: JsonValue | undefined, facts: Parameters<typeof factsOf>[0]): JsonObject | undefined {
  const said = factsOf(facts);
  if (own === undefined || own === null) return said;
  const metadata = { ...said, ...(isJsonObject(own) ? own : { metadata: own }) };
  return Object.keys(metadata).length === 0 ? undefined : metadata;
}
