import { join } from "node:path";
import { isInside } from "../../files/inside.ts";
import { asPrefix, placeIn, slashed, toByteString, type Folder } from "../entry/place.ts";
import type { SourceEntry } from "../entry/entry.ts";
import type { SourceFault } from "../entry/errors.ts";
import type { LeftOut } from "../ignore/left-out.ts";
import type { IgnoredPlace } from "./checkout-check.ts";
import { EMPTY_SCOPE, enterScope, ruleOfFiles } from "../ignore/scope.ts";
import { findRepository, type Project } from "./project.ts";
import { Walk, type Visit, type WalkDeps } from "./walk.ts";
import type { Warnings } from "./warnings.ts";

export interface Inventory {
  /** In the order of the archive: byte-wise by path. */
  readonly entries: readonly SourceEntry[];
  readonly bytes: number;
  readonly largest: readonly SourceEntry[];
  readonly leftOut: readonly LeftOut[];
  readonly ignored: readonly IgnoredPlace[];
  readonly warnings: Warnings;
  readonly faults: readonly SourceFault[];
}

/**
 * The directories where the walk begins, each with what the ignore files above it say: of its repository, or of the
 * workspace where there is no repository, as when a workflow downloads the code without git.
 */
export function startsOf(project: Project, onLink: (path: string) => void): readonly Visit[] {
  const { root, directory, workspace } = project;
  const prefixFrom = (from: string, to: string) => asPrefix(slashed(from, to));
  return project.folders.map((target) => {
    const top = findRepository(target) ?? (workspace !== undefined && isInside(workspace, target) ? workspace : root);
    const folderAt = (absolute: string): Folder => ({
      absolute,
      prefix: prefixFrom(root, absolute),
      fromTop: toByteString(prefixFrom(top, absolute)),
      fromProject: toByteString(prefixFrom(directory, absolute)),
    });
    let scope = EMPTY_SCOPE;
    let folder = folderAt(top);
    for (const name of slashed(top, target).split("/")) {
      if (name === "") break;
      scope = enterScope(scope, folder, { mayHold: () => true, onLink });
      const inherited = scope.inherited ?? ruleOfFiles(scope, placeIn(folder, name, "folder"));
      scope = { ...scope, inherited };
      folder = folderAt(join(folder.absolute, name));
    }
    return { folder, scope };
  });
}

/** Walks through the directories of a project, from where they begin. */
export async function takeInventory(starts: readonly Visit[], deps: WalkDeps): Promise<Inventory> {
  const walk = new Walk(deps);
  await walk.run(starts);
  // Sorted by the bytes of their paths, in place.
  // Strings compare by their UTF-16 units, which is the order of the bytes but where a character takes two of them.
  const entries = walk.entries.some(({ path }) => SURROGATE.test(path))
    ? walk.entries
        .map((entry) => ({ entry, bytes: toByteString(entry.path) }))
        .sort((a, b) => (a.bytes < b.bytes ? -1 : 1))
        .map(({ entry }) => entry)
    : walk.entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  const largest: SourceEntry[] = [];
  for (const entry of entries) {
    if (entry.type !== "file" || entry.size <= (largest[LARGEST - 1]?.size ?? -1)) continue;
    // The entries come in the order of their names, and so the earlier of two equals stays in front.
    largest.splice(largest.findLastIndex(({ size }) => size >= entry.size) + 1, 0, entry);
    largest.length = Math.min(largest.length, LARGEST);
  }
  return {
    entries,
    bytes: walk.bytes,
    largest,
    leftOut: walk.leftOut.list(),
    ignored: walk.ignored,
    warnings: walk.warnings,
    faults: walk.faults.toSorted((a, b) => (a.message < b.message ? -1 : 1)),
  };
}

const SURROGATE = /[\ud800-\udfff]/;

const LARGEST = 10;
