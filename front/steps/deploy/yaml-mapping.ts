import { jsonOrUndefined } from "../../../src/text/json-text.ts";
import * as z from "zod";
import { isJsonObject } from "../../../src/files/json-object.ts";
import { writeJsonValue } from "../../../src/files/json/value.ts";
import { readYaml } from "../../../src/files/yaml.ts";
import type { InputReader } from "../../options/input-reader.ts";
import type { DeployInputName } from "./options.ts";

const JsonMapping = z.record(z.string(), z.json());

export type JsonMapping = z.infer<typeof JsonMapping>;

/** An input that is a YAML mapping; undefined when it is empty or invalid. `example` is a line as a user could write it. */
export async function readMapping(
  reader: InputReader<DeployInputName>,
  input: DeployInputName,
  example: string,
): Promise<JsonMapping | undefined> {
  const text = reader.text(input);
  if (text === "") return undefined;
  // YAML forbids the tabs that some tools use to indent their JSON.
  const json = jsonOrUndefined(text);
  if (isMapping(json)) return json;
  const read = await readYaml(text);
  if (!read.ok) {
    reader.fault(input, read.faults[0] ?? "is not valid YAML");
    return undefined;
  }
  const plain = isJsonObject(read.value) ? jsonOrUndefined(writeJsonValue(read.value)) : undefined;
  if (isMapping(plain)) return plain;
  reader.fault(input, `must be a YAML mapping, for example ${example}`);
  return undefined;
}

// zod's own result lacks a key `__proto__`, so it only checks.
function isMapping(value: unknown): value is JsonMapping {
  return JsonMapping.safeParse(value).success;
}
