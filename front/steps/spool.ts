import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { SPOOL_STATE, type Host } from "../host.ts";
import { tempError } from "../host-file-error.ts";

/** Makes a directory of this step for what is sent, absolute; after a run that was killed, what cleans up removes it. */
export async function makeSpool({
  place,
  saveState,
}: Pick<Host, "place" | "saveState">): Promise<AsyncDisposable & { readonly directory: string }> {
  const directory = await mkdtemp(join(place.temp, "graph-deploy-spool-")).catch((error: unknown) => {
    throw tempError(place, error);
  });
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    saveState?.(SPOOL_STATE, directory);
  } catch (error) {
    await remove();
    throw error;
  }
  return { directory, [Symbol.asyncDispose]: remove };
}
