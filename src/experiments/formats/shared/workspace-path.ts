import { isAbsolute, relative, sep } from "node:path";
import { isInside } from "../../../files/inside.ts";
import type { FormatContext } from "./format.ts";

/**
 * Makes paths that a tool wrote alike on all machines: from the workspace, with forward slashes. One that leads elsewhere
 * stays, and is warned of once; `file` is the result file, for the warning.
 */
export function workspacePaths({ workspace, warn }: FormatContext, file: string): (path: string) => string {
  let hasWarned = false;
  return (path) => {
    if (!isAbsolutePath(path)) return path;
    // A path of Windows is none elsewhere, and would be looked for in the working directory.
    if (isAbsolute(path) && isInside(workspace, path)) return relative(workspace, path).split(sep).join("/");
    // A path of another machine changes with it, and with the path the ids of the rows.
    if (!hasWarned) {
      const what = "names test files by absolute paths outside the workspace";
      warn(`${file} ${what}: their rows match only those of runs in the same directory.`);
    }
    hasWarned = true;
    return path;
  };
}

/** True for a path of POSIX or of Windows, whatever this machine is. */
export function isAbsolutePath(path: string): boolean {
  return ABSOLUTE.test(path);
}

// Of POSIX, or of Windows: a drive or a share.
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;
