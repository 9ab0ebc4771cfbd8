import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isJsonObject } from "../../src/files/json-object.ts";
import type { JsonValue } from "../../src/files/json/value.ts";
import { readYaml } from "../../src/files/yaml.ts";

/**
 * Those of the settings that the files of a stack hold in plain text. An engine hands a provider its settings without the
 * marks of secrets, so that only the files tell. Nothing is said of files that are not where Pulumi puts them.
 */
export async function plainInFiles(
  keys: readonly string[],
  urn: string,
  programDirectory: string,
): Promise<readonly string[]> {
  const [, stack] = /^urn:pulumi:([\w.-]+)::/.exec(urn) ?? [];
  if (stack === undefined) return [];
  const directory = await projectDirectory(programDirectory);
  if (directory === undefined) return [];
  const texts = await Promise.all(["Pulumi", `Pulumi.${stack}`].map((file) => yamlIn(directory, file)));
  const named = texts.filter((text) => text !== undefined && keys.some((key) => text.includes(key)));
  const read = await Promise.all(named.map((text = "") => readYaml(text)));
  const configs = read.map((file) => (file.ok && isJsonObject(file.value) ? file.value["config"] : undefined));
  return keys.filter((key) => configs.some((config) => isJsonObject(config) && isPlain(config[key])));
}

/** The program may lie below its project. */
async function projectDirectory(directory: string): Promise<string | undefined> {
  if ((await yamlIn(directory, "Pulumi")) !== undefined) return directory;
  const above = dirname(directory);
  return above === directory ? undefined : await projectDirectory(above);
}

async function yamlIn(directory: string, file: string): Promise<string | undefined> {
  const read = (ending: string) => readFile(join(directory, `${file}.${ending}`), "utf8").catch(() => undefined);
  return (await read("yaml")) ?? (await read("yml"));
}

/** An encrypted value is an object, and an empty one is none. */
function isPlain(value: JsonValue | undefined): boolean {
  return value != null && value !== "" && !isJsonObject(value);
}
