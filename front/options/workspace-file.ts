import { isUtf8 } from "node:buffer";
import { readFile, realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { isInside } from "../../src/files/inside.ts";

const LARGEST_FILE_BYTES = 1024 * 1024;

/** The text of a small file, or why there is none: a clause that follows its name. */
export type WorkspaceFile = { readonly text: string } | { readonly text: undefined; readonly fault: string };

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
