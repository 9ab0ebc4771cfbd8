import { relative } from "node:path";
import type { SourceArchive } from "../../../src/source/archive/archive.ts";
import { isInside } from "../../../src/source/tree/project.ts";
import type { SourceTree } from "../../../src/source/tree/tree.ts";
import { bytesText } from "../../../src/text/bytes.ts";

const MOST_FILES_LISTED = 1_000;
const SIZE_WIDTH = 10;
const LARGEST_NAMED = 3;

/** `14 files, 38.2 kB` */
export function sourceSize({ files, bytes }: SourceTree): string {
  return `${filesText(files)}, ${bytesText(bytes)}`;
}

/** The folder that is packed, as a path within the workspace; empty for the workspace itself. */
export function sourceFolder({ root }: SourceTree, workspace: string | undefined): string {
  if (workspace === undefined) return root;
  return isInside(workspace, root) ? relative(workspace, root).replaceAll("\\", "/") : root;
}

/** What was left out and why: `.env (secret), node_modules (212 files), 3 files by .gitignore`; empty for nothing. */
export function leftOutText({ leftOut }: SourceTree): string {
  return leftOut
    .map(({ what, reason, files, atLeast }) => {
      const count = `${atLeast ? "at least " : ""}${filesText(files)}`;
      if (reason === "rule") return `${count} by ${what}`;
      if (reason === "built-in") return files === 0 ? what : `${what} (${count})`;
      return files < 2 ? `${what} (secret)` : `${what} (secret, ${count})`;
    })
    .join(", ");
}

/** `support, triage (graph.json)` */
export function graphsText({ graphs, graphConfigPath }: SourceTree): string {
  return `${graphs.map(({ id }) => id).join(", ")} (${graphConfigPath})`;
}

/** The packed files with their sizes, a line each. */
export function fileLines({ entries }: SourceTree): readonly string[] {
  const lines = entries
    .slice(0, MOST_FILES_LISTED)
    .map(({ path, type, size, target = "" }) => (type === "symlink" ? linkLine(path, target) : fileLine(path, size)));
  const rest = entries.length - lines.length;
  return rest > 0 ? [...lines, `and ${String(rest)} more`] : lines;
}

/** `data/cities.csv 21.3 kB, src/agent.ts 4.1 kB`: the largest files; empty when there are few files at all. */
export function largestText({ largest, files }: SourceTree): string {
  if (files <= LARGEST_NAMED) return "";
  const named = largest.slice(0, LARGEST_NAMED);
  return named.map(({ path, size }) => `${path} ${bytesText(size)}`).join(", ");
}

/** `sha256:4f1c09ab`: enough to tell two sources apart. */
export function shortDigest({ digest }: SourceArchive): string {
  return digest.replace(/^([a-z0-9]+:[0-9a-f]{8})[0-9a-f]+$/, "$1");
}

function filesText(count: number): string {
  return `${String(count)} ${count === 1 ? "file" : "files"}`;
}

function linkLine(path: string, target: string): string {
  return `${"link".padStart(SIZE_WIDTH)}  ${path} -> ${target}`;
}

function fileLine(path: string, bytes: number): string {
  return `${bytesText(bytes).padStart(SIZE_WIDTH)}  ${path}`;
}
