import type { DatabaseSync } from "node:sqlite";
import { FieldNames } from "../contract/field-names.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { Agents, type AgentsOptions } from "./agents/agents.ts";
import { AgentCommand } from "./agents/command.ts";
import { AgentFleet } from "./agents/fleet.ts";
import { Deployments } from "./deployments/deployments.ts";
import { revisionSteps } from "./deployments/revision-steps.ts";
import { RevisionWalker } from "./deployments/revision-walk.ts";
import type { DeploymentView, RevisionView } from "./deployments/view.ts";
import { Experiments } from "./experiments/experiments.ts";
import type { DatasetView } from "./experiments/view.ts";
import { Faults } from "./faults/faults.ts";
import { HttpListener } from "./http/listener.ts";
import { type RecordedRequest, RequestRecords } from "./http/request-record.ts";
import type { LocalServiceOptions } from "./options.ts";
import { datasetsPath, projectsPath } from "./pages/paths.ts";
import { serviceHandler } from "./routes.ts";
import { Runs } from "./runs/runs.ts";
import { openDatabase } from "./state/database.ts";
import { DeploymentStore } from "./state/deployment-store.ts";
import { LogStore } from "./state/log-store.ts";
import { ObjectStore } from "./state/object-store.ts";
import { RevisionStore } from "./state/revision-store.ts";

/** A revision, and each status that it has had, in order. */
export interface LocalRevision extends RevisionView {
  readonly history: readonly string[];
}

/** A running service. */
export interface LocalService extends AsyncDisposable {
  /** Without a slash at the end. */
  readonly url: string;
  /** The page of the datasets, their experiments and the comparison of two. */
  readonly datasetsUrl: string;
  /** The page of the projects, their traces and the runs of each. */
  readonly projectsUrl: string;
  readonly faults: Faults;
  /** What was asked of the service and of its agent servers, oldest first; the latest 10,000. */
  readonly requests: readonly RecordedRequest[];
  /** Newest first. */
  deployments(): readonly DeploymentView[];
  /** Newest first. */
  revisions(deploymentId: string): readonly LocalRevision[];
  /** The file with the bytes of an uploaded object; undefined until they are there. */
  objectFile(objectPath: string): string | undefined;
  /** Makes a dataset that the service itself manages, so that it takes no uploads. */
  addManagedDataset(name: string): DatasetView;
  close(): Promise<void>;
}

/** The port is in use by another program. */
export class PortTakenError extends GraphDeployError {
  readonly code = "LOCAL_PORT_TAKEN";
}

const ALL = { limit: -1, offset: 0 };

/**
 * Starts the service on 127.0.0.1. Rejects with PortTakenError, or with DataDirectoryError when the folder cannot be
 * used.
 */
export async function startLocalService(options: LocalServiceOptions = {}): Promise<LocalService> {
  const parts = assemble(options);
  try {
    return new RunningService(await parts.listen(), parts);
  } catch (error) {
    await parts.close();
    throw isTaken(error)
      ? new PortTakenError(`Port ${String(options.port)} is taken by another program.`, {
          cause: error,
          advice: "Name another port, or 0 for a free one.",
        })
      : error;
  }
}

class RunningService implements LocalService {
  readonly url: string;
  readonly datasetsUrl: string;
  readonly projectsUrl: string;
  readonly faults: Faults;
  readonly requests: readonly RecordedRequest[];
  readonly #parts: Parts;
  #closed: Promise<void> | undefined;

  constructor(url: string, parts: Parts) {
    this.url = url;
    this.datasetsUrl = url + datasetsPath(parts.tenantId);
    this.projectsUrl = url + projectsPath(parts.tenantId);
    this.faults = parts.faults;
    this.requests = parts.records.list;
    this.#parts = parts;
  }

  deployments(): readonly DeploymentView[] {
    return this.#parts.deployments.list(ALL);
  }

  revisions(deploymentId: string): readonly LocalRevision[] {
    return this.#parts.deployments
      .revisions(deploymentId, ALL)
      .map((view) => ({ ...view, history: this.#parts.revisions.get(view.id)?.history ?? [] }));
  }

  objectFile(objectPath: string): string | undefined {
    return this.#parts.objects.file(objectPath);
  }

  addManagedDataset(name: string): DatasetView {
    return this.#parts.experiments.addManagedDataset(name);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#parts.close());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}

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
const DEFAULT_RUN_LIMIT_BYTES = 20 * 1024 * 1024;
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
    runs: new Runs({ database, limitBytes: options.runLimitBytes ?? DEFAULT_RUN_LIMIT_BYTES }),
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
  const handle = serviceHandler({ ...ground, deployments, url, access: { apiKey, tenantId } });
  return {
    ...ground,
    deployments,
    async listen() {
      const wire = { fieldNames, oursToo: compat };
      listener = await HttpListener.open({ ...ground, ...wire, server: "service", port: options.port ?? 0, handle });
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
