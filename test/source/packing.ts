import { packSource, type PackOptions, type SourceArchive } from "../../src/source/archive/archive.ts";
import type { SourceTree } from "../../src/source/tree/tree.ts";
import { temporaryFolder } from "./temporary-tree.ts";

export const MIB = 1024 * 1024;

/** Packs a tree into a folder that the test removes. */
export function pack(tree: SourceTree, changes: Partial<PackOptions> = {}): Promise<SourceArchive> {
  const options = { spoolDirectory: temporaryFolder(), maxBytes: 200 * MIB, signal: new AbortController().signal };
  return packSource(tree, { ...options, ...changes });
}
