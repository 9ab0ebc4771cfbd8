import { isJsonObject } from "../../../files/json-object.ts";
import { NOT_A_NUMBER, type JsonObject, type JsonValue } from "../../../files/json/value.ts";

/**
 * The metadata of a row or a run: what the user gave, over what the tool adds. Facts that are absent, null or empty
 * are left out; metadata that is not an object stands under `metadata`. Undefined when nothing is left.
 */
export function metadataOf(
  own: JsonValue | undefined,
  facts: Readonly<Record<string, JsonValue | undefined>>,
): JsonObject | undefined {
  const said = Object.entries(facts).filter((fact): fact is [string, JsonValue] => !isEmpty(fact[1]));
  const given = own === undefined || own === null ? {} : isJsonObject(own) ? own : { metadata: own };
  const metadata = { ...Object.fromEntries(said), ...given };
  return Object.keys(metadata).length === 0 ? undefined : metadata;
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === "" || value === NOT_A_NUMBER) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
