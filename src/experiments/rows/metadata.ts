import { isJsonObject } from "../../files/json-object.ts";
import type { JsonObject } from "../../files/json/value.ts";
import { readYaml } from "../../files/yaml.ts";

/** Metadata that was read, or all that is wrong with its text: clauses that can stand behind `metadata: `. */
export type MetadataReading =
  { readonly ok: true; readonly value: JsonObject } | { readonly ok: false; readonly faults: readonly string[] };

/** Reads metadata from YAML, or from JSON, which is YAML too; an empty text is an empty object. */
export function parseMetadata(text: string): MetadataReading {
  const read = readYaml(text);
  if (!read.ok) return read;
  if (read.value === null) return { ok: true, value: {} };
  if (isJsonObject(read.value)) return { ok: true, value: read.value };
  return { ok: false, faults: ["must be lines such as `model: small`"] };
}
