import { FieldNames } from "../../contract/field-names.ts";
import { posix } from "node:path";
import { DEFAULT_GRAPH_CONFIG } from "../../contract/graph-config.ts";
import type { ServedRevision } from "../agent-server/assistants.ts";
import { readRecordedAnswers, RecordedAnswers } from "../agent-server/recorded-answers.ts";
import { agentHandler } from "../agent-server/routes.ts";
import { checkAccess, type AccessRules } from "../http/access.ts";
import { noRoom } from "../http/error.ts";
import { HttpListener, type ListenerOptions } from "../http/listener.ts";
import type { DeploymentRow } from "../state/deployment-store.ts";
import type { RevisionRow } from "../state/revision-store.ts";
import type { Shared } from "../state/shared.ts";
import type { Agents } from "./agents.ts";
import { forward } from "./running-agent.ts";

export interface FleetOptions extends Shared {
  /** The processes of the uploaded projects; without them the built-in agent server responds. */
  readonly agents: Agents | undefined;
  readonly apiKey: string | undefined;
  /** The URL of the service itself. */
  readonly url: () => string;
}

/** The agent servers: one address for each deployment, which all its revisions use, also after a restart. */
export class AgentFleet {
  readonly #options: FleetOptions;
  readonly #listeners = new Map<string, HttpListener>();
  /** By deployment, of the revision that served the last run. */
  readonly #answers = new Map<string, { readonly revisionId: string; readonly answers: Promise<RecordedAnswers> }>();

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  /** The URL of the deployment's agent server; undefined until a revision is deployed. */
  url(deployment: Pick<DeploymentRow, "id" | "active_revision_id">): string | undefined {
    return deployment.active_revision_id === null ? undefined : this.#listeners.get(deployment.id)?.url;
  }

  /** Opens the address of the deployment's agent server, unless it is open already. Returns the URL. */
  async open(deployment: DeploymentRow): Promise<string> {
    const open = this.#listeners.get(deployment.id);
    if (open) return open.url;
    const listener = await this.#listen(deployment);
    this.#listeners.set(deployment.id, listener);
    return listener.url;
  }

  /** Opens the address of a deployment that served before a restart; its agent starts in the background. */
  async resume(deployment: DeploymentRow): Promise<void> {
    const { agents, revisions, log } = this.#options;
    try {
      await this.open(deployment);
    } catch (error) {
      // The service starts all the same: what it stores can be read.
      const full = noRoom(error);
      if (full === "") throw error;
      log(`${deployment.name}: its agent has no address until the next start, because ${full}`);
      return;
    }
    const revision = revisions.get(deployment.active_revision_id ?? "");
    if (!agents || !revision || deployment.source !== "internal_source") return;
    agents.resume(revision).catch((error: unknown) => {
      log(`${deployment.name}: could not start its agent: ${String(error)}`);
    });
  }

  async remove(deploymentId: string): Promise<void> {
    this.#answers.delete(deploymentId);
    await this.#shut(deploymentId);
    await this.#options.agents?.remove(deploymentId);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#listeners.keys()].map((id) => this.#shut(id)));
    await this.#options.agents?.close();
  }

  async #shut(deploymentId: string): Promise<void> {
    const listener = this.#listeners.get(deploymentId);
    this.#listeners.delete(deploymentId);
    await listener?.close();
  }

  async #listen(deployment: DeploymentRow): Promise<HttpListener> {
    const { agents, apiKey, deployments, faults, log, records, url } = this.#options;
    const access: AccessRules = { apiKey };
    const builtIn = agentHandler({
      served: () => this.#served(deployment.id),
      answers: () => this.#answersOf(deployment.id),
      serviceUrl: url,
      fates: faults.runs,
    });
    const options: Omit<ListenerOptions, "port"> = {
      server: "agent",
      fieldNames: FieldNames.none,
      acceptOwnNames: true,
      faults,
      records,
      log,
      handle: (call) => {
        checkAccess(call.headers, access, call.path === "/docs" ? "page" : "agent");
        return agents && deployment.source === "internal_source"
          ? forward(call, agents.serving(deployment.id), apiKey)
          : builtIn(call);
      },
    };
    const known = deployment.agent_port;
    const listener = await HttpListener.open({ ...options, port: known ?? 0 }).catch((error: unknown) => {
      if (known === null) throw error;
      log(`${deployment.name}: port ${String(known)} is in use by another program; its agent moves to a new address`);
      return HttpListener.open({ ...options, port: 0 });
    });
    if (listener.port === known) return listener;
    try {
      deployments.setAgentPort(deployment.id, listener.port);
    } catch (error) {
      await listener.close();
      throw error;
    }
    return listener;
  }

  #active(deploymentId: string): { readonly deployment: DeploymentRow; readonly revision: RevisionRow } {
    const deployment = this.#options.deployments.get(deploymentId);
    const revision = this.#options.revisions.get(deployment?.active_revision_id ?? "");
    if (!deployment || !revision) throw new Error("No revision is active.");
    return { deployment, revision };
  }

  // Read once for a revision.
  #answersOf(deploymentId: string): Promise<RecordedAnswers> {
    const { objects, log } = this.#options;
    const { deployment, revision } = this.#active(deploymentId);
    const known = this.#answers.get(deploymentId);
    if (known?.revisionId === revision.id) return known.answers;
    const { source_tarball_path, graph_config_path } = revision.source_revision_config;
    const file = objects.file(source_tarball_path ?? "");
    const configPath = posix.normalize(graph_config_path ?? DEFAULT_GRAPH_CONFIG);
    const answers =
      file === undefined
        ? Promise.resolve(RecordedAnswers.none)
        : readRecordedAnswers(file, configPath, new AbortController().signal).catch((error: unknown) => {
            log(`${deployment.name}: could not read its recorded answers: ${String(error)}`);
            return RecordedAnswers.none;
          });
    this.#answers.set(deploymentId, { revisionId: revision.id, answers });
    return answers;
  }

  #served(deploymentId: string): ServedRevision {
    const { deployment, revision } = this.#active(deploymentId);
    return {
      deploymentId,
      name: deployment.name,
      revisionId: revision.id,
      tenantId: this.#options.tenantId,
      graphs: revision.graphs ?? [],
      createdAt: deployment.created_at,
      updatedAt: revision.created_at,
    };
  }
}
