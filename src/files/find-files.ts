import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { isInside } from "./inside.ts";
import { closestInDirectory } from "../text/closest.ts";
import { countText } from "../text/number.ts";
import { printable, shortened } from "../text/quoted.ts";
import { filesOf, parseGlob } from "./glob.ts";

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
  /** Those of the faults that say only that a pattern matches no file. */
  readonly missing: readonly string[];
  /** Those of `missing` about a path: a pattern without a wildcard, which names one file. */
  readonly absent: readonly string[];
}

// PATH_MAX of Linux: no path is longer.
const LONGEST_PATTERN = 4_096;

/** The files that paths and globs lead to, all in the workspace; every pattern must lead to one. */
export async function findFiles(patterns: readonly string[], workspace: string): Promise<FoundFiles> {
  const root = await realpath(workspace);
  const files = new Map<string, FoundFile>();
  const faults: string[] = [];
  const missing: string[] = [];
  const absent: string[] = [];
  for (const pattern of patterns) {
    const { found, fault, isMissing, isPath } = await matchesOf(pattern, root);
    for (const file of found) if (!files.has(file.path)) files.set(file.path, file);
    if (fault === undefined) continue;
    const sentence = `${shortened(pattern)} ${fault}`;
    faults.push(sentence);
    if (isMissing === true) missing.push(sentence);
    if (isPath === true) absent.push(sentence);
  }
  return { files: [...files.values()], faults, missing, absent };
}

interface Matches {
  readonly found: readonly FoundFile[];
  readonly fault?: string | undefined;
  /** True where the pattern matches no file, and nothing else is wrong with it. */
  readonly isMissing?: boolean;
  /** True where it also has no wildcard. */
  readonly isPath?: boolean;
}

async function matchesOf(pattern: string, root: string): Promise<Matches> {
  const { paths = [], fault } = await pathsOf(pattern, root);
  const found: FoundFile[] = [];
  for await (const path of paths) {
    const real = await realpath(path).catch(() => undefined);
    // A link to nothing is not a file, and neither is one to a directory.
    if (real === undefined) continue;
    if (!isInside(root, real)) return { found, fault: OUTSIDE };
    if ((await factsOf(real))?.isDirectory() === true) continue;
    found.push({ path: real, name: relative(root, path).split(sep).join("/") });
  }
  found.sort((a, b) => (a.name < b.name ? -1 : 1));
  return fault === undefined && found.length === 0 ? { found, ...(await whyNone(pattern, root)) } : { found, fault };
}

const OUTSIDE = "is outside the workspace";

interface Paths {
  readonly paths?: AsyncIterable<string> | readonly string[];
  readonly fault?: string;
}

async function pathsOf(pattern: string, root: string): Promise<Paths> {
  if (pattern.length > LONGEST_PATTERN) {
    return { fault: `is not a valid pattern: at most ${countText(LONGEST_PATTERN)} characters are allowed` };
  }
  // The path of a file is one also where it has brackets: `results[gpt-4].json`.
  const path = resolve(root, pattern);
  if ((await factsOf(path))?.isFile() === true) return { paths: [path] };
  const glob = parseGlob(withSlashes(pattern));
  if (glob === undefined) return { fault: "is not a valid pattern: its braces expand to more than 1,000 patterns" };
  const base = resolve(root, glob.base);
  const real = await realpath(base).catch(() => undefined);
  if (real === undefined) return {};
  // Refused before anything is read there: a walk over all of the disk takes minutes.
  return isInside(root, real) ? { paths: filesOf(base, glob.names) } : { fault: OUTSIDE };
}

async function whyNone(pattern: string, root: string): Promise<Omit<Matches, "found">> {
  if ((await factsOf(resolve(root, pattern)))?.isDirectory() === true) {
    return { fault: "is a directory; name the files in it, for example `directory/*.json`" };
  }
  if (/[?*+@!]\(/.test(pattern)) return { fault: "matches no file; for alternatives, write `{a,b}`" };
  if (/[*?[{\\]/.test(withSlashes(pattern))) return { fault: "matches no file", isMissing: true };
  const near = await nearest(pattern, root);
  const hint = near === undefined ? "" : `; did you mean ${printable(near)}?`;
  return { fault: `matches no file${hint}`, isMissing: true, isPath: true };
}

function withSlashes(pattern: string): string {
  return sep === "/" ? pattern : pattern.replaceAll(sep, "/");
}

const ANY_NAME = parseGlob("*")?.names ?? [];

/** The file of the same directory whose name is close to that of a path, written as the path is. */
async function nearest(path: string, root: string): Promise<string | undefined> {
  const names: string[] = [];
  for await (const neighbour of filesOf(dirname(resolve(root, path)), ANY_NAME)) names.push(basename(neighbour));
  const near = closestInDirectory(basename(path), names);
  if (near === undefined) return undefined;
  const name = join(dirname(path), near);
  // A link to nothing is near itself.
  return (await factsOf(resolve(root, name)))?.isFile() === true ? withSlashes(name) : undefined;
}

async function factsOf(path: string) {
  return stat(path).catch(() => undefined);
}
