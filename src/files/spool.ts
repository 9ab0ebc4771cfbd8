import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { fileErrorCode } from "./file-error.ts";

/** What is to be uploaded cannot be kept on this machine until it is sent. */
class SpoolError extends GraphDeployError {
  readonly code = "SPOOL";
}

/** Bytes that are written once and read again. */
export interface Spool {
  /** How many were written in order. */
  readonly bytes: number;
  write(chunk: Buffer): void;
  /** Writes at a place of its own, for what is not written in order. */
  writeAt(chunk: Buffer, position: number): void;
  /** Fills a buffer from there on, as far as there is something; returns how far. */
  readAt(into: Buffer, position: number): number;
  /** No more is written. What was written is read by its path. */
  close(): void;
  /** Gives it all up; it may be called twice. */
  discard(): void;
  /** Undefined for what is in memory. */
  readonly path: string | undefined;
}

/** A spool in a directory, or in memory where there is none. Throws SpoolError when nothing can be written there. */
export function openSpool(directory: string | undefined, name: string): Spool {
  return directory === undefined ? new MemorySpool() : new SpoolFile(directory, name);
}

/** For a caller that may not touch a disk. */
class MemorySpool implements Spool {
  readonly path = undefined;
  bytes = 0;
  #buffer = Buffer.alloc(0);

  write(chunk: Buffer): void {
    this.writeAt(chunk, this.bytes);
    this.bytes += chunk.length;
  }

  writeAt(chunk: Buffer, position: number): void {
    const end = position + chunk.length;
    if (end > this.#buffer.length) {
      const larger = Buffer.alloc(Math.max(end, 2 * this.#buffer.length));
      this.#buffer.copy(larger);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, position);
  }

  readAt(into: Buffer, position: number): number {
    return this.#buffer.copy(into, 0, position);
  }

  close(): void {
    // There is nothing to close.
  }

  discard(): void {
    this.#buffer = Buffer.alloc(0);
  }
}

/** A new file that only this user may read, in its own new directory. */
export class SpoolFile implements Spool {
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
    this.writeAt(chunk, this.bytes);
    this.bytes += chunk.length;
  }

  writeAt(chunk: Buffer, position: number): void {
    guard(dirname(this.path), () => {
      for (let at = 0; at < chunk.length;) at += writeSync(this.#open(), chunk, at, chunk.length - at, position + at);
    });
  }

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

export async function removeSpool(file: string): Promise<void> {
  await rm(dirname(file), { recursive: true, force: true });
}

function guard<Result>(directory: string, write: () => Result): Result {
  try {
    return write();
  } catch (cause) {
    const code = fileErrorCode(cause);
    if (code === undefined) throw cause;
    const why = code === "ENOSPC" ? "the disk is full" : "writing there failed";
    throw new SpoolError(`The data to upload cannot be stored in ${directory}: ${why} (${code}).`, {
      cause,
      advice: "Free space there, or choose another directory for temporary files.",
    });
  }
}
