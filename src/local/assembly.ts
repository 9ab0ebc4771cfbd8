import type { DatabaseSync } from "node:sqlite";
import { FieldNames } from "../contract/field-names.ts";
import { AgentCommand } from "./agents/command.ts";
import { AgentFleet } from "./agents/fleet.ts";
import { Agents, type AgentsOptions } from "./agents/agents.ts";
import { openDatabase } from "./state/database.ts";
import { DeploymentStore } from "./state/deployment-store.ts";
import { Deployments } from "./deployments/deployments.ts";
import { Experiments } from "./experiments/experiments.ts";
import { Faults } from "./faults/faults.ts";
import { HttpListener } from "./http/listener.ts";
import { LogStore } from "./state/log-store.ts";
import { ObjectStore } from "./state/object-store.ts";
import { RequestRecords } from "./http/request-record.ts";
import { revisionSteps } from "./deployments/revision-steps.ts";
import { RevisionStore } from "./state/revision-store.ts";
import { RevisionWalker } from "./deployments/revision-walk.ts";
import type { LocalServiceOptions } from "./options.ts";
import { RUN_LIMIT_BYTES } from "./runs/limits.ts";
import { Runs } from "./runs/runs.ts";
import { serviceAnswer } from "./routes.ts";

/** What a service consists of, once it is put together. */
export interface Parts {
  readonly faults: Faults;
  readonly records: RequestRecords;
  readonly deployments: Deployments;
  readonly revisions: RevisionStore;
  readonly objects: ObjectStore;
  readonly experiments: Experiments;
  readonly tenantId: string;
  /** Settles with the service's URL once it listens, and its agent servers too. */
  listen(): Promise<string>;
  /** Ends everything, in the order in which one part needs another. */
  close(): Promise<void>;
}

const DEFAULT_WALK_MS = 1000;
// A command may install what its project needs before it starts the agent.
const DEFAULT_AGENT_START_MS = 120_000;
// An agent server may wait a minute for a run that is open.
const DEFAULT_AGENT_GRACE_MS = 5_000;
// A service counts for a few seconds.
const DEFAULT_EXPERIMENT_DELAY_MS = 3_000;
// Services name no limit; what a person rehearses with is smaller.
const DEFAULT_EXPERIMENT_LIMIT_BYTES = 2 * 1024 * 1024 * 1024;
const DEFAULT_TENANT = "00000000-0000-4000-8000-000000000000";

type AgentSettings = Pick<AgentsOptions, "dataDirectory" | "environment" | "graceMilliseconds" | "startMilliseconds">;

function agentSettings(options: LocalServiceOptions): AgentSettings {
  return {
    dataDirectory: options.dataDirectory,
    environment: options.agentEnvironment ?? {},
    startMilliseconds: options.agentStartMilliseconds ?? DEFAULT_AGENT_START_MS,
    graceMilliseconds: options.agentGraceMilliseconds ?? DEFAULT_AGENT_GRACE_MS,
  };
}

// What each of the parts may need.
function layGround(database: DatabaseSync, options: LocalServiceOptions) {
  const { tenantId = DEFAULT_TENANT, log = () => undefined } = options;
  return {
    deployments: new DeploymentStore(database),
    revisions: new RevisionStore(database),
    objects: new ObjectStore(database, options.dataDirectory),
    logs: new LogStore(database),
    experiments: new Experiments({
      database,
      tenantId,
      log,
      compat: options.compat ?? false,
      delayMilliseconds: options.experimentDelayMilliseconds ?? DEFAULT_EXPERIMENT_DELAY_MS,
      limitBytes: options.experimentLimitBytes ?? DEFAULT_EXPERIMENT_LIMIT_BYTES,
    }),
    runs: new Runs({ database, limitBytes: options.runLimitBytes ?? RUN_LIMIT_BYTES }),
    faults: new Faults(),
    records: new RequestRecords(),
    tenantId,
    log,
  };
}

/** Puts the parts together; throws DataDirectoryError when the state cannot be opened, and AgentCommandError. */
export function assemble(options: LocalServiceOptions): Parts {
  const { apiKey, tenantId, fieldNames = FieldNames.none } = options;
  const command = options.agentCommand === undefined ? undefined : AgentCommand.parse(options.agentCommand);
  const database = openDatabase(options.dataDirectory);
  const ground = layGround(database, options);
  const agents = command === undefined ? undefined : new Agents({ ...ground, ...agentSettings(options), command });
  let listener: HttpListener | undefined;
  const url = () => listener?.url ?? "";
  const fleet = new AgentFleet({ ...ground, apiKey, agents, url });
  const { walkMilliseconds = DEFAULT_WALK_MS, compat = false, edition } = options;
  const steps = revisionSteps({ ...ground, fleet, agents });
  const walker = new RevisionWalker({ ...ground, fates: ground.faults.revisions, steps, walkMilliseconds });
  const rules = { compat, edition };
  const secrets = agents?.secrets;
  const deployments = new Deployments({ ...ground, database, walker, fleet, secrets, rules });
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
