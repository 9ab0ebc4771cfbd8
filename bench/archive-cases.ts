import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { plainProgram } from "./plain-program.ts";
import { isInstalled, runReporting, runShell } from "./process.ts";
import type { Case, Sample } from "./rounds.ts";

/** The names of the cases, as the table and the targets say them. */
export const NAMES = {
  ours: "ours",
  warm: "ours, median of 20 calls in one process",
  gzip: "GNU tar | gzip -6",
  pigz: "GNU tar | pigz -6",
  npm: "npm tar, gzip level 6",
  python: "Python tarfile, level 9",
  floor: "floor: parallel deflate of the .tar in memory",
  hash: "reading and hashing the tree only",
  dryRun: "a dry run of a deploy",
  sha: "GNU tar | sha256sum",
} as const;

/** A tree to be packed. */
interface PackedTree {
  readonly folder: string;
  /** True for one that others take minutes to pack: they do it once. */
  readonly isHuge: boolean;
  /** True for one of so many files that npm tar, which makes objects of each, takes ten times as long: it does it once. */
  readonly isMany: boolean;
  /** True for one that is packed in no time, and so again and again in one process. */
  readonly isSmall: boolean;
}

/** The cases that this machine can run on a tree; `work` is a directory for their output. */
export async function archiveCases(
  { folder, isHuge, isMany, isSmall }: PackedTree,
  work: string,
): Promise<readonly Case[]> {
  const output = join(work, "source.tar.gz");
  const ending = (sample: Promise<Sample>) => sample.finally(() => rmSync(output, { force: true }));
  const child = plainProgram(join(import.meta.dirname, "archive-child.ts"));
  const node = (name: string, input = folder) => ending(runReporting(process.execPath, [child, name, input, output]));
  const shell = async (compressor: string) => {
    const sample = await runShell(`tar -C "$1" -cf - . | ${compressor} > "$2"`, [folder, output]);
    return await ending(Promise.resolve({ ...sample, outputBytes: statSync(output).size }));
  };
  const sha = () => runShell('tar -C "$1" -cf - . | sha256sum', [folder]);
  const python = async () => {
    const sample = await runReporting("python3", [join(import.meta.dirname, "tarfile-case.py"), folder, output]);
    return await ending(Promise.resolve({ ...sample, outputBytes: statSync(output).size }));
  };
  const finishedTar = await tarOf(folder);
  const rounds = isHuge ? 1 : undefined;
  return [
    { name: NAMES.ours, run: () => node("ours") },
    { name: NAMES.warm, run: () => node("ours-warm"), isWanted: isSmall },
    { name: NAMES.gzip, run: () => shell("gzip -6"), rounds, isWanted: isInstalled("gzip") },
    { name: NAMES.pigz, run: () => shell("pigz -6"), rounds, isWanted: isInstalled("pigz") },
    { name: NAMES.npm, run: () => node("npm-tar"), rounds: isMany ? 1 : rounds },
    { name: NAMES.python, run: python, rounds: isSmall ? rounds : 1, isWanted: isInstalled("python3") },
    { name: NAMES.floor, run: () => node("floor", finishedTar), rounds },
    { name: NAMES.hash, run: () => node("hash") },
    { name: NAMES.dryRun, run: () => node("dry-run"), isWanted: isMany },
    { name: NAMES.sha, run: sha, isWanted: isMany },
  ].filter(({ isWanted }) => isWanted !== false);
}

/** The tree as a .tar beside it, made by GNU tar or whatever `tar` is here. */
async function tarOf(tree: string): Promise<string> {
  const file = `${tree}.tar`;
  if (!existsSync(file)) await runShell(`tar -C "$1" -cf "$2.partial" . && mv "$2.partial" "$2"`, [tree, file]);
  return file;
}
