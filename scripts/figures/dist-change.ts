import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { runNode } from "../command.ts";

/** Of a workflow and of what reports a step. */
const SENTENCES = ["is being deleted, which did not finish", "This is a bug in graph-deploy"];

/** Bundles the doors of a checkout with its own scripts: as they are, and with one change at a time. */
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
  const scripts = [...(await filesIn(compiled))].filter(([path]) => path.endsWith(".js"));
  const afterChange = async (sentence, change) => {
    const holder = scripts.find(([, text]) => text.includes(sentence));
    if (holder === undefined) throw new Error("no script says: " + sentence);
    const [path, text] = holder;
    await writeFile(join(compiled, path), change(text));
    const after = await built();
    await writeFile(join(compiled, path), text);
    const names = new Set([...before.keys(), ...after.keys()]);
    return [...names].filter((name) => before.get(name) !== after.get(name)).length;
  };
  const counts = [];
  for (const sentence of sentences) counts.push(await afterChange(sentence, (text) => text.replace(sentence, "$& indeed")));
  await writeFile(join(compiled, "src/anew.js"), "export const anew = () => console.log(process.pid);");
  const imported = await afterChange(sentences[0], (text) => 'import { anew } from "../anew.js";' + text + "anew();");
  console.log(JSON.stringify({ sentence: Math.max(...counts), imported }));
});
`;

const Counts = z.object({ sentence: z.number(), imported: z.number() });

/**
 * How many files of action/dist differ, with new ones and those that are gone: at most, after one more word in a sentence,
 * and after one more import in a module of a workflow.
 */
export async function distFilesOfAChange(root: string): Promise<z.infer<typeof Counts>> {
  const directory = await mkdtemp(join(tmpdir(), "dist-change-"));
  try {
    const script = join(directory, "bundle.mjs");
    await writeFile(script, SCRIPT);
    const { exitCode, output } = await runNode(script, [root, ...SENTENCES], root);
    if (exitCode !== 0) throw new Error(`${root} cannot be bundled:\n${output}`);
    return Counts.parse(JSON.parse(output.slice(output.lastIndexOf("{"))));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
