import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { readShort } from "../../files/read-short.ts";
import { isInside } from "../../files/inside.ts";
import { nameList } from "../../text/quoted.ts";
import type { SourceEntry } from "../entry/entry.ts";
import { entriesIn } from "../entry/looks.ts";
import { fromByteString, slashed, toByteString } from "../entry/place.ts";
import type { Rule } from "../ignore/rule.ts";

import { findRepository, type Project } from "./project.ts";
import { submodulesOf, trackedPaths } from "./repository.ts";

/** A warning about a source to which a door adds what to do. */
export interface SourceNotice {
  /** What it is about, for programs. */
  readonly code: "LFS_POINTERS" | "SUBMODULES_EMPTY" | "TRACKED_LEFT_OUT";
  /** What it is about, one sentence. */
  readonly message: string;
}

/** What an ignore file of git leaves out. */
export interface IgnoredPlace {
  readonly absolute: string;
  readonly isFolder: boolean;
  readonly rule: Rule;
}

/** What a checkout did not bring, or git tracks and the archive will not have. */
export function checkCheckout(
  project: Project,
  entries: readonly SourceEntry[],
  ignored: readonly IgnoredPlace[],
): readonly SourceNotice[] {
  const pointers = pointersAmong(entries, project.root);
  // The submodules in the directories of a project that have no files, from the archive's root.
  const { root, folders } = project;
  const repositories = new Set(folders.map(findRepository).filter((repository) => repository !== undefined));
  const submodules = [...repositories]
    .flatMap(submodulesOf)
    // One that was deleted is no business of a checkout.
    .filter((path) => folders.some((folder) => isInside(folder, path)) && entriesIn(path)?.length === 0)
    .map((path) => slashed(root, path));
  const tracked = trackedAmong(ignored, project.root);
  const notices: (SourceNotice | false)[] = [
    pointers.length > 0 && {
      code: "LFS_POINTERS",
      message: `Pointers of Git LFS instead of the files themselves: ${nameList(pointers)}.`,
    },
    submodules.length > 0 && {
      code: "SUBMODULES_EMPTY",
      message: `Submodules that are empty: ${nameList(submodules)}.`,
    },
    tracked.length > 0 && {
      code: "TRACKED_LEFT_OUT",
      message: `Left out although git tracks them: ${nameList(tracked)}.`,
    },
  ];
  return notices.filter((notice) => notice !== false);
}

const POINTER = "version https://git-lfs.github.com/spec/v1\n";
// A version, a SHA-256 and a size of 1 to 16 digits, each in its line; few other files are as long.
const POINTER_BYTES = { least: 126, most: 141 };
const MOST_LOOKS = 2_000;

// The entries of an unchanged tree are those of before (TreeMemory), and their files are not read again.
const POINTERS = new WeakMap<readonly SourceEntry[], readonly string[]>();

function pointersAmong(entries: readonly SourceEntry[], root: string): readonly string[] {
  const known = POINTERS.get(entries);
  if (known) return known;
  const { least, most } = POINTER_BYTES;
  const small = entries.filter(({ type, size }) => type === "file" && size >= least && size <= most);
  const pointers = small
    .slice(0, MOST_LOOKS)
    .filter(({ path }) => readShort(`${root}/${path}`, most)?.startsWith(POINTER));
  const paths = pointers.map(({ path }) => path);
  POINTERS.set(entries, paths);
  return paths;
}

// Of a sentence that names five of them.
const MOST_TRACKED = 100;

/** Tracked files among what git's ignore files leave out, each with the line that does. */
function trackedAmong(ignored: readonly IgnoredPlace[], root: string): readonly string[] {
  const repositories = new Map<string, string | undefined>();
  const places = new Map<string, Map<string, Rule>>();
  for (const { absolute, isFolder, rule } of ignored) {
    const folder = dirname(absolute);
    if (!repositories.has(folder)) repositories.set(folder, findRepository(folder));
    const repository = repositories.get(folder);
    if (repository === undefined) continue;
    const rules = places.get(repository) ?? new Map<string, Rule>();
    places.set(repository, rules);
    rules.set(toByteString(slashed(repository, absolute)) + (isFolder ? "/" : ""), rule);
  }
  const found: string[] = [];
  for (const [repository, rules] of places) {
    for (const path of trackedPaths(repository) ?? []) {
      const rule = rules.get(path) ?? ruleAbove(path, rules);
      if (!rule) continue;
      const file = join(repository, fromByteString(path));
      if (!lstatSync(file, { throwIfNoEntry: false })) continue;
      found.push(`${slashed(root, file)} (${rule.label})`);
      if (found.length === MOST_TRACKED) return found;
    }
  }
  return found;
}

function ruleAbove(path: string, rules: ReadonlyMap<string, Rule>): Rule | undefined {
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    const rule = rules.get(path.slice(0, slash + 1));
    if (rule) return rule;
  }
  return undefined;
}
