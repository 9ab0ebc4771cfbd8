import { glob, realpath, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { isInside } from "../source/project.ts";

/** A file that was found. */
export interface FoundFile {
  /** Absolute, without links. */
  readonly path: string;
  /** From the workspace, with forward slashes. */
  readonly name: string;
}

/** What the patterns lead to. */
export interface FoundFiles {
  /** Each once, in the order of the patterns, and by name within one. */
  readonly files: readonly FoundFile[];
  /** What is wrong with a pattern, as the end of a sentence that begins with it. */
  readonly faults: readonly string[];
}

/** The files that paths and globs lead to, all in the workspace; every pattern must lead to one. */
export async function findFiles(patterns: readonly string[], workspace: string): Promise<FoundFiles> {
  const root = await realpath(workspace);
  const files = new Map<string, FoundFile>();
  const faults: string[] = [];
  for (const pattern of patterns) {
    const { found, outside } = await matchesOf(pattern, root);
    for (const file of found) if (!files.has(file.path)) files.set(file.path, file);
    if (outside > 0) faults.push(`${pattern} leads out of the workspace`);
    else if (found.length === 0) faults.push(`${pattern} ${await whyNone(pattern, root)}`);
  }
  return { files: [...files.values()], faults };
}

async function whyNone(pattern: string, root: string): Promise<string> {
  const facts = await stat(resolve(root, pattern)).catch(() => undefined);
  return facts?.isDirectory() === true ? "is a folder; name the files in it, as `folder/*.json`" : "leads to no file";
}

// The path of a file is one also where it has brackets: `results[gpt-4].json`.
async function* entriesOf(pattern: string, root: string) {
  const path = resolve(root, pattern);
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isFile() === true) yield path;
  else {
    for await (const entry of glob(pattern, { cwd: root, withFileTypes: true })) {
      // A folder is no file.
      if (!entry.isDirectory()) yield join(entry.parentPath, entry.name);
    }
  }
}

async function matchesOf(pattern: string, root: string) {
  const found: FoundFile[] = [];
  let outside = 0;
  for await (const named of entriesOf(pattern, root)) {
    const path = await realpath(named).catch(() => undefined);
    // A link that leads nowhere is no file.
    if (path === undefined) continue;
    if (!isInside(root, path)) outside += 1;
    else found.push({ path, name: relative(root, named).split(sep).join("/") });
  }
  found.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { found, outside };
}
