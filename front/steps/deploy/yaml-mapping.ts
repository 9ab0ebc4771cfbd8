import { jsonOrUndefined } from "../../../src/text/json-text.ts";
import * as z from "zod";
import { isJsonObject, writeJsonValue } from "../../../src/files/json/value.ts";
import { readYaml } from "../../../src/files/yaml.ts";
import type { InputReader } from "../../options/input-reader.ts";
import { readYamlInput } from "../../options/yaml-input.ts";
import type { DeployInputName } from "./options.ts";

const JsonMapping = z.record(z.string(), z.json());

type JsonMapping = z.infer<typeof JsonMapping>;

/** An input that is a YAML mapping; undefined when it is empty or invalid. `example` is a line as a user could write it. */
export async function readMapping(
  reader: InputReader<DeployInputName>,
  input: DeployInputName,
  example: string,
): Promise<JsonMapping | undefined> {
  return await readYamlInput(reader, input, async (text) => {
    // YAML forbids the tabs that some tools use to indent their JSON.
    const json = jsonOrUndefined(text);
    if (isMapping(json)) return { ok: true, value: json };
    const read = await readYaml(text);
    if (!read.ok) return { ok: false, faults: read.faults.slice(0, 1) };
    const plain = isJsonObject(read.value) ? jsonOrUndefined(writeJsonValue(read.value)) : undefined;
    if (isMapping(plain)) return { ok: true, value: plain };
    return { ok: false, faults: [`must be a YAML mapping, for example ${example}`] };
  });
}

// zod's own result lacks a key `__proto__`, so it only checks.
function isMapping(value: unknown): value is JsonMapping {
  return JsonMapping.safeParse(value).success;
}
