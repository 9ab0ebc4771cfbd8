import { folded, toByteString } from "./place.ts";
import type { SourceEntry } from "./entry.ts";

/** The paths of an archive, asked by name. Few are asked about, so that a table of all would cost more than searching. */
export class PackedPaths {
  readonly #entries: readonly SourceEntry[];

  /** The entries in the order of the bytes of their paths. */
  constructor(entries: readonly SourceEntry[]) {
    this.#entries = entries;
  }

  /** True for a member, and for a directory that holds one. */
  has(path: string): boolean {
    return path === "" || this.hasMember(path) || this.#firstFrom(`${path}/`)?.startsWith(`${path}/`) === true;
  }

  hasMember(path: string): boolean {
    return this.#firstFrom(path) === path;
  }

  /** The member that differs from `path` in nothing but case or Unicode form. */
  twinOf(path: string): string | undefined {
    const wanted = folded(path);
    return this.#entries.find((member) => folded(member.path) === wanted)?.path;
  }

  /** The first path that does not stand before this one. */
  #firstFrom(path: string): string | undefined {
    const bytes = toByteString(path);
    let from = 0;
    let to = this.#entries.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (toByteString(this.#entries[middle]?.path ?? "") < bytes) from = middle + 1;
      else to = middle;
    }
    return this.#entries[from]?.path;
  }
}
