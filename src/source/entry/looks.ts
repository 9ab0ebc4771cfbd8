import { lstatSync, readdirSync, type Dirent, type Stats } from "node:fs";
import { fileErrorCode } from "../../files/file-error.ts";

/**
 * What stands at a path; with `statSync`, what it leads to. Undefined where there is nothing, and below a file. Throws what
 * the file system throws otherwise.
 */
export function statsAt(
  path: string,
  look: (path: string, options: { readonly throwIfNoEntry: false }) => Stats | undefined = lstatSync,
): Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false });
  } catch (error) {
    if (fileErrorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** What is in a directory; undefined for one that cannot be read. */
export function entriesIn(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}
