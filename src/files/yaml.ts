import { isJsonObject } from "./json-object.ts";
import type { JsonObject } from "./json/value.ts";
import type { YamlOptions, YamlReading } from "./yaml-document.ts";

/**
 * Reads one document of YAML 1.2's core schema, or of JSON, which is YAML too. Numbers keep all of their digits, dates
 * are texts, and `<<` and `__proto__` are ordinary keys. An empty text is null. Refuses tags of other schemas, keys
 * that are not text, repeated keys, and values that JSON cannot represent.
 */
export async function readYaml(text: string, options: YamlOptions = {}): Promise<YamlReading> {
  // Most steps and most result files have no YAML, and do without its parser.
  const { readYamlDocument } = await import("./yaml-document.ts");
  return readYamlDocument(text, options);
}

/** Reads a YAML text that stands for an object; an empty text is an empty object. `example` is a line of one. */
export async function readYamlObject(text: string, example: string): Promise<YamlReading<JsonObject>> {
  const read = await readYaml(text);
  if (!read.ok) return read;
  if (read.value === null) return { ok: true, value: {} };
  if (isJsonObject(read.value)) return { ok: true, value: read.value };
  return { ok: false, faults: [`must be a YAML mapping, for example \`${example}\``] };
}
