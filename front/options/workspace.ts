import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isInside } from "../../src/files/inside.ts";
import type { InputReader } from "./input-reader.ts";
import { closestInDirectory } from "../../src/text/closest.ts";
import { quoted } from "../../src/text/quoted.ts";
import type { Place } from "../host.ts";

/** The workspace, absolute and without links, for an input that is relative to it; undefined after an error. */
export async function readWorkspace<const Name extends string>(
  reader: InputReader<Name>,
  input: Name,
  { workspace, names }: Place,
): Promise<string | undefined> {
  if (workspace === undefined) {
    reader.fault(input, `cannot be resolved: ${names.workspace} is not set`);
    return undefined;
  }
  const root = await realDirectory(workspace);
  if (root === undefined) {
    reader.fault(input, `cannot be resolved: the workspace ${quoted(workspace)} is not a directory`);
  }
  return root;
}

/** The directory without links; undefined when it does not exist. */
export async function realDirectory(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The directory in the workspace whose path is near to one that does not exist; undefined if none is. Both are absolute,
 * as is the result.
 */
export async function nearestDirectory(workspace: string, path: string): Promise<string | undefined> {
  if (!isInside(workspace, path)) return undefined;
  let [at, isCorrected] = [workspace, false];
  for (const name of relative(workspace, path).split(sep)) {
    let next = await realDirectory(join(at, name));
    if (next === undefined) {
      const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
      const directories = entries.filter((entry) => entry.isDirectory() && entry.name !== ".git");
      const near = closestInDirectory(
        name,
        directories.map((entry) => entry.name),
      );
      if (near === undefined) break;
      [next, isCorrected] = [join(at, near), true];
    }
    if (!isInside(workspace, next)) return undefined;
    at = next;
  }
  return isCorrected ? at : undefined;
}
