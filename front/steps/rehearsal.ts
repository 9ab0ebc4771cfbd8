import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { FieldNames } from "../../src/contract/field-names.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { RunnerFileError } from "../host-file-error.ts";

/** The service that a step uses. */
export interface ReachedService extends AsyncDisposable {
  readonly endpoint: Endpoint;
  /** It is a local service, which ends with the step. */
  readonly isRehearsal: boolean;
}

/**
 * The service of the inputs; for `local` it starts a local service, whose state the steps of a job share. Its code is
 * loaded only here.
 */
export async function reachService(
  service: Endpoint | "local",
  temp: string,
  fieldNames = FieldNames.none,
): Promise<ReachedService> {
  if (service !== "local") {
    return { endpoint: service, isRehearsal: false, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const dataDirectory = join(temp, "graph-deploy-local");
  await makeDirectory(dataDirectory, temp);
  const { startLocalService } = await import("../../src/local/index.ts");
  const local = await startLocalService({ dataDirectory, fieldNames });
  return {
    endpoint: new Endpoint(local.url),
    isRehearsal: true,
    [Symbol.asyncDispose]: () => local[Symbol.asyncDispose](),
  };
}

// The service would name its data directory, which a user of the step does not know.
async function makeDirectory(directory: string, temp: string): Promise<void> {
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return;
    throw new RunnerFileError("RUNNER_TEMP", temp, error);
  }
}
