import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseWildmatch } from "../source/ignore/wildmatch.ts";
import { expandBraces } from "./braces.ts";

/** One name of a pattern and those behind it. */
interface GlobName {
  /** Stands for any folders, or none: `**`. */
  readonly isFolders: boolean;
  matches(name: string): boolean;
  /** Undefined for the last name, which is that of a file. */
  readonly next: GlobName | undefined;
}

/** A pattern that leads to files. */
export interface Glob {
  /** The folder that holds all that it leads to: its names before the first wildcard. */
  readonly base: string;
  /** What the names below the base must be. */
  readonly names: readonly GlobName[];
}

/**
 * Reads a pattern with `*`, `?`, `[a-z]`, `{a,b}`, `{1..4}` and `**`, as shells do: a wildcard stands for no dot at the
 * start of a name. Undefined when its braces stand for more than a thousand patterns.
 */
export function parseGlob(pattern: string): Glob | undefined {
  const literal = pattern.slice(0, pattern.search(/[*?[{\\]|$/));
  const base = literal.slice(0, literal.lastIndexOf("/") + 1);
  const alternatives = expandBraces(pattern.slice(base.length));
  return alternatives && { base, names: alternatives.flatMap((alternative) => namesOf(alternative) ?? []) };
}

/**
 * The files that a glob leads to, from the base down. Links to folders are not followed, so that the walk ends; a
 * folder that cannot be read holds nothing.
 */
export async function* filesOf(base: string, names: readonly GlobName[]): AsyncGenerator<string> {
  // `**` may be no folder at all.
  const wanted = new Set(
    names.flatMap((name) => (name.isFolders && name.next !== undefined ? [name, name.next] : [name])),
  );
  for (const entry of await entriesOf(base)) {
    const matching = [...wanted].filter((name) => name.matches(entry.name));
    const path = join(base, entry.name);
    if (entry.isDirectory()) {
      const below = matching.flatMap((name) => (name.isFolders ? [name] : (name.next ?? [])));
      if (below.length > 0) yield* filesOf(path, below);
    } else if (matching.some(({ next }) => next === undefined)) yield path;
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

function namesOf(pattern: string): GlobName | undefined {
  // With a slash at its end a pattern names folders.
  if (pattern.endsWith("/")) return undefined;
  return pattern
    .split("/")
    .filter((name) => name !== "" && name !== ".")
    .reduceRight<GlobName | undefined>((next, name) => {
      // `**/**/` is `**/`.
      return name === "**" && next?.isFolders === true ? next : { ...nameOf(name), next };
    }, undefined);
}

function nameOf(pattern: string): Omit<GlobName, "next"> {
  if (pattern === "**") return { isFolders: true, matches: (name) => !name.startsWith(".") };
  const wildcards = parseWildmatch(pattern);
  const takesDot = /^\\?\./.test(pattern);
  return {
    isFolders: false,
    matches: (name) => (takesDot || !name.startsWith(".")) && wildcards?.matches(name) === true,
  };
}
