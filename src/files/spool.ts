import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { fileErrorCode } from "./file-error.ts";

/** What is to be uploaded cannot be kept on this machine until it is sent. */
class SpoolError extends GraphDeployError {
  readonly code = "SPOOL";
}

/** A new file that only this user may read, in its own new directory. */
export class SpoolFile {
  readonly path: string;
  bytes = 0;
  #descriptor: number | undefined;

  /** Throws SpoolError when nothing can be written in `directory`. */
  constructor(directory: string, name: string) {
    const folder = guard(directory, () => mkdtempSync(join(directory, "graph-deploy-")));
    this.path = join(folder, name);
    try {
      this.#descriptor = guard(directory, () => openSync(this.path, "wx+", 0o600));
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  write(chunk: Buffer): void {
    const descriptor = this.#open();
    guard(dirname(this.path), () => {
      for (let at = 0; at < chunk.length;) at += writeSync(descriptor, chunk, at);
    });
    this.bytes += chunk.length;
  }

  /** Writes at a place of its own, for files that are not written in order. */
  writeAt(chunk: Buffer, position: number): void {
    guard(dirname(this.path), () => {
      for (let at = 0; at < chunk.length;) at += writeSync(this.#open(), chunk, at, chunk.length - at, position + at);
    });
  }

  /** Fills a buffer from there on, as far as there is something; returns how far. */
  readAt(into: Buffer, position: number): number {
    let at = 0;
    for (let count = -1; count !== 0 && at < into.length; at += count) {
      count = readSync(this.#open(), into, at, into.length - at, position + at);
    }
    return at;
  }

  close(): void {
    if (this.#descriptor === undefined) return;
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    guard(dirname(this.path), () => {
      closeSync(descriptor);
    });
  }

  #open(): number {
    if (this.#descriptor === undefined) throw new Error(`${this.path} is closed`);
    return this.#descriptor;
  }

  /** Closes and removes the file and its directory, without a word: it runs on paths that fail already. */
  discard(): void {
    try {
      this.close();
    } catch {
      // What made the close fail is what is being cleaned up after.
    }
    try {
      rmSync(dirname(this.path), { recursive: true, force: true });
    } catch {
      // The directory of a runner is emptied by the runner.
    }
  }
}

/** Removes a spool file and its directory. */
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
    throw new SpoolError(`What is to be uploaded cannot be kept in ${directory}: ${why} (${code}).`, {
      cause,
      advice: "Free space there, or choose another directory for temporary files.",
    });
  }
}
