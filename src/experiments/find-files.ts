import { glob, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
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
    else if (found.length === 0) faults.push(`${pattern} leads to no file`);
  }
  return { files: [...files.values()], faults };
}

async function matchesOf(pattern: string, root: string) {
  const found: FoundFile[] = [];
  let outside = 0;
  for await (const entry of glob(pattern, { cwd: root, withFileTypes: true })) {
    const named = join(entry.parentPath, entry.name);
    const path = await realpath(named).catch(() => undefined);
    // A link that leads nowhere is no file, and a folder is none either.
    if (path === undefined || entry.isDirectory()) continue;
    if (!isInside(root, path)) outside += 1;
    else found.push({ path, name: relative(root, named).split(sep).join("/") });
  }
  found.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { found, outside };
}
