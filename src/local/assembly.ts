import { FieldNames } from "../contract/field-names.ts";
import { AgentFleet } from "./agent-fleet.ts";
import { openDatabase } from "./database.ts";
import { DeploymentStore } from "./deployment-store.ts";
import { Deployments } from "./deployments.ts";
import { Faults } from "./faults.ts";
import { HttpListener } from "./http-listener.ts";
import { LogStore } from "./log-store.ts";
import { ObjectStore } from "./object-store.ts";
import { RequestRecords } from "./request-record.ts";
import { revisionSteps } from "./revision-steps.ts";
import { RevisionStore } from "./revision-store.ts";
import { RevisionWalker } from "./revision-walk.ts";
import type { LocalServiceOptions } from "./options.ts";
import { serviceAnswer } from "./service-routes.ts";

/** What a service consists of, once it is put together. */
export interface Parts {
  readonly faults: Faults;
  readonly records: RequestRecords;
  readonly deployments: Deployments;
  readonly revisions: RevisionStore;
  readonly objects: ObjectStore;
  /** Settles with the service's URL once it listens, and its agent servers too. */
  listen(): Promise<string>;
  /** Ends everything, in the order in which one part needs another. */
  close(): Promise<void>;
}

const DEFAULT_WALK_MS = 1000;
const DEFAULT_TENANT = "00000000-0000-4000-8000-000000000000";

/** Puts the parts together; throws DataDirectoryError when the state cannot be opened. */
export function assemble(options: LocalServiceOptions): Parts {
  const { apiKey, tenantId, fieldNames = FieldNames.none, log = () => undefined } = options;
  const database = openDatabase(options.dataDirectory);
  const ground = {
    deployments: new DeploymentStore(database),
    revisions: new RevisionStore(database),
    objects: new ObjectStore(database, options.dataDirectory),
    logs: new LogStore(database),
    faults: new Faults(),
    records: new RequestRecords(),
    tenantId: tenantId ?? DEFAULT_TENANT,
    log,
  };
  const fleet = new AgentFleet({ ...ground, apiKey });
  const { walkMilliseconds = DEFAULT_WALK_MS, compat = false, edition } = options;
  const steps = revisionSteps({ ...ground, fleet });
  const walker = new RevisionWalker({ ...ground, fates: ground.faults.revisions, steps, walkMilliseconds });
  const deployments = new Deployments({ ...ground, database, walker, fleet, rules: { compat, edition } });
  let listener: HttpListener | undefined;
  const url = () => listener?.url ?? "";
  const answer = serviceAnswer({ ...ground, deployments, url, access: { apiKey, tenantId } });
  return {
    ...ground,
    deployments,
    async listen() {
      const wire = { fieldNames, oursToo: compat };
      listener = await HttpListener.open({ ...ground, ...wire, server: "service", port: options.port ?? 0, answer });
      await deployments.resume();
      return listener.url;
    },
    async close() {
      await listener?.close();
      deployments.close();
      await walker.close();
      await fleet.close();
      ground.objects.close();
      database.close();
    },
  };
}
