import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseWildmatch } from "./wildmatch.ts";

/** One name of a pattern and those behind it. */
export interface GlobName {
  /** Stands for any directories, or none: `**`. */
  readonly isFolders: boolean;
  matches(name: string): boolean;
  /** Undefined for the last name, which is that of a file. */
  readonly next: GlobName | undefined;
}

export interface Glob {
  /** The directory that holds all that it leads to: its names before the first wildcard. */
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
 * The files that a glob leads to, from the base down. Links to directories are not followed, so that the walk ends; a
 * directory that cannot be read holds nothing.
 */
export async function* filesOf(base: string, names: readonly GlobName[]): AsyncGenerator<string> {
  const wanted = withNext(names);
  for (const entry of await readdir(base, { withFileTypes: true }).catch(() => [])) {
    const matching = [...wanted].filter((name) => name.matches(entry.name));
    const path = join(base, entry.name);
    if (entry.isDirectory()) {
      const below = matching.flatMap((name) => (name.isFolders ? [name] : (name.next ?? [])));
      if (below.length > 0) yield* filesOf(path, below);
    } else if (matching.some(({ next }) => !next)) yield path;
  }
}

/** True where a glob leads to a path below its base, or to a directory above it: names from the base down. */
export function leadsTo(names: readonly GlobName[], path: readonly string[]): boolean {
  return path.some((_, at) => leadsToFile(names, path.slice(0, at + 1)));
}

/** True where a glob leads to a file at this path below its base. */
export function leadsToFile(names: readonly GlobName[], path: readonly string[]): boolean {
  let wanted = withNext(names);
  for (const [at, part] of path.entries()) {
    const matching = [...wanted].filter((name) => name.matches(part));
    if (at === path.length - 1) return matching.some(({ next }) => !next);
    wanted = withNext(matching.flatMap((name) => (name.isFolders ? [name] : (name.next ?? []))));
  }
  return false;
}

/** `**` may be no directory at all. */
function withNext(names: readonly GlobName[]): ReadonlySet<GlobName> {
  return new Set(names.flatMap((name) => (name.isFolders && name.next ? [name, name.next] : [name])));
}

function namesOf(pattern: string): GlobName | undefined {
  // With a slash at its end a pattern names directories.
  if (pattern.endsWith("/")) return undefined;
  return pattern
    .split("/")
    .filter((name) => name !== "" && name !== ".")
    .reduceRight<GlobName | undefined>((next, name) => {
      const isFolders = name === "**";
      // `**/**/` is `**/`.
      if (isFolders && next?.isFolders === true) return next;
      const wildcards = parseWildmatch(name);
      const takesDot = /^\\?\./.test(name);
      const matches = (found: string) =>
        (takesDot || !found.startsWith(".")) && (isFolders || wildcards?.matches(found) === true);
      return { isFolders, matches, next };
    }, undefined);
}

// With more of them a pattern is a list of files in other words.
const MOST_PATTERNS = 1_000;

// Escaped, a brace stands for itself.
const TOKEN = /[{},]|(?:\\[^]|[^{},\\])+|\\/g;

/** The texts of the parts of a group between its commas; the last part is still being read. */
interface Group {
  readonly finished: (readonly string[])[];
  texts: readonly string[];
}

/**
 * The patterns that one with braces stands for: `{a,b}` and `{1..4}`, also within each other. Undefined when they are
 * more than a thousand.
 */
function expandBraces(pattern: string): readonly string[] | undefined {
  // Where a brace opens that another one closes; one without the other stands for itself.
  const open: number[] = [];
  const opening = new Set<number>();
  for (const { 0: token, index } of pattern.matchAll(TOKEN)) {
    if (token === "{") open.push(index);
    const last = token === "}" ? open.pop() : undefined;
    if (last !== undefined) opening.add(last);
  }
  const outer: Group[] = [];
  let group: Group = { finished: [], texts: [""] };
  for (const { 0: token, index } of pattern.matchAll(TOKEN)) {
    const above = outer.at(-1);
    if (token === "{" && opening.has(index)) {
      outer.push(group);
      group = { finished: [], texts: [""] };
    } else if (token === "," && above) {
      group.finished.push(group.texts);
      group.texts = [""];
    } else {
      let choices: readonly string[] | undefined = [token];
      if (token === "}" && above) {
        choices = choicesOf(group);
        group = above;
        outer.pop();
      }
      if (!choices || group.texts.length * choices.length > MOST_PATTERNS) return undefined;
      const tails = choices;
      group.texts = group.texts.flatMap((text) => tails.map((tail) => text + tail));
    }
  }
  return group.texts;
}

function choicesOf({ finished, texts }: Group): readonly string[] | undefined {
  const all = [...finished, texts].flat();
  if (finished.length > 0) return all;
  const [, first, last] = /^(\d{1,15})\.\.(\d{1,15})$/.exec(texts.join()) ?? [];
  if (first === undefined || last === undefined) return all.map((text) => `{${text}}`);
  const count = Math.abs(Number(last) - Number(first)) + 1;
  if (count > MOST_PATTERNS) return undefined;
  const step = Number(first) <= Number(last) ? 1 : -1;
  const isPadded = [first, last].some((end) => end.length > 1 && end.startsWith("0"));
  const width = isPadded ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: count }, (_, index) => String(Number(first) + step * index).padStart(width, "0"));
}

/** The texts between the commas that stand outside of braces and brackets. */
export function commaParts(pattern: string): readonly string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    else if (char === "," && depth <= 0) {
      parts.push(pattern.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, pattern.slice(from)].map((part) => part.trim()).filter((part) => part !== "");
}
