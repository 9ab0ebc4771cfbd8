import type { Clock } from "../../../src/http/clock.ts";
import type { SourceEntry } from "../../../src/source/entry/entry.ts";
import { newBlock } from "../../../src/source/archive/tar-stream.ts";
import { TreeMemory } from "../../../src/source/tree/tree-memory.ts";
import { readSourceTree, type SourceRequest } from "../../../src/source/tree/tree.ts";
import { OneByOne } from "./one-by-one.ts";
import { Hashing, type HashedSource } from "./hashing.ts";

/** Which folder, and what of it. */
export type LookRequest = Pick<SourceRequest, "directory" | "exclude" | "graphConfig" | "include">;

/** What a folder holds. */
export interface SourceLook extends HashedSource {
  readonly files: number;
  readonly bytes: number;
  readonly warnings: readonly string[];
}

interface Kept {
  readonly entries: readonly SourceEntry[];
  readonly digest: HashedSource;
}

/**
 * Looks at the folders of a program for all deployments of one process: those that name the same folder share a look,
 * and a folder whose files have not been touched since is not read again. Hashing reads synchronously, so that several
 * at once would take more memory and no less time: it is one after another.
 */
export class SourceLooks {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #running = new Map<string, Promise<SourceLook>>();
  readonly #memories = new Map<string, TreeMemory>();
  readonly #kept = new Map<string, Kept>();
  readonly #block = newBlock();
  readonly #turns = new OneByOne();

  constructor({ clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal }) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Throws as readSourceTree and digestSource do. */
  async look(request: LookRequest): Promise<SourceLook> {
    const key = JSON.stringify([request.directory, request.graphConfig, request.include, request.exclude]);
    const running = this.#running.get(key);
    if (running !== undefined) return await running;
    const look = this.#turns.take(() => this.#look(key, request));
    this.#running.set(key, look);
    try {
      return await look;
    } finally {
      this.#running.delete(key);
    }
  }

  async #look(key: string, request: LookRequest): Promise<SourceLook> {
    const memory = this.#memories.get(key) ?? new TreeMemory(this.#clock);
    this.#memories.set(key, memory);
    const kept = this.#kept.get(key);
    await using hashing = new Hashing(this.#block);
    if (kept === undefined) hashing.prepare();
    const tree = await readSourceTree({ ...request, memory, signal: this.#signal });
    const { entries, files, bytes, warnings } = tree;
    const digest = kept?.entries === entries ? kept.digest : await hashing.run(tree, this.#signal);
    this.#kept.set(key, { entries, digest });
    return { ...digest, files, bytes, warnings };
  }
}
