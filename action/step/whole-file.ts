import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { RunnerFileError } from "../report/runner-file-error.ts";

/**
 * Writes a file that the input `what` names, with the directories above it: a reader sees the one that was there before,
 * or all of the new one.
 */
export async function writeWhole(path: string, text: string, what: string): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, text, { flag: "wx" });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw new RunnerFileError(`\`${what}\``, path, error);
  }
}
