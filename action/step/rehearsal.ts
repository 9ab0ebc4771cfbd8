import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { FieldNames } from "../../src/contract/field-names.ts";
import { RunnerFileError } from "./runner-file-error.ts";

/** The service of a rehearsal. */
export interface Rehearsal extends AsyncDisposable {
  readonly url: string;
}

/** Starts the local service, whose state the steps of a job share. Its code is loaded only here. */
export async function startRehearsal(temp: string, fieldNames = FieldNames.none): Promise<Rehearsal> {
  const dataDirectory = join(temp, "graph-deploy-local");
  await makeFolder(dataDirectory, temp);
  const { startLocalService } = await import("../../src/local/index.ts");
  return await startLocalService({ dataDirectory, fieldNames });
}

// The service would name its data directory, which a user of the step does not know.
async function makeFolder(folder: string, temp: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return;
    throw new RunnerFileError("RUNNER_TEMP", temp, error);
  }
}
