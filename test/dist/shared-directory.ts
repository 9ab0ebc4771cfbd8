import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The variable that names the directory which the test files of a run share; several runs, where it is set beforehand. */
export const SHARED_DIRECTORY = "GRAPH_DEPLOY_TEST_SHARED";

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[SHARED_DIRECTORY] !== undefined) return undefined;
  const directory = await realpath(await mkdtemp(join(tmpdir(), "graph-deploy-shared-")));
  process.env[SHARED_DIRECTORY] = directory;
  return () => rm(directory, { recursive: true, force: true, maxRetries: 5 });
}
