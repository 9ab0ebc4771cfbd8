import { randomUUID } from "node:crypto";
import type { DeploymentCreate } from "../../contract/deployment.ts";
import { makesRevision } from "../../contract/source.ts";
import type { SecretValues } from "../agents/agents.ts";
import type { AgentFleet } from "../agents/fleet.ts";
import { HttpError, noRoom, notFound } from "../http/error.ts";
import { ALL, atomically, timestamp, type Page } from "../state/database.ts";
import type { DeploymentRow } from "../state/deployment-store.ts";
import type { RowFilter } from "../state/rows.ts";
import { revisionConfig, type RevisionConfig } from "../state/revision-store.ts";
import type { Shared } from "../state/shared.ts";
import { checkPatch, readCreate, readPatch, type RequestRules } from "./request.ts";
import type { RevisionWalker } from "./revision-walk.ts";
import { viewDeployment, viewRevision, type DeploymentView, type RevisionView } from "./view.ts";

export interface DeploymentsOptions extends Shared {
  readonly walker: RevisionWalker;
  readonly fleet: AgentFleet;
  /** The values of secrets; undefined if no process needs them. */
  readonly secrets: SecretValues | undefined;
  readonly rules: RequestRules;
}

// How soon a delete is tried again that found no room on the disk.
const RETRY_MS = 1_000;

/** The operations of the control plane. Each throws an HttpError if the request is not allowed. */
export class Deployments {
  readonly #options: DeploymentsOptions;
  readonly #deleting = new Map<string, NodeJS.Timeout>();
  /** Names that the traces of a deleted deployment keep. */
  readonly #kept = new Set<string>();
  #isClosed = false;

  constructor(options: DeploymentsOptions) {
    this.#options = options;
  }

  /** Creates a deployment and its first revision. */
  create(body: unknown): DeploymentView {
    const request = readCreate(body, this.#options.rules);
    if (this.#options.deployments.byName(request.name)) {
      throw new HttpError(409, `There already exists a deployment named ${request.name}.`);
    }
    if (this.#kept.has(request.name)) {
      throw new HttpError(409, `There already exists a tracing project named ${request.name}.`);
    }
    const id = randomUUID();
    const { view, begin } = atomically(this.#options.database, () => {
      this.#options.deployments.insert(id, request);
      const begin = this.#addRevision(this.row(id), revisionConfig(request.source_revision_config));
      return { view: this.get(id), begin };
    });
    // Nothing has changed in memory if the disk was full.
    this.#keep(id, request.secrets);
    begin();
    return view;
  }

  /** Updates a deployment. Any source fields that are not null create exactly one revision. */
  patch(id: string, body: unknown): DeploymentView {
    const request = readPatch(body, this.#options.rules);
    const deployment = this.row(id);
    const { database, deployments, revisions, objects, faults } = this.#options;
    const { conditions } = faults;
    const config = revisions.latest(id)?.source_revision_config;
    // Some object stores drop a tarball once it is built.
    const isSpent = (path: string) => conditions.tarballsServeOnce && revisions.hasTarball(id, path);
    const isUploaded = (path: string) => objects.isUploaded(id, path) && !isSpent(path);
    checkPatch(request, { deployment, config, isUploaded });
    // Public clients may also name a source for this revision only.
    const { source } = deployment;
    if ((request["revision_source"] ?? source) !== source) {
      throw new HttpError(400, `revision_source does not match: the source of this deployment is ${source}.`);
    }
    if (deployment.status !== "READY") throw new HttpError(409, `Deployment ID ${id} is being deleted.`);
    if (conditions.patchesWithoutRevision > 0) {
      conditions.patchesWithoutRevision -= 1;
      return this.get(id);
    }
    const { view, begin } = atomically(database, () => {
      deployments.update(deployment, request);
      const given = request.source_revision_config ?? {};
      const begin = makesRevision(given) ? this.#addRevision(deployment, revisionConfig(given, config)) : undefined;
      return { view: this.get(id), begin };
    });
    if (request.secrets != null) this.#keep(id, request.secrets);
    if (!begin) return view;
    begin();
    this.#addForeignRevision(deployment);
    return view;
  }

  get(id: string): DeploymentView {
    return this.#view(this.row(id));
  }

  /** One page, newest first. */
  list(filter: RowFilter & Page): readonly DeploymentView[] {
    return this.#options.deployments.list(this.#lagging(filter)).map((row) => this.#view(row));
  }

  count(filter: RowFilter): number {
    return this.#options.deployments.count(this.#lagging(filter));
  }

  /** Deletes at once, or later if `deleteMilliseconds` is set. */
  async delete(id: string, { withTraces }: { readonly withTraces: boolean }): Promise<void> {
    const { name } = this.row(id);
    const { deleteMilliseconds, keepsTraces } = this.#options.faults.conditions;
    if (keepsTraces && !withTraces) this.#kept.add(name);
    if (deleteMilliseconds === 0) {
      await this.#remove(id);
      return;
    }
    this.#options.deployments.markForDelete(id);
    if (this.#deleting.has(id)) return;
    this.#removeLater(id, deleteMilliseconds);
  }

  revision(deploymentId: string, revisionId: string): RevisionView {
    this.row(deploymentId);
    const revision = this.#options.revisions.get(revisionId);
    return revision?.deployment_id === deploymentId ? viewRevision(revision) : notFound("Revision", revisionId);
  }

  /** One page, newest first. */
  revisions(deploymentId: string, filter: Page & Pick<RowFilter, "statuses">): readonly RevisionView[] {
    const ofIt = { ...filter, deploymentId: this.row(deploymentId).id };
    return this.#options.revisions.list(ofIt).map(viewRevision);
  }

  /** 404 for an unknown deployment. */
  revisionCount(deploymentId: string, search = ""): number {
    return this.#options.revisions.count({ deploymentId: this.row(deploymentId).id, search });
  }

  /** The SHA-256 of the archive that a configuration names, in hex; undefined if it names none that was uploaded. */
  archiveDigest({ source_tarball_path }: RevisionView["source_revision_config"]): string | undefined {
    return source_tarball_path === null ? undefined : this.#options.objects.digest(source_tarball_path);
  }

  /** The stored deployment; 404 if it does not exist. */
  row(id: string): DeploymentRow {
    return this.#options.deployments.get(id) ?? notFound("Deployment", id);
  }

  /** Continues what a previous process left unfinished. */
  async resume(): Promise<void> {
    const { deployments, fleet, revisions, walker } = this.#options;
    for (const row of deployments.list(ALL)) {
      if (row.status === "AWAITING_DELETE") await this.#removeMarked(row.id);
      else if (row.active_revision_id !== null) await fleet.resume(row);
    }
    for (const revision of revisions.unfinished()) walker.resume(revision, this.row(revision.deployment_id));
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#deleting.values()) clearTimeout(timer);
  }

  // A list may lag behind.
  #lagging<Filter extends RowFilter>(filter: Filter): Filter {
    const lag = this.#options.faults.conditions.listLagMilliseconds;
    return lag > 0 ? { ...filter, createdBefore: timestamp(Date.now() - lag) } : filter;
  }

  // Within a transaction: what it returns starts the walk of the new revision after it.
  #addRevision(deployment: DeploymentRow, config: RevisionConfig): () => void {
    const { revisions, walker } = this.#options;
    const id = randomUUID();
    revisions.insert(id, deployment, config, "CREATING");
    return walker.add(revisions.get(id) ?? notFound("Revision", id), deployment);
  }

  // After the response to the client, as in a race with another user.
  #addForeignRevision(deployment: DeploymentRow): void {
    const { conditions } = this.#options.faults;
    if (conditions.foreignRevisions === 0) return;
    conditions.foreignRevisions -= 1;
    const config = this.#options.revisions.latest(deployment.id)?.source_revision_config;
    if (!config) return;
    const path = config.source_tarball_path;
    const foreignPath = path === null ? null : this.#options.objects.duplicate(deployment.id, path);
    const foreign = { ...config, source_tarball_path: foreignPath };
    atomically(this.#options.database, () => this.#addRevision(deployment, foreign))();
  }

  #keep(id: string, secrets: DeploymentCreate["secrets"]): void {
    this.#options.secrets?.set(id, new Map(secrets.map(({ name, value }) => [name, value])));
  }

  #removeLater(id: string, milliseconds: number): void {
    if (this.#isClosed) return;
    const timer = setTimeout(() => void this.#removeMarked(id), milliseconds);
    this.#deleting.set(id, timer);
  }

  // Again and again while the disk is full.
  async #removeMarked(id: string): Promise<void> {
    this.#deleting.delete(id);
    try {
      await this.#remove(id);
    } catch (error) {
      const full = noRoom(error);
      this.#options.log(`Deployment ${id} is not deleted yet: ${full || String(error)}`);
      if (full !== "") this.#removeLater(id, RETRY_MS);
    }
  }

  async #remove(id: string): Promise<void> {
    const { deployments, fleet, objects } = this.#options;
    const files = objects.filesOf(id);
    deployments.remove(id);
    objects.remove(files);
    await fleet.remove(id);
  }

  #view(row: DeploymentRow): DeploymentView {
    const { fleet, revisions, tenantId } = this.#options;
    return viewDeployment(row, revisions.latest(row.id), fleet.url(row), tenantId);
  }
}
