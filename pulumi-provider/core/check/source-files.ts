import { isRecord } from "../../../src/contract/call-arguments.ts";
import { createHash } from "node:crypto";
import type { SourceEntry } from "../../../src/source/entry/entry.ts";
import { countText } from "../../../src/text/number.ts";
import { compareTexts } from "../../../src/text/compare.ts";

/**
 * The files of a source, each with a short hash, as state keeps them and an engine compares them. What is too much for a
 * state is one entry for a whole directory, whose name ends with a slash; `./` are the files at the top.
 */
export type SourceFiles = Readonly<Record<string, string>>;

/** An engine shows what changed: up to so many lines in a preview, and some ten kilobytes in a state. */
export const MOST_ENTRIES = 200;

// Directories stay as the last update had them, listed or not, until there are so many entries: a list in another form
// would look like many changes.
const MOST_ENTRIES_AS_BEFORE = 2 * MOST_ENTRIES;

const TOP = "./";

interface Directory {
  /** With a slash at the end; empty at the top. */
  readonly path: string;
  /** Each with what tells its versions apart. */
  readonly files: [path: string, version: readonly unknown[]][];
  readonly directories: Map<string, Directory>;
}

/** The files of a source; `before` is what the last update had of it, and `sums` has a checksum of each entry. */
export function listFiles(entries: readonly SourceEntry[], sums: Uint32Array, before: unknown): SourceFiles {
  const top = treeOf(entries, sums);
  const listedBefore = Object.keys(isRecord(before) ? before : {});
  const folded = new Set(listedBefore.filter((path) => path.endsWith("/")));
  // One entry for all says nothing of the directories in it.
  const isAllInOne = listedBefore.length === 1 && folded.has(TOP) && top.directories.size >= MOST_ENTRIES;
  const keepsForm = isRecord(before) && !isAllInOne;
  const asBefore = keepsForm ? unfold(top, MOST_ENTRIES_AS_BEFORE, (path) => !folded.has(path)) : undefined;
  const listed = asBefore?.isWhole === true ? asBefore.listed : unfold(top, MOST_ENTRIES, () => true).listed;
  return Object.fromEntries([...listed].sort(([a], [b]) => compareTexts(a, b)));
}

function treeOf(entries: readonly SourceEntry[], sums: Uint32Array): Directory {
  const top: Directory = { path: "", files: [], directories: new Map() };
  for (const [index, { path, mode, target = "" }] of entries.entries()) {
    let directory = top;
    for (const step of path.split("/").slice(0, -1)) {
      const inner = directory.directories.get(step) ?? {
        path: `${directory.path}${step}/`,
        files: [],
        directories: new Map(),
      };
      directory.directories.set(step, inner);
      directory = inner;
    }
    directory.files.push([path, [sums[index], mode, target]]);
  }
  return top;
}

/** Lists directories from the top down, as long as there is room; `isWhole` if each that may be listed is. */
function unfold(top: Directory, most: number, mayList: (path: string) => boolean) {
  if (top.directories.size >= most) return { listed: new Map([[TOP, shortHash(versionOf(top))]]), isWhole: false };
  const listed = new Map<string, string>();
  const isTopListed = mayList(TOP) && top.files.length + top.directories.size <= most;
  const atTop = isTopListed || top.files.length === 0 ? top.files : [[TOP, top.files] as const];
  for (const [path, version] of atTop) listed.set(path, shortHash(version));
  const waiting = [...top.directories.values()];
  let entries = listed.size + waiting.length;
  let isWhole = isTopListed || !mayList(TOP);
  for (const directory of waiting) {
    const { path, files, directories } = directory;
    const inside = files.length + directories.size;
    if (mayList(path) && entries - 1 + inside <= most) {
      entries += inside - 1;
      for (const [file, version] of files) listed.set(file, shortHash(version));
      waiting.push(...directories.values());
    } else {
      isWhole &&= !mayList(path);
      listed.set(path, shortHash(versionOf(directory)));
    }
  }
  return { listed, isWhole: isWhole && entries <= most };
}

function versionOf({ files, directories }: Directory): readonly unknown[] {
  return [...files, ...[...directories.values()].map(versionOf)];
}

// 32 bits tell one version of a file from another, and nothing of what it holds.
function shortHash(content: unknown): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 8);
}

/** How many files differ: `12 changed, 1 added, 1 removed`. Empty where one of the lists is missing or has another form. */
export function fileChanges(before: unknown, after: unknown): string {
  if (!isRecord(before) || !isRecord(after)) return "";
  const [old, now] = [Object.keys(before), Object.keys(after)];
  const added = now.filter((path) => !Object.hasOwn(before, path));
  const removed = old.filter((path) => !Object.hasOwn(after, path));
  if (isRefolded(added, old) || isRefolded(removed, now)) return "";
  const changed = now.filter((path) => Object.hasOwn(before, path) && before[path] !== after[path]);
  const counts = [...counted("changed", changed), ...counted("added", added), ...counted("removed", removed)];
  return counts.join(", ");
}

/** True when a directory is one entry on one side, and listed on the other. */
function isRefolded(news: readonly string[], others: readonly string[]): boolean {
  const directories = news.filter((path) => path.endsWith("/"));
  return directories.some((path) =>
    others.some((other) => (path === TOP ? !other.includes("/") : other.startsWith(path))),
  );
}

function counted(what: string, paths: readonly string[]): readonly string[] {
  const directories = paths.filter((path) => path.endsWith("/")).length;
  const files = paths.length - directories;
  return [
    ...(files === 0 ? [] : [`${countText(files)} ${what}`]),
    ...(directories === 0
      ? []
      : [`${countText(directories)} ${directories === 1 ? "directory" : "directories"} ${what}`]),
  ];
}
