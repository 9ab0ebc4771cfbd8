import { realpath, stat } from "node:fs/promises";
import type { InputReader } from "./input-reader.ts";
import { quoted } from "../../src/text/quoted.ts";
import type { RunnerFacts } from "./runner.ts";

/** The workspace, absolute and without links, for an input that is relative to it; undefined after an error. */
export async function readWorkspace<const Name extends string>(
  reader: InputReader<Name>,
  input: Name,
  { workspace }: RunnerFacts,
): Promise<string | undefined> {
  if (workspace === undefined) {
    reader.fault(input, "cannot be resolved: GITHUB_WORKSPACE is not set");
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
