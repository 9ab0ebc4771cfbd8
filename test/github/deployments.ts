import type * as z from "zod";
import { invalid, notFound, Refusal } from "./answer.ts";
import type { DeploymentBody, DeploymentStatusBody } from "./bodies.ts";
import { Lag } from "./lag.ts";
import type { World } from "./world.ts";

type State = z.output<typeof DeploymentStatusBody>["state"];

/** A status of a deployment record. */
export interface DeploymentStatus {
  readonly id: number;
  readonly state: State;
  readonly description: string;
  readonly logUrl: string;
  readonly environmentUrl: string;
  readonly environment: string;
  readonly login: string;
  readonly createdAt: string;
}

/** A deployment record. */
export interface Deployment {
  readonly id: number;
  readonly sha: string;
  readonly ref: string;
  readonly task: string;
  readonly payload: string | Readonly<Record<string, unknown>>;
  readonly originalEnvironment: string;
  readonly description: string;
  readonly transient: boolean;
  readonly production: boolean;
  readonly login: string;
  readonly createdAt: string;
  environment: string;
  /** Oldest first. */
  readonly statuses: DeploymentStatus[];
}

/** What the record says by now; undefined before its first status. */
export function stateOf({ statuses }: Deployment): State | undefined {
  return statuses.at(-1)?.state;
}

/** The deployment records of a repository, with GitHub's own rules. */
export class Deployments {
  readonly lag: Lag;
  /** Whether the ref is behind the default branch, so that `auto_merge` has something to do. */
  merge: "none" | "clean" | "conflict" = "clean";
  /** Whether all contexts of all commits are green; those of the run that asks never are. */
  contextsAreGreen = false;
  /** The longest URL of a status. */
  longestUrl = Infinity;
  /** Every environment that there ever was a record for: nothing takes them away. */
  readonly environments = new Set<string>();
  readonly #world: World;
  readonly #refs: ReadonlyMap<string, string>;
  readonly #deployments = new Map<number, Deployment>();

  constructor(world: World, refs: ReadonlyMap<string, string>) {
    this.#world = world;
    this.lag = new Lag(() => world.now().getTime());
    this.#refs = refs;
  }

  /** All, newest first, whether or not they are listed yet. */
  get all(): readonly Deployment[] {
    return [...this.#deployments.values()].reverse();
  }

  /** One answer to a request for the list. */
  list(query: URLSearchParams): readonly Deployment[] {
    const is = (name: string, value: string) => (query.get(name) ?? value) === value;
    const found = this.all.filter(({ sha, ref, task, environment }) => {
      return is("sha", sha) && is("ref", ref) && is("task", task) && is("environment", environment);
    });
    return this.lag.listed(found);
  }

  find(id: number): Deployment {
    const deployment = this.#deployments.get(id);
    if (deployment === undefined) throw notFound();
    return deployment;
  }

  /** The new record; a message where GitHub merged instead of making one. */
  create(body: z.output<typeof DeploymentBody>, login: string): Deployment | { readonly merged: string } {
    const { ref, task, payload, environment, description } = body;
    const sha = this.#refs.get(ref);
    if (sha === undefined) throw new Refusal(422, `No ref found for: ${ref}`);
    if (body.auto_merge && this.merge === "conflict") throw new Refusal(409, `Conflict merging main into ${ref}.`);
    if (body.auto_merge && this.merge === "clean") return { merged: `Auto-merged main into ${ref} on deployment.` };
    const needsContexts = body.required_contexts === undefined || body.required_contexts.length > 0;
    if (needsContexts && !this.contextsAreGreen) {
      throw new Refusal(409, `Conflict: Commit status checks failed for ${ref}.`, {
        errors: [{ contexts: [], resource: "Deployment", field: "required_contexts", code: "invalid" }],
      });
    }
    const deployment: Deployment = {
      ...{ id: this.#world.nextId(), sha, ref, task, payload, environment, originalEnvironment: environment },
      description: description ?? "",
      transient: body.transient_environment,
      production: body.production_environment ?? environment === "production",
      login,
      createdAt: this.#world.timestamp(),
      statuses: [],
    };
    this.#deployments.set(deployment.id, deployment);
    this.lag.made(deployment.id);
    this.environments.add(environment);
    return deployment;
  }

  addStatus(id: number, body: z.output<typeof DeploymentStatusBody>, login: string): DeploymentStatus {
    const deployment = this.find(id);
    const urls = { environment_url: body.environment_url, log_url: body.log_url };
    for (const [field, url] of Object.entries(urls)) {
      if (url.length > this.longestUrl) throw invalid("DeploymentStatus", field, "is too long");
    }
    if (body.environment !== undefined) deployment.environment = body.environment;
    if (body.state === "success" && body.auto_inactive) this.#retireBefore(deployment, login);
    return this.#append(deployment, body.state, login, body);
  }

  /** Earlier records of the environment, but neither transient nor production ones. */
  #retireBefore(deployment: Deployment, login: string): void {
    for (const other of this.#deployments.values()) {
      const isEarlier = other.id < deployment.id && other.environment === deployment.environment;
      if (!isEarlier || other.transient || other.production || stateOf(other) !== "success") continue;
      this.#append(other, "inactive", login);
    }
  }

  #append(
    deployment: Deployment,
    state: State,
    login: string,
    body?: z.output<typeof DeploymentStatusBody>,
  ): DeploymentStatus {
    const status: DeploymentStatus = {
      id: this.#world.nextId(),
      state,
      description: body?.description ?? "",
      logUrl: body?.log_url === "" ? body.target_url : (body?.log_url ?? ""),
      environmentUrl: body?.environment_url ?? "",
      environment: deployment.environment,
      login,
      createdAt: this.#world.timestamp(),
    };
    deployment.statuses.push(status);
    return status;
  }

  delete(id: number): void {
    const state = stateOf(this.find(id));
    const isActive = state === undefined || !["inactive", "failure", "error"].includes(state);
    if (isActive && this.#deployments.size > 1) {
      const only = "We cannot delete an active deployment unless it is the only deployment in a given repository.";
      throw new Refusal(422, only);
    }
    this.#deployments.delete(id);
  }

  /** Takes one away that a test has made. */
  forget(id: number): void {
    this.#deployments.delete(id);
  }

  /** As the REST API shows it: without its state. */
  view(deployment: Deployment): object {
    const { id, sha, ref, task, payload, environment, originalEnvironment, description } = deployment;
    const url = `${this.#world.address}/deployments/${String(id)}`;
    return {
      ...{ id, node_id: `DE_${String(id)}`, url, sha, ref, task, payload, environment, description },
      original_environment: originalEnvironment,
      creator: this.#world.user(deployment.login),
      created_at: deployment.createdAt,
      updated_at: deployment.statuses.at(-1)?.createdAt ?? deployment.createdAt,
      statuses_url: `${url}/statuses`,
      repository_url: this.#world.address,
      transient_environment: deployment.transient,
      production_environment: deployment.production,
    };
  }

  statusView(id: number, status: DeploymentStatus): object {
    const url = `${this.#world.address}/deployments/${String(id)}`;
    return {
      id: status.id,
      node_id: `DES_${String(status.id)}`,
      url: `${url}/statuses/${String(status.id)}`,
      state: status.state,
      creator: this.#world.user(status.login),
      description: status.description,
      environment: status.environment,
      target_url: status.logUrl,
      log_url: status.logUrl,
      environment_url: status.environmentUrl,
      created_at: status.createdAt,
      updated_at: status.createdAt,
      deployment_url: url,
      repository_url: this.#world.address,
    };
  }
}
