import type { Faults } from "../faults/faults.ts";
import type { RequestRecords } from "../http/request-record.ts";
import type { Database } from "./database.ts";
import type { DeploymentStore } from "./deployment-store.ts";
import type { LogStore } from "./log-store.ts";
import type { ObjectStore } from "./object-store.ts";
import type { RevisionStore } from "./revision-store.ts";

/** What the parts of a service share. */
export interface Shared {
  readonly database: Database;
  readonly deployments: DeploymentStore;
  readonly revisions: RevisionStore;
  readonly objects: ObjectStore;
  readonly logs: LogStore;
  readonly faults: Faults;
  readonly records: RequestRecords;
  readonly tenantId: string;
  readonly log: (line: string) => void;
}
