import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SpoolError } from "./errors.ts";
import { fileErrorCode } from "./file-error.ts";

/** A new file that nobody else may read, in a new folder of its own. */
export class SpoolFile {
  readonly path: string;
  bytes = 0;
  #descriptor: number | undefined;

  /** Throws SpoolError when nothing can be written in `directory`. */
  constructor(directory: string, name: string) {
    const folder = guard(directory, () => mkdtempSync(join(directory, "graph-deploy-")));
    this.path = join(folder, name);
    try {
      this.#descriptor = guard(directory, () => openSync(this.path, "wx", 0o600));
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  write(chunk: Buffer): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) throw new Error(`${this.path} is closed`);
    guard(dirname(this.path), () => {
      for (let at = 0; at < chunk.length;) at += writeSync(descriptor, chunk, at);
    });
    this.bytes += chunk.length;
  }

  close(): void {
    if (this.#descriptor === undefined) return;
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    guard(dirname(this.path), () => {
      closeSync(descriptor);
    });
  }

  /** Closes and removes the file and its folder, without a word: it runs on paths that fail already. */
  discard(): void {
    try {
      this.close();
    } catch {
      // What made the close fail is what is being cleaned up after.
    }
    try {
      rmSync(dirname(this.path), { recursive: true, force: true });
    } catch {
      // The folder of a runner is emptied by the runner.
    }
  }
}

/** Removes a spool file and its folder. */
export async function removeSpool(file: string): Promise<void> {
  await rm(dirname(file), { recursive: true, force: true });
}

function guard<Result>(directory: string, write: () => Result): Result {
  try {
    return write();
  } catch (cause) {
    const code = fileErrorCode(cause);
    if (code === undefined) throw cause;
    const why = code === "ENOSPC" ? "the disk is full" : "it cannot be written to";
    throw new SpoolError(`The archive cannot be kept in ${directory}: ${why} (${code}).`, {
      cause,
      advice: "Free space there, or name another folder for temporary files (RUNNER_TEMP).",
    });
  }
}
