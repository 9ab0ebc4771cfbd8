import { dirname, isAbsolute, relative, sep } from "node:path";

/** True when `path` is `folder` or is inside it. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Those of the directories that lie in no other of them, each once. */
export function outermost(folders: readonly string[]): readonly string[] {
  return [...new Set(folders)].filter(
    (folder, _, all) => !all.some((other) => other !== folder && isInside(other, folder)),
  );
}

/** The nearest directory that all of the absolute directories are in. */
export function commonAncestor([first = "", ...rest]: readonly string[]): string {
  let ancestor = first;
  while (!rest.every((folder) => isInside(ancestor, folder)) && dirname(ancestor) !== ancestor) {
    ancestor = dirname(ancestor);
  }
  return ancestor;
}
