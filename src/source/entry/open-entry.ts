import { closeSync, constants, openSync } from "node:fs";
import type { SourceEntry } from "./entry.ts";
import { SourceChangedError, SourceUnreadableError } from "./errors.ts";
import { describeReadError, fileErrorCode } from "../../files/file-error.ts";
import { nameList, printable } from "../../text/quoted.ts";

/**
 * How a file of the tree is opened: a name that became a link since we looked is refused, and one that became a FIFO
 * does not block. Windows has neither flag: undefined there, which counts as 0.
 */
export const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens a file of the tree for reading; throws SourceChangedError or SourceUnreadableError. */
export function openEntry(root: string, entry: SourceEntry): number {
  try {
    return openSync(`${root}/${entry.path}`, OPEN_FLAGS);
  } catch (error) {
    throw readFailure(entry, error);
  }
}

// What a name became since the walk saw a file there.
const CHANGES: ReadonlyMap<string, string> = new Map([
  ["EISDIR", "became a directory"],
  ["ELOOP", "became a link"],
  ["ENOENT", "was removed"],
  ["ENOTDIR", "was removed"],
]);

/** The error that a failed open or read of a file means. */
export function readFailure({ path }: SourceEntry, cause: unknown): unknown {
  const change = CHANGES.get(fileErrorCode(cause) ?? "");
  if (change !== undefined) return new SourceChangedError(printable(path), change, { cause });
  const problem = describeReadError(cause);
  if (problem === undefined) return cause;
  return unreadable([path], problem, cause);
}

/** The error about files that cannot be read. */
export function unreadable(paths: readonly string[], problem: string, cause: unknown): SourceUnreadableError {
  const them = paths.length === 1 ? "it" : "them";
  return new SourceUnreadableError(`${nameList(paths)} ${problem}.`, {
    cause,
    advice: `Make ${them} readable, or exclude ${them}.`,
  });
}

/**
 * An error of reading them, which names all files that this user may not read when it is about one of them. They are
 * asked one by one, and so only after a failure.
 */
export function withAllUnreadable(
  error: unknown,
  { root, entries }: { readonly root: string; readonly entries: readonly SourceEntry[] },
): unknown {
  if (!(error instanceof SourceUnreadableError)) return error;
  const names = entries.filter(({ path, type }) => type === "file" && !isReadable(`${root}/${path}`));
  if (names.length < 2) return error;
  return unreadable(
    names.map(({ path }) => path),
    "cannot be read by this user",
    error,
  );
}

function isReadable(file: string): boolean {
  try {
    closeSync(openSync(file, OPEN_FLAGS));
    return true;
  } catch {
    return false;
  }
}
