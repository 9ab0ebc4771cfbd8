import { checkedArgument } from "../contract/call-arguments.ts";
import { FieldNames } from "../contract/field-names.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { logLine } from "../text/command-free.ts";
import { Agents } from "./agents/agents.ts";
import { AgentCommand } from "./agents/command.ts";
import { AgentFleet } from "./agents/fleet.ts";
import { Deployments } from "./deployments/deployments.ts";
import { revisionSteps } from "./deployments/revision-steps.ts";
import { RevisionWalker } from "./deployments/revision-walk.ts";
import type { DeploymentView, RevisionView } from "./deployments/view.ts";
import { Experiments } from "./experiments/experiments.ts";
import type { DatasetView } from "./experiments/view.ts";
import { Faults } from "./faults/faults.ts";
import { errorCode } from "./http/error.ts";
import { HttpListener } from "./http/listener.ts";
import { type RecordedRequest, RequestRecords } from "./http/request-record.ts";
import { LocalServiceShape, type LocalServiceOptions } from "./options.ts";
import { datasetsPath, projectsPath } from "./pages/paths.ts";
import { serviceHandler } from "./routes.ts";
import { Runs } from "./runs/runs.ts";
import { ALL, openDatabase, type Database } from "./state/database.ts";
import { DeploymentStore } from "./state/deployment-store.ts";
import { LogStore } from "./state/log-store.ts";
import { ObjectStore } from "./state/object-store.ts";
import { RevisionStore } from "./state/revision-store.ts";

/** A revision with all its statuses, in order. */
export interface LocalRevision extends RevisionView {
  readonly history: readonly string[];
}

/** A running service. */
export interface LocalService extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string;
  /** The page of the datasets, their experiments and the comparison of two. */
  readonly datasetsUrl: string;
  /** The page of the projects, their traces and the runs of each. */
  readonly projectsUrl: string;
  readonly faults: Faults;
  /** The latest requests to the service and its agent servers, oldest first: up to 10,000, or 32 MiB of memory. */
  readonly requests: readonly RecordedRequest[];
  /** Newest first. */
  deployments(): readonly DeploymentView[];
  /** Newest first. */
  revisions(deploymentId: string): readonly LocalRevision[];
  /** The file of an uploaded object; undefined until it is uploaded. */
  objectFile(objectPath: string): string | undefined;
  /** Adds a dataset that the service itself manages, so that it does not accept uploads. */
  addManagedDataset(name: string): DatasetView;
  /**
   * Ends the service and its agents.
   * @throws The error of the file system.
   * @idempotence Sends nothing; may be called twice.
   */
  close(): Promise<void>;
}

/** The port is in use by another program. */
export class PortTakenError extends GraphDeployError {
  readonly code = "LOCAL_PORT_TAKEN";
}

/** The parts of a service, connected. */
interface Parts {
  readonly faults: Faults;
  readonly records: RequestRecords;
  readonly deployments: Deployments;
  readonly revisions: RevisionStore;
  readonly objects: ObjectStore;
  readonly experiments: Experiments;
  readonly tenantId: string;
  /** Resolves with the URL once the service and its agent servers listen. */
  listen(): Promise<string>;
  /** Closes all parts, each before those that it needs. */
  close(): Promise<void>;
}

const DEFAULT_WALK_MS = 1000;
// A command may install the dependencies of the project first.
const DEFAULT_AGENT_START_MS = 120_000;
// An agent server may wait a minute for an open run.
const DEFAULT_AGENT_GRACE_MS = 5_000;
// The hosted service takes a few seconds.
const DEFAULT_EXPERIMENT_DELAY_MS = 3_000;
// The contract has no limit; a rehearsal is smaller.
const DEFAULT_EXPERIMENT_LIMIT_BYTES = 2 * 1024 * 1024 * 1024;
const DEFAULT_RUN_LIMIT_BYTES = 20 * 1024 * 1024;
const DEFAULT_TENANT = "00000000-0000-4000-8000-000000000000";

/**
 * Starts the service on 127.0.0.1. Rejects with PortTakenError, with DataDirectoryError, with AgentCommandError for an
 * invalid command, or with ArgumentsError for wrong options, such as a tenant that is no UUID.
 * @idempotence Sends nothing; each call starts another service.
 * @contract All sections: the service implements them.
 */
export async function startLocalService(options: LocalServiceOptions = {}): Promise<LocalService> {
  checkedArgument("startLocalService", LocalServiceShape, options, "the first argument");
  const parts = assemble(options);
  try {
    return new RunningService(await parts.listen(), parts);
  } catch (error) {
    await parts.close();
    throw errorCode(error) === "EADDRINUSE"
      ? new PortTakenError(`Port ${String(options.port)} is in use by another program.`, {
          cause: error,
          advice: "Choose another port, or 0 for a free one.",
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
  #closed?: Promise<void>;

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

function storesOf(database: Database, options: LocalServiceOptions) {
  const tenantId = options.tenantId?.toLowerCase() ?? DEFAULT_TENANT;
  // Names come from outside, and whoever starts the service may print its log.
  const log = (line: string) => options.log?.(logLine(line));
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
    records: new RequestRecords({ keepBodies: options.keepBodies }),
    tenantId,
    log,
  };
}

// Throws DataDirectoryError and AgentCommandError.
function assemble(options: LocalServiceOptions): Parts {
  const { apiKey, fieldNames = FieldNames.none } = options;
  const command = options.agentCommand === undefined ? undefined : AgentCommand.parse(options.agentCommand);
  const database = openDatabase(options.dataDirectory);
  const parts = storesOf(database, options);
  const agents =
    command &&
    new Agents({
      ...parts,
      dataDirectory: options.dataDirectory,
      environment: options.agentEnvironment ?? {},
      startMilliseconds: options.agentStartMilliseconds ?? DEFAULT_AGENT_START_MS,
      graceMilliseconds: options.agentGraceMilliseconds ?? DEFAULT_AGENT_GRACE_MS,
      command,
    });
  let listener: HttpListener | undefined;
  const url = () => listener?.url ?? "";
  const fleet = new AgentFleet({ ...parts, apiKey, agents, url });
  const { walkMilliseconds = DEFAULT_WALK_MS, compat = false, edition } = options;
  const steps = revisionSteps({ ...parts, fleet, agents });
  const walker = new RevisionWalker({ ...parts, fates: parts.faults.revisions, steps, walkMilliseconds });
  const rules = { compat, edition };
  const secrets = agents?.secrets;
  const deployments = new Deployments({ ...parts, database, walker, fleet, secrets, rules });
  const access = { apiKey, tenantId: options.tenantId?.toLowerCase() };
  const handle = serviceHandler({ ...parts, deployments, url, access, compare: options.compare });
  return {
    ...parts,
    deployments,
    async listen() {
      const wire = { fieldNames, acceptOwnNames: compat };
      listener = await HttpListener.open({ ...parts, ...wire, server: "service", port: options.port ?? 0, handle });
      await deployments.resume();
      return listener.url;
    },
    async close() {
      await listener?.close();
      deployments.close();
      await walker.close();
      await fleet.close();
      parts.objects.close();
      database.close();
    },
  };
}
