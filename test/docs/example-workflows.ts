import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectRoot } from "../../scripts/command.ts";

/** The workflows of examples/workflows, by their names. */
export async function exampleWorkflows(): Promise<readonly { readonly name: string; readonly text: string }[]> {
  const directory = join(projectRoot, "examples/workflows");
  const names: string[] = [];
  for await (const name of glob("*.yml", { cwd: directory })) names.push(name);
  return Promise.all(names.sort().map(async (name) => ({ name, text: await readFile(join(directory, name), "utf8") })));
}
