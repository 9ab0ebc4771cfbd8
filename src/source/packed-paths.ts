import type { SourceEntry } from "./entry.ts";

/** The paths of an archive, asked by name. */
export class PackedPaths {
  readonly #members = new Set<string>();
  readonly #folders = new Set<string>([""]);

  constructor(entries: readonly SourceEntry[]) {
    for (const { path } of entries) {
      this.#members.add(path);
      for (let slash = path.lastIndexOf("/"); slash !== -1; slash = path.lastIndexOf("/", slash - 1)) {
        const folder = path.slice(0, slash);
        if (this.#folders.has(folder)) break;
        this.#folders.add(folder);
      }
    }
  }

  /** True for a member, and for a folder that holds one. */
  has(path: string): boolean {
    return this.#members.has(path) || this.#folders.has(path);
  }

  hasMember(path: string): boolean {
    return this.#members.has(path);
  }

  /** The member that differs from `path` in nothing but case or Unicode form. */
  twinOf(path: string): string | undefined {
    const folded = fold(path);
    return [...this.#members].find((member) => fold(member) === folded);
  }
}

function fold(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
