import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { assemble, type Parts } from "./assembly.ts";
import type { DeploymentView, RevisionView } from "./deployments/view.ts";
import type { DatasetView } from "./experiments/view.ts";
import type { Faults } from "./faults/faults.ts";
import type { LocalServiceOptions } from "./options.ts";
import { datasetsPath, projectsPath } from "./pages/paths.ts";
import type { RecordedRequest } from "./http/request-record.ts";

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
