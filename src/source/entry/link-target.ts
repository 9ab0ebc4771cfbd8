import { lstatSync, readlinkSync } from "node:fs";
import { isAbsolute, join, posix, sep } from "node:path";

/** Where a link ends: outside of the root, at a path from the root, or nowhere. */
export type LinkTarget =
  { readonly state: "outside" } | { readonly state: "inside"; readonly path: string } | { readonly state: "nowhere" };

// As many as Linux follows: path_resolution(7).
const MAX_LINKS = 40;

/**
 * Follows the link at `path`, from the root, name by name as the system does, so that a way out over another link is
 * seen too. A target whose text alone leads out, over a directory that does not exist, is outside as well.
 */
export function followLink(root: string, path: string, target: string): LinkTarget {
  if (isAbsoluteTarget(target) || escapes(posix.join(posix.dirname(path), target))) return { state: "outside" };
  const way = path.split("/").slice(0, -1);
  const ahead = target.split("/");
  let links = 1;
  for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (way.pop() === undefined) return { state: "outside" };
      continue;
    }
    way.push(name);
    const next = linkAt(join(root, ...way));
    if (next === undefined) continue;
    if (next === MISSING || ++links > MAX_LINKS) return { state: "nowhere" };
    if (isAbsoluteTarget(next)) return { state: "outside" };
    way.pop();
    ahead.unshift(...next.split("/"));
  }
  return { state: "inside", path: way.join("/") };
}

const MISSING = Symbol("missing");

/** What the link at `absolute` says, undefined for anything but a link. */
function linkAt(absolute: string): string | typeof MISSING | undefined {
  const stats = lstatSync(absolute, { throwIfNoEntry: false });
  if (stats === undefined) return MISSING;
  return stats.isSymbolicLink() ? readlinkSync(absolute).split(sep).join("/") : undefined;
}

// A path of this machine means nothing where the archive is unpacked, which is Linux.
function isAbsoluteTarget(target: string): boolean {
  return isAbsolute(target) || target.startsWith("/");
}

function escapes(path: string): boolean {
  return path === ".." || path.startsWith("../");
}
