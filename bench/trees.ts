import { createCipheriv } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Random, sourceText, tableText } from "./text.ts";

/** A tree that can be made: always the same bytes. */
export interface TreeKind {
  readonly sentence: string;
  readonly make: (folder: TreeFolder) => void;
}

/** The trees by name. */
export const TREES: ReadonlyMap<string, TreeKind> = new Map([
  ["small-files", { sentence: "20,000 files, 150 MB of text", make: smallFiles }],
  ["mixed", { sentence: "20,014 files, 460 MB: text, JSONL and random bytes", make: mixed }],
  ["project", { sentence: "200 files, 1.5 MB of text", make: (folder) => texts(folder, 200, 7_500) }],
  ["tiny", { sentence: "100,000 files of about 100 bytes", make: (folder) => texts(folder, 100_000, 100) }],
  ["short", { sentence: "100,000 files of 0.2 to 2 KB", make: shortFiles }],
  ["large", { sentence: "one file of 2 GB", make: (folder) => folder.parts("data.jsonl", rows(2_000 * MB)) }],
]);

/** Where the trees are kept between runs. */
export const TREES_FOLDER = join(tmpdir(), "graph-deploy-bench");

/** The directory of a tree; created if it does not exist. */
export function treeFolder(name: string, { make }: TreeKind): string {
  const folder = join(TREES_FOLDER, `${name}-${VERSION}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  const tree = new TreeFolder(partial);
  tree.file("graph.json", JSON.stringify({ graphs: { agent: "./agent.py:graph" }, dependencies: ["."] }));
  tree.file("agent.py", "graph = None\n");
  make(tree);
  // A tree that is there is whole.
  renameSync(partial, folder);
  return folder;
}

// To be raised when a tree becomes another, so that no run measures the old one.
const VERSION = "v1";
const MB = 1_000_000;

class TreeFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  file(path: string, content: string | Buffer): void {
    writeFileSync(this.#place(path), content);
  }

  parts(path: string, parts: Iterable<Buffer>): void {
    const descriptor = openSync(this.#place(path), "w");
    for (const part of parts) writeSync(descriptor, part);
    closeSync(descriptor);
  }

  #place(path: string): string {
    const file = join(this.#folder, path);
    mkdirSync(dirname(file), { recursive: true });
    return file;
  }
}

function smallFiles(folder: TreeFolder): void {
  texts(folder, 20_000, 7_500);
}

function mixed(folder: TreeFolder): void {
  smallFiles(folder);
  for (let index = 0; index < 6; index++) folder.parts(`rows/part_${index}.jsonl`, rows(38 * MB));
  for (let index = 0; index < 8; index++) folder.file(`images/image_${index}.bin`, noise(10 * MB, index));
}

/** Files whose sizes lie around `meanBytes` as those of a repository do: many small ones, a few large ones. */
function texts(folder: TreeFolder, count: number, meanBytes: number): void {
  const random = new Random(count);
  // Deflate looks 32 KiB back, and so a piece of a text that is far longer is as good as new.
  const pool = sourceText(random, 8 * MB);
  for (let index = 0; index < count; index++) {
    const size = Math.max(20, Math.round(-Math.log(1 - random.fraction()) * meanBytes));
    const at = random.below(Math.max(1, pool.length - size));
    const path = `package_${Math.floor(index / 1000)}/area_${Math.floor(index / 25) % 40}/module_${index}.py`;
    folder.file(path, pool.subarray(at, at + size));
  }
}

/** As many files as `tiny` has, of the length of a module that does one thing: all lengths come equally often. */
function shortFiles(folder: TreeFolder): void {
  const random = new Random(1);
  const pool = sourceText(random, 8 * MB);
  for (let index = 0; index < 100_000; index++) {
    const size = 200 + random.below(1_801);
    const at = random.below(pool.length - size);
    folder.file(
      `package_${Math.floor(index / 1000)}/area_${Math.floor(index / 25) % 40}/module_${index}.py`,
      pool.subarray(at, at + size),
    );
  }
}

function* rows(bytes: number): Generator<Buffer, void, void> {
  const pool = tableText(new Random(bytes), 8 * MB);
  for (let left = bytes; left > 0; left -= pool.length) yield pool.subarray(0, left);
}

/** Bytes that nothing compresses. */
function noise(bytes: number, seed: number): Buffer {
  return createCipheriv("aes-128-ctr", Buffer.alloc(16, seed), Buffer.alloc(16)).update(Buffer.alloc(bytes));
}
