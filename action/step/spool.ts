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
  readonly directory: string;
}

/** Makes the directory; the post script removes it after a run that was killed. */
export async function makeSpool(temp: string): Promise<Spool> {
  const directory = await madeIn(temp);
  try {
    core.saveState(STATE, directory);
  } catch (error) {
    await remove(directory);
    throw new RunnerFileError("GITHUB_STATE", undefined, error);
  }
  return { directory, [Symbol.asyncDispose]: () => remove(directory) };
}

/** Removes the directory of a main that was killed. A failure to do so is only a warning. */
export async function removeLeftSpool(env: Environment): Promise<void> {
  const directory = env[`STATE_${STATE}`] ?? "";
  if (directory === "") return;
  try {
    await remove(directory);
  } catch (error) {
    core.warning(new RunnerFileError("RUNNER_TEMP", directory, error).message);
  }
}

async function madeIn(temp: string): Promise<string> {
  try {
    return await mkdtemp(join(temp, "graph-deploy-spool-"));
  } catch (error) {
    throw new RunnerFileError("RUNNER_TEMP", temp, error);
  }
}

async function remove(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
}
