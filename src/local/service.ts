import { checkedArgument } from "../contract/call-arguments.ts";
import { FieldNames } from "../contract/field-names.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { logLine } from "../text/command-free.ts";
import { Agents } from "./agents/agents.ts";
import { readAgentCommand } from "./agents/command.ts";
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
import { openDatabase } from "./state/data-directory.ts";
import { ALL } from "./state/database.ts";
import { DeploymentStore } from "./state/deployment-store.ts";
import { LogStore } from "./state/log-store.ts";
import { ObjectStore } from "./state/object-store.ts";
import { RevisionStore } from "./state/revision-store.ts";
import type { Shared } from "./state/shared.ts";

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

const DEFAULT_TENANT = "00000000-0000-4000-8000-000000000000";

/**
 * Starts the service on 127.0.0.1. Rejects with PortTakenError, with DataDirectoryError, with AgentCommandError for an
 * invalid command, or with ArgumentsError for wrong options, such as a tenant that is no UUID.
 * @idempotence Sends nothing; each call starts another service.
 * @contract All sections: the service implements them.
 */
export async function startLocalService(options: LocalServiceOptions = {}): Promise<LocalService> {
  checkedArgument("startLocalService", LocalServiceShape, options, "the first argument");
  let listener: HttpListener | undefined;
  const parts = assemble(options, () => listener?.url ?? "");
  const { shared, deployments, experiments, walker, fleet, handle } = parts;
  const { faults, records, tenantId } = shared;
  // Each part before those that it needs.
  const closeAll = async () => {
    await listener?.close();
    deployments.close();
    await walker.close();
    await fleet.close();
    shared.objects.close();
    shared.database.close();
  };
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= closeAll());
  const { fieldNames = FieldNames.none, compat: acceptOwnNames = false, port = 0 } = options;
  try {
    listener = await HttpListener.open({ ...shared, fieldNames, acceptOwnNames, server: "service", port, handle });
    await deployments.resume();
  } catch (error) {
    await close();
    throw errorCode(error) === "EADDRINUSE"
      ? new PortTakenError(`Port ${String(options.port)} is in use by another program.`, {
          cause: error,
          advice: "Choose another port, or 0 for a free one.",
        })
      : error;
  }
  const { url } = listener;
  return {
    url,
    datasetsUrl: url + datasetsPath(tenantId),
    projectsUrl: url + projectsPath(tenantId),
    faults,
    requests: records.list,
    deployments: () => deployments.list(ALL),
    revisions: (deploymentId) =>
      deployments
        .revisions(deploymentId, ALL)
        .map((view) => ({ ...view, history: shared.revisions.get(view.id)?.history ?? [] })),
    objectFile: (objectPath) => shared.objects.file(objectPath),
    addManagedDataset: (name) => experiments.addManagedDataset(name),
    close,
    [Symbol.asyncDispose]: close,
  };
}

// Throws DataDirectoryError and AgentCommandError.
function assemble(options: LocalServiceOptions, url: () => string) {
  const { dataDirectory, apiKey, compat = false, edition, keepBodies, compare } = options;
  const command = options.agentCommand === undefined ? undefined : readAgentCommand(options.agentCommand);
  const database = openDatabase(dataDirectory);
  const askedTenant = options.tenantId?.toLowerCase();
  const shared: Shared = {
    database,
    deployments: new DeploymentStore(database),
    revisions: new RevisionStore(database),
    objects: new ObjectStore(database, dataDirectory),
    logs: new LogStore(database),
    faults: new Faults(),
    records: new RequestRecords({ keepBodies }),
    tenantId: askedTenant ?? DEFAULT_TENANT,
    // Names come from outside, and whoever starts the service may print its log.
    log: (line) => options.log?.(logLine(line)),
  };
  const agents =
    command &&
    new Agents({
      ...shared,
      dataDirectory,
      environment: options.agentEnvironment ?? {},
      // A command may install the dependencies of the project first.
      startMilliseconds: options.agentStartMilliseconds ?? 120_000,
      // An agent server may wait a minute for an open run.
      graceMilliseconds: options.agentGraceMilliseconds ?? 5_000,
      command,
    });
  const fleet = new AgentFleet({ ...shared, apiKey, agents, url });
  const steps = revisionSteps({ ...shared, fleet, agents });
  const walker = new RevisionWalker({ ...shared, steps, walkMilliseconds: options.walkMilliseconds ?? 1000 });
  const rules = { compat, edition };
  const deployments = new Deployments({ ...shared, walker, fleet, secrets: agents?.secrets, rules });
  const experiments = new Experiments({
    ...shared,
    compat,
    // The hosted service takes a few seconds.
    delayMilliseconds: options.experimentDelayMilliseconds ?? 3_000,
    // The contract has no limit; a rehearsal is smaller.
    limitBytes: options.experimentLimitBytes ?? 2 * 1024 * 1024 * 1024,
  });
  const runs = new Runs(database, options.runLimitBytes ?? 20 * 1024 * 1024);
  const access = { apiKey, tenantId: askedTenant };
  const handle = serviceHandler({ ...shared, deployments, experiments, runs, url, access, compare });
  return { shared, deployments, experiments, walker, fleet, handle };
}
