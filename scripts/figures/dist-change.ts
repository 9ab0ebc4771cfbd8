import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runNode } from "../command.ts";

/** Of the ground, of a workflow and of what reports a step. */
const SENTENCES = ["could not be reached", "is being deleted, which did not finish", "This is a bug in graph-deploy"];

/** Bundles the doors of a checkout with its own scripts: as they are, and with one more word in each sentence in turn. */
const SCRIPT = `
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
const [root, ...sentences] = process.argv.slice(2);
const { bundle, compile, withStage } = await import(join(root, "scripts/bundle.ts"));
const filesIn = async (directory) => {
  const found = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(paths.map(async (path) => [path.slice(directory.length), await readFile(path, "utf8")])));
};
await withStage(async (compiled) => {
  await compile(compiled, { declarations: false });
  const built = () => withStage(async (stage) => {
    await cp(compiled, stage, { recursive: true });
    await bundle(stage, join(stage, "dist"));
    return await filesIn(join(stage, "dist"));
  });
  const before = await built();
  for (const sentence of sentences) {
    const holders = [...(await filesIn(compiled))].filter(([path, text]) => path.endsWith(".js") && text.includes(sentence));
    if (holders.length === 0) throw new Error("no script says: " + sentence);
    const [path, text] = holders[0];
    await writeFile(join(compiled, path), text.replace(sentence, sentence + " indeed"));
    const after = await built();
    await writeFile(join(compiled, path), text);
    const names = new Set([...before.keys(), ...after.keys()]);
    console.log([...names].filter((name) => before.get(name) !== after.get(name)).length);
  }
});
`;

/** How many files of action/dist differ at most after one more word in one sentence: changed, new and gone. */
export async function distFilesOfASentence(root: string): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), "dist-change-"));
  try {
    const script = join(directory, "bundle-twice.mjs");
    await writeFile(script, SCRIPT);
    const { exitCode, output } = await runNode(script, [root, ...SENTENCES], root);
    if (exitCode !== 0) throw new Error(`${pathToFileURL(root).href} cannot be bundled:\n${output}`);
    return Math.max(...output.trim().split("\n").map(Number));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
