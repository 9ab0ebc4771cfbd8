import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { FieldNames } from "../../src/contract/field-names.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import type { Place } from "../host.ts";
import { tempError } from "../host-file-error.ts";

export interface ReachedService extends AsyncDisposable {
  readonly endpoint: Endpoint;
  /** It is a local service, which ends with the step. */
  readonly isRehearsal: boolean;
  /** Where the agent that was deployed last answers, of a local service; empty without one. */
  readonly agentUrl: string;
}

/**
 * The service of the inputs; for `local` it starts a local service, whose state the steps of a job share. Its code is
 * loaded only here.
 */
export async function reachService(
  service: Endpoint | "local",
  place: Place,
  fieldNames = FieldNames.none,
): Promise<ReachedService> {
  if (service !== "local") {
    return { endpoint: service, isRehearsal: false, agentUrl: "", [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const dataDirectory = join(place.temp, "graph-deploy-local");
  // The service would name its data directory, which a user of the step does not know.
  await mkdir(dataDirectory, { mode: 0o700 }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return;
    throw tempError(place, error);
  });
  const { startLocalService } = await import("../../src/local/index.ts");
  const local = await startLocalService({ dataDirectory, fieldNames });
  return {
    endpoint: new Endpoint(local.url),
    isRehearsal: true,
    agentUrl: local.deployments().find(({ url }) => url !== null)?.url ?? "",
    [Symbol.asyncDispose]: () => local[Symbol.asyncDispose](),
  };
}
