import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import * as core from "@actions/core";
import type { Environment } from "../inputs/input-reader.ts";
import { RunnerFileError } from "./runner-file-error.ts";

// The name under which main saves the path for post; the runner passes it as STATE_….
const STATE = "spool";

/** A directory of this step for what is sent. */
export interface Spool extends AsyncDisposable {
  /** Absolute. */
  readonly folder: string;
}

/** Makes the directory; the post script removes it after a run that was killed. */
export async function makeSpool(temp: string): Promise<Spool> {
  const folder = await madeIn(temp);
  try {
    core.saveState(STATE, folder);
  } catch (error) {
    await remove(folder);
    throw new RunnerFileError("GITHUB_STATE", undefined, error);
  }
  return { folder, [Symbol.asyncDispose]: () => remove(folder) };
}

/** Removes the directory of a main that was killed. A failure to do so is only a warning. */
export async function removeLeftSpool(env: Environment): Promise<void> {
  const folder = env[`STATE_${STATE}`] ?? "";
  if (folder === "") return;
  try {
    await remove(folder);
  } catch (error) {
    core.warning(new RunnerFileError("RUNNER_TEMP", folder, error).message);
  }
}

async function madeIn(temp: string): Promise<string> {
  try {
    return await mkdtemp(join(temp, "graph-deploy-spool-"));
  } catch (error) {
    throw new RunnerFileError("RUNNER_TEMP", temp, error);
  }
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
