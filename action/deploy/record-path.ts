import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "../../src/files/inside.ts";
import type { InputReader } from "../inputs/input-reader.ts";
import { quoted } from "../../src/text/quoted.ts";
import type { RunnerFacts } from "../inputs/runner.ts";
import type { DeployInputName } from "./declared-inputs.ts";

// No system opens a longer one, and each of its folders is looked at.
const LONGEST_PATH = 4_096;

/**
 * The file of the deploy record, absolute and without links above it; undefined when none is asked for, or after a
 * fault. A folder that a link of the checkout leads to elsewhere is no place to write to.
 */
export async function readRecordPath(
  reader: InputReader<DeployInputName>,
  { workspace, temp }: RunnerFacts,
): Promise<string | undefined> {
  const text = reader.text("deploy-record");
  if (text === "") return undefined;
  if (workspace === undefined) {
    reader.fault("deploy-record", "has nothing to be relative to: GITHUB_WORKSPACE is not set");
    return undefined;
  }
  const given = resolve(workspace, text);
  if (given.length > LONGEST_PATH) {
    reader.fault("deploy-record", `${quoted(text)} is longer than a path can be`);
    return undefined;
  }
  const path = await withoutLinks(given);
  const homes = await Promise.all([workspace, temp].map((home) => realpath(home).catch(() => home)));
  if (!homes.some((home) => isInside(home, path))) {
    reader.fault("deploy-record", `${quoted(text)} leads out of the workspace and of RUNNER_TEMP`);
  } else if (/[\\/]$/.test(text) || (await isFolder(path))) {
    reader.fault("deploy-record", `${quoted(text)} is a folder; name the file in it`);
  }
  return path;
}

// The file itself may be a link or not be there yet: only what lies above it is followed.
async function withoutLinks(path: string): Promise<string> {
  const folder = dirname(path);
  if (folder === path) return path;
  return join(await realpath(folder).catch(() => withoutLinks(folder)), basename(path));
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
