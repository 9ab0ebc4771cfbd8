import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseGitignore, type IgnorePattern } from "./gitignore.ts";
import type { Folder, Place } from "../entry/place.ts";
import type { Rule } from "./rule.ts";

const GITIGNORE = ".gitignore";
// Our own ignore file: the syntax of git's, read after it, so that it may take back what git ignores.
const OWN_IGNORE = ".graphdeployignore";

/** The names of the files that rules are read from. */
export const IGNORE_FILES: ReadonlySet<string> = new Set([GITIGNORE, OWN_IGNORE]);

/** True for a rule of an ignore file of git's. */
export function isOfGitignore({ reason, name }: Rule): boolean {
  return reason === "rule" && name.split("/").at(-1) === GITIGNORE;
}

/** What the directories from the top down to one directory say about the entries of that directory. */
export interface Scope {
  readonly git: readonly IgnoreFile[];
  readonly own: readonly IgnoreFile[];
  /** The rule that leaves the directory itself out, and so all below it. */
  readonly inherited: Rule | undefined;
  /** True when `include` names the directory, or one above it. */
  readonly included: boolean;
}

interface IgnoreFile {
  /** How many characters of a path from the top lead to the directory of the file. */
  readonly depth: number;
  /** What it holds, as a byte string. */
  readonly text: string;
  readonly patterns: readonly IgnorePattern[];
}

export const EMPTY_SCOPE: Scope = { git: [], own: [], inherited: undefined, included: false };

export interface ScopeDeps {
  /** Whether the directory may hold an entry of that name; saves looking for what is known not to be there. */
  readonly mayHold: (name: string) => boolean;
  /** Called with the path of each ignore file that is a link. */
  readonly onLink: (path: string) => void;
}

/** The scope inside `folder`; throws what the file system throws when an ignore file cannot be read. */
export function enterScope(scope: Scope, folder: Folder, deps: ScopeDeps): Scope {
  // A repository inside the tree begins anew: git does not carry rules across its edge.
  const isRepository = deps.mayHold(".git") && existsSync(join(folder.absolute, ".git"));
  const git = readIgnoreFile(folder, GITIGNORE, deps);
  const own = readIgnoreFile(folder, OWN_IGNORE, deps);
  if (!isRepository && !git && !own) return scope;
  const outer = isRepository ? [] : scope.git;
  return {
    ...scope,
    git: git ? [git, ...outer] : outer,
    own: own ? [own, ...scope.own] : scope.own,
  };
}

/** The rule of an ignore file that leaves the place out; the deepest file that speaks of it decides. */
export function ruleOfFiles({ git, own }: Scope, place: Place): Rule | undefined {
  const pattern = decidingPattern(own, place) ?? decidingPattern(git, place);
  return !pattern || pattern.negative ? undefined : pattern.rule;
}

function decidingPattern(files: readonly IgnoreFile[], { folder, bytes, kind }: Place): IgnorePattern | undefined {
  for (const { depth, patterns } of files) {
    const path = folder.fromTop.slice(depth) + bytes;
    const pattern = patterns.findLast((each) => each.matches(path, bytes, kind === "folder"));
    if (pattern) return pattern;
  }
  return undefined;
}

function readIgnoreFile(folder: Folder, name: string, { mayHold, onLink }: ScopeDeps): IgnoreFile | undefined {
  if (!mayHold(name)) return undefined;
  const file = join(folder.absolute, name);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  // Git reads no ignore file through a link: gitignore(5).
  if (stats?.isSymbolicLink() === true) onLink(folder.prefix + name);
  if (stats?.isFile() !== true) return undefined;
  const text = readFileSync(file, "latin1");
  return { depth: folder.fromTop.length, text, patterns: parseGitignore(text, folder.prefix + name) };
}
