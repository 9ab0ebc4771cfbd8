import type { SourceEntry } from "../entry/entry.ts";
import type { SourceFault } from "../entry/errors.ts";
import { followLink } from "../entry/link-target.ts";
import { printable } from "../entry/name-list.ts";
import type { PackedPaths } from "../entry/packed-paths.ts";
import type { Warnings } from "./warnings.ts";

const ADVICE =
  "Put what the link leads to in its place, or exclude the link; " +
  "a directory beside the project is packed when the `dependencies` of the configuration file name it.";

/** Links that leave the source, as faults; those that lead to nothing in the archive only deserve a warning. */
export function checkLinks(
  root: string,
  entries: readonly SourceEntry[],
  packed: PackedPaths,
  warnings: Warnings,
): readonly SourceFault[] {
  const faults: SourceFault[] = [];
  for (const { path, target } of entries) {
    if (target === undefined) continue;
    const end = followLink(root, path, target);
    const arrow = `${printable(path)} → ${printable(target)}`;
    if (end.state === "outside") {
      faults.push({ message: `the link ${arrow} leaves the source`, advice: ADVICE, reason: "LINK_OUTSIDE" });
    } else if (end.state === "nowhere" || !packed.has(end.path)) warnings.add("dangling-link", arrow);
  }
  return faults;
}
