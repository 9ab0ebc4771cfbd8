import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { projectRoot, runNode, toolPath } from "./command.ts";
import { filledIn, PLACEHOLDER, repositoryName, sourceFiles } from "./release/repository.ts";

// `npm run release:owner -- NAME` names the owner of the repository in package.json, and from there everywhere.
const [named = ""] = repositoryName().split("/");
const [owner = named] = process.argv.slice(2);
if (owner === PLACEHOLDER || !/^[A-Za-z\d]+(-[A-Za-z\d]+)*$/.test(owner)) {
  throw new Error("Name a user or an organization of GitHub: npm run release:owner -- NAME");
}
if (![PLACEHOLDER, owner].includes(named)) throw new Error(`package.json names the owner already: ${named}`);

const changed: string[] = [];
for (const file of sourceFiles()) {
  const text = await readFile(join(projectRoot, file), "utf8");
  const filled = filledIn(text, owner);
  if (filled === text) continue;
  await writeFile(join(projectRoot, file), filled);
  changed.push(file);
}
if (changed.length > 0) {
  // A table of a page has other widths now.
  const { exitCode, output } = await runNode(toolPath("oxfmt", "bin/oxfmt"), [
    "--no-error-on-unmatched-pattern",
    ...changed,
  ]);
  if (exitCode !== 0) throw new Error(output);
}
process.stdout.write(`${repositoryName()}: ${String(changed.length)} files name it now.\n`);
