import { isAbsolute, relative, sep } from "node:path";
import { isInside } from "../../../files/inside.ts";
import type { FormatContext } from "./format.ts";

/** Makes paths that a tool wrote alike on all machines. */
export class WorkspacePaths {
  readonly #context: FormatContext;
  readonly #file: string;
  #hasWarned = false;

  /** `file` is the result file, for a warning about paths that stay absolute. */
  constructor(context: FormatContext, file: string) {
    this.#context = context;
    this.#file = file;
  }

  /** The path from the workspace, with forward slashes; as it is when it is relative, or leads elsewhere. */
  relative(path: string): string {
    if (!isAbsolutePath(path)) return path;
    const { workspace } = this.#context;
    // A path of Windows is none elsewhere, and would be looked for in the working directory.
    if (isAbsolute(path) && isInside(workspace, path)) return relative(workspace, path).split(sep).join("/");
    this.#warn();
    return path;
  }

  // A path of another machine changes with it, and with the path the ids of the rows.
  #warn(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#context.warn(
      `${this.#file} names test files by absolute paths outside the workspace: their rows match only those of runs in the same directory.`,
    );
  }
}

/** True for a path of POSIX or of Windows, whatever this machine is. */
export function isAbsolutePath(path: string): boolean {
  return ABSOLUTE.test(path);
}

// Of POSIX, or of Windows: a drive or a share.
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;
