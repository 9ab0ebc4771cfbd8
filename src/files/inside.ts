import { isAbsolute, relative, sep } from "node:path";

/** True when `path` is `folder` or is inside it. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
