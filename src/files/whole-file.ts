import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** How the name of a file ends that is being written: a process that is killed leaves it behind. */
export const DRAFT = ".draft";

const BLOCK_CHARACTERS = 256 * 1024;

/**
 * Writes a file in one step, with the directories above it: a reader sees the file that was there before, or all of the
 * new one, whoever else writes it. A link is replaced, and its target stays. Throws the error of the file system; then
 * nothing is left of the new one. The modes are those of the file and of a new directory, as the process's mask lets them.
 */
export function writeWholeFile(
  path: string,
  parts: Iterable<string>,
  { mode = 0o666, directoryMode = 0o777 }: { readonly mode?: number; readonly directoryMode?: number } = {},
): void {
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}${DRAFT}`);
  mkdirSync(dirname(path), { recursive: true, mode: directoryMode });
  try {
    const descriptor = openSync(draft, "wx", mode);
    try {
      let block = "";
      for (const part of parts) {
        block += part;
        if (block.length < BLOCK_CHARACTERS) continue;
        writeFileSync(descriptor, block);
        block = "";
      }
      writeFileSync(descriptor, block);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, path);
  } catch (error) {
    try {
      rmSync(draft, { force: true });
    } catch {
      // What made the write fail is reported.
    }
    throw error;
  }
}
