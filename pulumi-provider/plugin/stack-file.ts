import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

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
  const lines = texts.flatMap((text) => (text ?? "").split("\n"));
  return keys.filter((key) =>
    lines.some((line) => {
      // An encrypted value is an object: it begins on the next line, or with a brace. The lines are enough for what Pulumi writes
      // itself, and the plugin does without a parser of YAML, for which the package has no room.
      const [, name, value = ""] = /^\s+["']?([\w:-]+)["']?:\s+([^\s{#].*)$/.exec(line.trimEnd()) ?? [];
      return name === key && !/^(?:""|''|~|null)$/.test(value);
    }),
  );
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
