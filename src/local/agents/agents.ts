import type { LogLevel } from "../../contract/deployment.ts";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { DEFAULT_GRAPH_CONFIG } from "../../contract/graph-config.ts";
import { isSecretName } from "../../contract/secret.ts";
import { extractArchive, ArchiveError } from "../archive/reader.ts";
import { noRoom } from "../http/error.ts";
import type { RevisionRow } from "../state/revision-store.ts";
import type { Shared } from "../state/shared.ts";
import type { AgentCommand } from "./command.ts";
import type { RunningAgent } from "./running-agent.ts";
import { AgentStartError, startAgent } from "./start.ts";

export interface AgentsOptions extends Shared {
  readonly command: AgentCommand;
  /** The environment of each process, besides the secrets of its deployment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly startMilliseconds: number;
  readonly graceMilliseconds: number;
  /** Sources are extracted here; in a temporary directory if absent. */
  readonly dataDirectory: string | undefined;
}

/**
 * The secrets of each deployment, by name, for the processes of the agents; in memory only, since a file could leak. It
 * has none of a deployment whose secrets were set before a restart.
 */
export type SecretValues = Map<string, ReadonlyMap<string, string>>;

interface Start {
  readonly deploymentId: string;
  readonly cancel: AbortController;
  readonly settled: Promise<unknown>;
}

// Limits the log of an agent that runs for days.
const KEPT_LINES = 5_000;
const LINES_BETWEEN_TRIMS = 500;

/** The processes of the agents: one for each serving deployment, and a second one while a revision takes over. */
export class Agents {
  /** Each start uses the values of that moment. */
  readonly secrets: SecretValues = new Map();
  readonly #options: AgentsOptions;
  readonly #starts = new Map<string, Start>();
  /** All running agents, by revision. */
  readonly #agents = new Map<string, RunningAgent>();
  /** The serving agents, by deployment. */
  readonly #serving = new Map<string, RunningAgent>();
  readonly #retired = new WeakMap<RunningAgent, Promise<void>>();
  #root?: string;
  /** A line of a log found no room on the disk; said once, since some lines may find room in between. */
  #hasLost = false;

  constructor(options: AgentsOptions) {
    this.#options = options;
  }

  /**
   * Extracts the revision's source and starts it beside the serving agent. Returns why that failed; an empty text if
   * it runs. Rejects with the signal's reason.
   */
  async start(revision: RevisionRow, signal?: AbortSignal): Promise<string> {
    // It runs already if what follows its start could not be stored.
    const running = this.#agents.get(revision.id);
    if (running?.process.ending === "") return "";
    const cancel = new AbortController();
    const signals = signal ? [cancel.signal, signal] : [cancel.signal];
    const started = this.#start(revision, AbortSignal.any(signals));
    const settled = started.catch(() => undefined);
    this.#starts.set(revision.id, { deploymentId: revision.deployment_id, cancel, settled });
    try {
      this.#agents.set(revision.id, await started);
      return "";
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ArchiveError) return `The archive is invalid: ${error.message}.`;
      if (error instanceof AgentStartError) return error.message;
      const full = noRoom(error);
      if (full !== "") return `The service could not unpack the source, because ${full}.`;
      if (cancel.signal.aborted) return "The agent was stopped before it responded.";
      throw error;
    } finally {
      this.#starts.delete(revision.id);
    }
  }

  /** Sends requests to this revision's agent from now on. The previous agent ends after its last response. */
  serve(deploymentId: string, revisionId: string): void {
    const agent = this.#agents.get(revisionId);
    const before = this.#serving.get(deploymentId);
    if (!agent || agent === before) return;
    this.#serving.set(deploymentId, agent);
    // An end before this moment was not logged.
    const { ending } = agent.process;
    if (ending !== "") this.#log(revisionId, "ERROR", `The agent ${ending}.`);
    if (before) void this.#retire(before);
  }

  /** Starts the agent that served before a restart, unless a newer one serves by then. */
  async resume(revision: RevisionRow): Promise<void> {
    const failure = await this.start(revision);
    if (failure !== "") this.#log(revision.id, "ERROR", failure);
    else if (this.#serving.has(revision.deployment_id)) await this.drop(revision.id);
    else this.serve(revision.deployment_id, revision.id);
  }

  /** The serving agent of a deployment; undefined until one is started. */
  serving(deploymentId: string): RunningAgent | undefined {
    return this.#serving.get(deploymentId);
  }

  /** Ends a revision's agent that was started but does not serve. */
  async drop(revisionId: string): Promise<void> {
    const agent = this.#agents.get(revisionId);
    if (agent && this.#serving.get(agent.deploymentId) !== agent) await this.#retire(agent);
  }

  async remove(deploymentId: string): Promise<void> {
    await this.#end((id) => id === deploymentId);
    this.secrets.delete(deploymentId);
  }

  async close(): Promise<void> {
    await this.#end(() => true);
    if (this.#root !== undefined) rmSync(this.#root, { recursive: true, force: true });
  }

  async #end(isMeant: (deploymentId: string) => boolean): Promise<void> {
    const starts = [...this.#starts.values()].filter(({ deploymentId }) => isMeant(deploymentId));
    for (const { cancel } of starts) cancel.abort();
    await Promise.all(starts.map(({ settled }) => settled));
    const agents = [...this.#agents.values()].filter(({ deploymentId }) => isMeant(deploymentId));
    await Promise.all(agents.map((agent) => this.#retire(agent)));
  }

  // Who asks once more waits for the same end: nothing may be logged once the service is closed.
  #retire(agent: RunningAgent): Promise<void> {
    const retired = this.#retired.get(agent) ?? this.#stop(agent);
    this.#retired.set(agent, retired);
    return retired;
  }

  async #stop(agent: RunningAgent): Promise<void> {
    const { deployments, graceMilliseconds, log } = this.#options;
    if (this.#serving.get(agent.deploymentId) === agent) this.#serving.delete(agent.deploymentId);
    const [id = ""] = [...this.#agents].find(([, other]) => other === agent) ?? [];
    try {
      const forced = await agent.process.stop(graceMilliseconds);
      await removeDirectory(agent.directory);
      const how = forced ? `was killed, ${String(graceMilliseconds / 1000)} s after SIGTERM` : "stopped";
      this.#log(id, forced ? "WARNING" : "INFO", `The agent ${how}.`);
    } catch (error) {
      log(`${deployments.get(agent.deploymentId)?.name ?? ""}: could not stop its agent: ${String(error)}`);
    }
    this.#agents.delete(id);
  }

  async #start(revision: RevisionRow, signal: AbortSignal): Promise<RunningAgent> {
    const { command, objects, startMilliseconds, graceMilliseconds } = this.#options;
    const { id: revisionId, deployment_id: deploymentId, source_revision_config: config } = revision;
    const file = objects.file(config.source_tarball_path ?? "");
    if (file === undefined) throw new AgentStartError("The source tarball is missing.");
    const directory = mkdtempSync(join(this.#directory(), `${revisionId}-`));
    try {
      const configPath = posix.normalize(config.graph_config_path ?? DEFAULT_GRAPH_CONFIG);
      const project = await extractArchive(file, { into: directory, configPath, signal });
      const secrets = this.#secretsOf(revision);
      let lines = 0;
      const { port, process } = await startAgent({
        command,
        directory: join(directory, project),
        revisionId,
        environment: {
          ...this.#options.environment,
          ...Object.fromEntries(secrets),
          GRAPH_HOST_REVISION_ID: revisionId,
          GRAPH_HOST_PROJECT_ID: deploymentId,
        },
        secrets: [...secrets.values()],
        startMilliseconds,
        graceMilliseconds,
        log: (level, line) => {
          lines += 1;
          this.#log(revisionId, level, line, { trim: lines % LINES_BETWEEN_TRIMS === 0 });
        },
        signal,
      });
      const agent: RunningAgent = { deploymentId, port, process, directory };
      void process.ended.then((ending) => {
        if (this.#serving.get(deploymentId) === agent) this.#log(revisionId, "ERROR", `The agent ${ending}.`);
      });
      return agent;
    } catch (error) {
      await removeDirectory(directory);
      throw error;
    }
  }

  #secretsOf({ id, deployment_id }: RevisionRow): ReadonlyMap<string, string> {
    const names = this.#options.deployments.get(deployment_id)?.secrets ?? [];
    const values = this.secrets.get(deployment_id);
    if (!values && names.length > 0) {
      this.#log(
        id,
        "WARNING",
        `The agent runs without its secrets (${names.map(({ name }) => name).join(", ")}): a restart of the service loses their values. Set them again.`,
      );
    }
    // An invalid name cannot be set in an environment; the platform would reject it.
    return new Map([...(values ?? [])].filter(([name]) => isSecretName(name)));
  }

  // A line that finds no room on the disk is lost: an agent prints on, whether it is stored or not.
  #log(revisionId: string, level: LogLevel, line: string, { trim = false } = {}): void {
    const { log, logs } = this.#options;
    try {
      logs.append(revisionId, "deploy", level, line);
      if (trim) logs.trim(revisionId, "deploy", KEPT_LINES);
    } catch (error) {
      const full = noRoom(error);
      if (full === "") throw error;
      if (!this.#hasLost) log(`Lines of deploy logs are lost, because ${full}`);
      this.#hasLost = true;
    }
  }

  #directory(): string {
    if (this.#root !== undefined) return this.#root;
    const { dataDirectory } = this.#options;
    if (dataDirectory === undefined) this.#root = mkdtempSync(join(tmpdir(), "graph-deploy-agents-"));
    else {
      this.#root = join(dataDirectory, "agents");
      // Left over from a service that was killed: the state is locked, so no other service uses it.
      rmSync(this.#root, { recursive: true, force: true });
      mkdirSync(this.#root, { recursive: true, mode: 0o700 });
    }
    return this.#root;
  }
}

// Files that Windows still holds may stay.
async function removeDirectory(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}
