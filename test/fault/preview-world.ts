import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../src/index.ts";
import { startLocalService, type LocalService } from "../../src/local/index.ts";
import { inputVariables } from "../front/options/step.ts";
import type { GitHubEvent } from "../github/events.ts";
import { startGitHub, type GitHub } from "../github/server.ts";
import { startFaultServer } from "../wire/fault-server.ts";
import { forwardTo } from "../wire/forward.ts";
import { Schedule } from "../wire/schedule.ts";

/** The name with which all previews of the races begin. */
export const NAME = "support";
const API_KEY = "key-of-the-races-0123456789";
/** What is there of others, and looks like a preview. */
const OTHERS = ["support", "support-pr-1-pr-1", "support-pr-x", "other-pr-1", "support-pr-1-a1b2c3"];

/** A control plane, and the way to it on which all requests wait for their turn. */
export interface Service extends AsyncDisposable {
  readonly local: LocalService;
  readonly url: string;
}

interface Parts {
  readonly github: GitHub;
  readonly services: readonly [Service, Service];
  readonly temp: string;
}

/** Two control planes and a GitHub, which all races share, on the clock of the race that is run. */
export class PreviewWorld implements AsyncDisposable {
  readonly github: GitHub;
  readonly services: readonly [Service, Service];
  schedule = new Schedule({ random: () => 0, way: 0 });
  /** The time on GitHub, where it is not that of the race. */
  date: Date | undefined;
  /** Of a request to a control plane that is carried out: true for a response that is lost. */
  isLost: () => boolean = () => false;
  /** Before a deployment of this name is deleted for a run. */
  onDelete: (name: string) => void = () => undefined;
  /** What those send who were killed does not arrive. */
  readonly dead = new Set<string>();
  /** How much longer than the others the way of each token to GitHub is. */
  readonly ways = new Map<string, (path: string) => number>();
  readonly #temp: string;
  /** How many requests of each token GitHub has not answered yet. */
  readonly #pending = new Map<string, number>();

  private constructor({ github, services, temp }: Parts) {
    this.github = github;
    this.services = services;
    this.#temp = temp;
    github.turn = async ({ path, headers: { authorization = "" } }) => {
      if (this.dead.has(authorization)) throw new Error("killed");
      this.#pending.set(authorization, (this.#pending.get(authorization) ?? 0) + 1);
      await this.schedule.turn();
      const way = this.ways.get(authorization)?.(path) ?? 0;
      if (way > 0) await this.schedule.sleep(way);
      this.#pending.set(authorization, (this.#pending.get(authorization) ?? 0) - 1);
    };
  }

  static async start(): Promise<PreviewWorld> {
    const later: { world?: PreviewWorld } = {};
    const github = await startGitHub({
      now: () => later.world?.date ?? later.world?.schedule.date() ?? new Date(),
    });
    const start = () =>
      startService({
        turn: () => later.world?.schedule.turn() ?? Promise.resolve(),
        isLost: () => later.world?.isLost() === true,
        onDelete: (name) => later.world?.onDelete(name),
      });
    const services = [await start(), await start()] as const;
    const temp = await mkdtemp(join(tmpdir(), "graph-deploy-races-"));
    const world = new PreviewWorld({ github, services, temp });
    later.world = world;
    for (const name of OTHERS) await world.make(services[0], name);
    return world;
  }

  /** Makes a deployment, as a person does; undefined where its name is taken. */
  async make({ local }: Service, name: string): Promise<string | undefined> {
    if (local.deployments().some((deployment) => deployment.name === name)) return undefined;
    await using connection = connect({ url: local.url, apiKey: API_KEY });
    const image = { source: "external_docker", source_config: {}, secrets: [] } as const;
    const body = { ...image, name, source_revision_config: { image_uri: "registry/agent:1" } };
    return (await connection.controlPlane.create(body)).deployment.id;
  }

  async delete({ local }: Service, id: string): Promise<void> {
    await using connection = connect({ url: local.url, apiKey: API_KEY });
    await connection.controlPlane.delete(id);
  }

  /** What is gone of the others. */
  get missing(): readonly string[] {
    const there = new Set(this.services[0].local.deployments().map(({ name }) => name));
    return OTHERS.filter((name) => !there.has(name));
  }

  /** The environment of a step. */
  async environment(
    { event, env }: GitHubEvent,
    { url }: Service,
    inputs: Readonly<Record<string, string>>,
  ): Promise<Record<string, string>> {
    const path = join(this.#temp, "event.json");
    await writeFile(path, JSON.stringify(event));
    const given = { "control-plane-url": url, "api-key": API_KEY, name: NAME, "github-token": this.github.token };
    return {
      ...this.github.env,
      ...{ RUNNER_TEMP: this.#temp, GITHUB_WORKSPACE: this.#temp, GITHUB_EVENT_PATH: path, GITHUB_RUN_ID: "7" },
      ...env,
      ...inputVariables({ ...given, ...inputs }),
    };
  }

  /** Resolves once GitHub has answered all that was sent with this token. */
  async settled(token: string): Promise<void> {
    while ((this.#pending.get(`token ${token}`) ?? 0) > 0) await new Promise((go) => setImmediate(go));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.github[Symbol.asyncDispose]();
    for (const service of this.services) await service[Symbol.asyncDispose]();
    await rm(this.#temp, { recursive: true, force: true });
  }
}

interface Way extends Pick<PreviewWorld, "isLost" | "onDelete"> {
  readonly turn: () => Promise<void>;
}

async function startService({ turn, isLost, onDelete }: Way): Promise<Service> {
  const local = await startLocalService({ walkMilliseconds: 0, apiKey: API_KEY });
  const forward = forwardTo(() => local.url);
  let end = (): Promise<void> => Promise.resolve();
  const front = await startFaultServer(
    async (request) => {
      await turn();
      const id = request.method === "DELETE" && /\/deployments\/([\w-]+)/.exec(request.path)?.[1];
      const deleted = local.deployments().find((deployment) => deployment.id === id);
      if (deleted !== undefined) onDelete(deleted.name);
      const answer = await forward(request);
      if (isLost()) throw new Error("lost");
      return answer;
    },
    (ending) => {
      end = ending;
    },
  );
  const dispose = async () => {
    await end();
    await local.close();
  };
  return { local, url: front.url, [Symbol.asyncDispose]: dispose };
}
