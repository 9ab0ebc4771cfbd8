import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { readShort } from "../../files/read-short.ts";
import { isInside } from "../../files/inside.ts";

/** The nearest directory at or above `folder` that holds a `.git`: the edge of git's rules. */
export function findRepository(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  return dirname(folder) === folder ? undefined : findRepository(dirname(folder));
}

const MOST_BYTES = 256 * 1024;
const MOST_SUBMODULES = 1_000;

/** The directories of the submodules of a repository, absolute. */
export function submodulesOf(repository: string): readonly string[] {
  const text = readShort(join(repository, ".gitmodules"), MOST_BYTES) ?? "";
  const paths = [...text.matchAll(/^[ \t]*path[ \t]*=(.+)$/gm)].map(([, path = ""]) => join(repository, path.trim()));
  return paths.slice(0, MOST_SUBMODULES);
}

export const SUBMODULE_ADVICE = "`git submodule update --init` brings the files of submodules.";

/** True for a directory that a submodule should fill. */
export function isInSubmodule(directory: string): boolean {
  const repository = findRepository(directory);
  return repository !== undefined && submodulesOf(repository).some((path) => isInside(path, directory));
}
