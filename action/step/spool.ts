import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import * as core from "@actions/core";
import type { Environment } from "../inputs/input-reader.ts";

// The name under which main tells post where the folder is; the runner hands it over as STATE_….
const STATE = "spool";

/** A folder of this step for what is sent. */
export interface Spool extends AsyncDisposable {
  /** Absolute. */
  readonly folder: string;
}

/** Makes the folder; what a killed run leaves in it, the post step removes. */
export async function makeSpool(temp: string): Promise<Spool> {
  const folder = await mkdtemp(join(temp, "graph-deploy-spool-"));
  core.saveState(STATE, folder);
  return { folder, [Symbol.asyncDispose]: () => remove(folder) };
}

/** What the post step does: removes the folder of a main that was killed. */
export async function removeLeftSpool(env: Environment): Promise<void> {
  const folder = env[`STATE_${STATE}`] ?? "";
  if (folder !== "") await remove(folder);
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
