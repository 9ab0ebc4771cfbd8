import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";

/** The name under which main tells post where the folder is; the runner hands it over as STATE_…. */
export const SPOOL_STATE = "spool";

/** Makes the folder of this step for the archive; what a killed run leaves in it, the post step removes. */
export async function makeSpool(temp: string): Promise<string> {
  return await mkdtemp(join(temp, "graph-deploy-spool-"));
}

/** Removes it with all that is in it; one that is gone already is fine. */
export async function removeSpool(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
