import { isUtf8 } from "node:buffer";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { isInside } from "../../src/files/inside.ts";
import type { InputReader } from "./input-reader.ts";
import { closestInDirectory } from "../../src/text/closest.ts";
import { quoted } from "../../src/text/quoted.ts";
import type { Place } from "../host.ts";
import type { FoundFiles } from "../../src/files/find-files.ts";
import { withFullStop } from "../../src/text/reasons.ts";

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

const LARGEST_FILE_BYTES = 1024 * 1024;

/** The text of a small file, or why there is none: a clause that follows its name. */
type WorkspaceFile = { readonly text: string } | { readonly text: undefined; readonly fault: string };

/** Reads a file that an input names; undefined where there is none of that name. A link may not lead out of the workspace. */
export async function readWorkspaceFile(name: string, workspace: string): Promise<WorkspaceFile | undefined> {
  const path = await realpath(resolve(workspace, name)).catch(() => undefined);
  if (path === undefined) return undefined;
  if (!isInside(workspace, path)) return { text: undefined, fault: "is outside the workspace" };
  try {
    const facts = await stat(path);
    if (!facts.isFile()) return { text: undefined, fault: "is not a file" };
    if (facts.size > LARGEST_FILE_BYTES) return { text: undefined, fault: "is larger than 1 MiB" };
    const bytes = await readFile(path);
    return isUtf8(bytes) ? { text: bytes.toString("utf8") } : { text: undefined, fault: "is not UTF-8 text" };
  } catch {
    return { text: undefined, fault: "cannot be read" };
  }
}

/** What to do when a pattern matches no file. */
export type NoFilesPolicy = "error" | "ignore" | "warn";

/** Reports the errors of the patterns of an input; a pattern that matches no file is an error, a warning or nothing. */
export function reportPatterns<Name extends string>(
  reader: InputReader<Name>,
  input: Name,
  { faults, missing }: Pick<FoundFiles, "faults" | "missing">,
  policy: NoFilesPolicy,
): void {
  for (const fault of faults) {
    if (policy === "error" || !missing.includes(fault)) reader.fault(input, fault);
    else if (policy === "warn") reader.warn(`${input}: ${withFullStop(fault)}`);
  }
}
