import { join } from "node:path";
import { FieldNames } from "../../src/contract/field-names.ts";

/** The service of a rehearsal. */
export interface Rehearsal extends AsyncDisposable {
  readonly url: string;
}

/** Starts the embedded service; its state is shared by the steps of a job. Its code is loaded only here. */
export async function startRehearsal(temp: string, fieldNames = FieldNames.none): Promise<Rehearsal> {
  const { startLocalService } = await import("../../src/local/index.ts");
  return await startLocalService({ dataDirectory: join(temp, "graph-deploy-local"), fieldNames });
}
