import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import * as core from "@actions/core";
import { SPOOL_STATE } from "../../action/left-spool.ts";
import { RunnerFileError } from "../host-file-error.ts";

/** A directory of this step for what is sent. */
export interface Spool extends AsyncDisposable {
  /** Absolute. */
  readonly directory: string;
}

/** Makes the directory; the post script removes it after a run that was killed. */
export async function makeSpool(temp: string): Promise<Spool> {
  const directory = await madeIn(temp);
  try {
    core.saveState(SPOOL_STATE, directory);
  } catch (error) {
    await remove(directory);
    throw new RunnerFileError("GITHUB_STATE", undefined, error);
  }
  return { directory, [Symbol.asyncDispose]: () => remove(directory) };
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
