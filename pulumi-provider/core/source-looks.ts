import { lstatSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../src/http/clock.ts";
import { digestSource } from "../../src/source/digest.ts";
import type { SourceEntry } from "../../src/source/entry.ts";
import { newBlock } from "../../src/source/tar-stream.ts";
import { readSourceTree, type SourceRequest, type SourceTree } from "../../src/source/tree.ts";
import { SourceParts } from "./source-parts.ts";

/** Which folder, and what of it. */
export type LookRequest = Pick<SourceRequest, "directory" | "exclude" | "graphConfig" | "include">;

/** What a folder holds. */
export interface SourceLook {
  /** The digest that packing it would tell. */
  readonly hash: string;
  readonly files: number;
  readonly bytes: number;
  /** See source-parts.ts. */
  readonly parts: string;
  readonly warnings: readonly string[];
}

interface Kept {
  readonly entries: readonly SourceEntry[];
  readonly stamps: Float64Array;
  readonly digest: Pick<SourceLook, "hash" | "parts">;
}

// A file that was written in the same tick of the file system's clock as it was read may hold something else by now.
// FAT counts in steps of 2 s.
const SETTLED_MILLISECONDS = 2_000;
const STAMP_NUMBERS = 3;
const FILES_PER_TURN = 2_048;

/**
 * Looks at the folders of a program for all deployments of one process: those that name the same folder share a look,
 * and a folder whose files have not been touched since is not read again. Hashing reads synchronously, so that several
 * at once would take more memory and no less time: it is one after another.
 */
export class SourceLooks {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #running = new Map<string, Promise<SourceLook>>();
  readonly #kept = new Map<string, Kept>();
  readonly #block = newBlock();
  #last: Promise<unknown> = Promise.resolve();

  constructor({ clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal }) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Throws as readSourceTree and digestSource do. */
  async look(request: LookRequest): Promise<SourceLook> {
    const key = JSON.stringify([request.directory, request.graphConfig, request.include, request.exclude]);
    const running = this.#running.get(key);
    if (running !== undefined) return await running;
    const look = this.#inTurn(() => this.#look(key, request));
    this.#running.set(key, look);
    try {
      return await look;
    } finally {
      this.#running.delete(key);
    }
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return await turn;
  }

  async #look(key: string, request: LookRequest): Promise<SourceLook> {
    const start = this.#clock.date().getTime();
    const tree = await readSourceTree({ ...request, signal: this.#signal });
    const { files, bytes, warnings } = tree;
    const stamps = await this.#stampsOf(tree, start - SETTLED_MILLISECONDS);
    const kept = this.#kept.get(key);
    if (stamps !== undefined && kept !== undefined && isSame(kept, tree, stamps)) {
      return { ...kept.digest, files, bytes, warnings };
    }
    const digest = await this.#digest(tree);
    if (stamps === undefined) this.#kept.delete(key);
    else this.#kept.set(key, { entries: tree.entries, stamps, digest });
    return { ...digest, files, bytes, warnings };
  }

  /** What the file system says of each file; undefined when one changed too late to be told by it. */
  async #stampsOf({ root, entries }: SourceTree, settled: number): Promise<Float64Array | undefined> {
    const stamps = new Float64Array(entries.length * STAMP_NUMBERS);
    for (const [index, { path }] of entries.entries()) {
      const stats = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
      if (stats === undefined || stats.ctimeMs > settled || stats.mtimeMs > settled) return undefined;
      stamps.set([stats.ctimeMs, stats.mtimeMs, stats.ino], index * STAMP_NUMBERS);
      if (index % FILES_PER_TURN !== 0) continue;
      await nextTurn();
      this.#signal.throwIfAborted();
    }
    return stamps;
  }

  async #digest(tree: SourceTree): Promise<Pick<SourceLook, "hash" | "parts">> {
    const parts = new SourceParts(tree.entries);
    const { digest } = await digestSource(tree, {
      signal: this.#signal,
      block: this.#block,
      onBlock: (block) => {
        parts.add(block);
      },
    });
    return { hash: digest, parts: parts.text() };
  }
}

function isSame(kept: Kept, { entries }: SourceTree, stamps: Float64Array): boolean {
  return (
    entries.length === kept.entries.length &&
    stamps.every((stamp, index) => stamp === kept.stamps[index]) &&
    entries.every((entry, index) => isSameEntry(entry, kept.entries[index]))
  );
}

function isSameEntry(entry: SourceEntry, other: SourceEntry | undefined): boolean {
  const { path, size, mode, target } = entry;
  return path === other?.path && size === other.size && mode === other.mode && target === other.target;
}
