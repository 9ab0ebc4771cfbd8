import pLimit from "p-limit";
import type { Clock } from "../../../src/http/clock.ts";
import { digestSource } from "../../../src/source/archive/digest.ts";
import { StreamHash } from "../../../src/source/archive/stream-hash.ts";
import { newBlock } from "../../../src/source/archive/tar-stream.ts";
import { TreeMemory } from "../../../src/source/tree/tree-memory.ts";
import { readSourceTree, type SourceRequest, type SourceTree } from "../../../src/source/tree/tree.ts";

export type LookRequest = Pick<
  SourceRequest,
  "allowSecretsInSource" | "directory" | "exclude" | "graphConfig" | "include"
>;

export interface SourceLook extends Pick<SourceTree, "bytes" | "entries" | "files" | "notices" | "warnings"> {
  /** The digest that packing the directory would return. */
  readonly hash: string;
  /** The CRC-32 of what each entry holds. */
  readonly sums: Uint32Array;
}

// A thread that starts while directories are still read costs as much of a processor as hashing 50 MB, and no time by
// the clock.
const THREAD_BYTES = 100_000_000;

/**
 * Looks at the directories of a program for all deployments of one process: those that name the same directory share a look,
 * and a directory whose files have not been touched since is not read again. Hashing reads synchronously, so that several
 * at once would take more memory and no less time: it is one after another.
 */
export class SourceLooks {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #running = new Map<string, Promise<SourceLook>>();
  readonly #memories = new Map<string, TreeMemory>();
  readonly #kept = new Map<string, Pick<SourceLook, "entries" | "hash" | "sums">>();
  readonly #block = newBlock();
  readonly #oneByOne = pLimit(1);

  constructor({ clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal }) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Throws as readSourceTree and digestSource do. */
  async look(request: LookRequest): Promise<SourceLook> {
    const { directory, graphConfig, include, exclude, allowSecretsInSource = [] } = request;
    const key = JSON.stringify([directory, graphConfig, include, exclude, allowSecretsInSource]);
    const running = this.#running.get(key);
    if (running) return await running;
    const look = this.#oneByOne(() => this.#look(key, request));
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
    let kept = this.#kept.get(key);
    await using stream = new StreamHash({ block: this.#block, threadBytes: THREAD_BYTES });
    const onBytes = (bytes: number) => {
      stream.expect(bytes);
    };
    const tree = await readSourceTree({ ...request, memory, onBytes, signal: this.#signal });
    const { entries, files, bytes, warnings, notices } = tree;
    if (kept?.entries !== entries) {
      const sums = new Uint32Array(entries.length);
      const { digest: hash } = await digestSource(tree, { signal: this.#signal, hash: stream, sums });
      kept = { entries, hash, sums };
      this.#kept.set(key, kept);
    }
    return { ...kept, files, bytes, warnings, notices };
  }
}
