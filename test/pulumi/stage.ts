import { join } from "node:path";
import { expect, vi } from "vitest";
import {
  startLocalService,
  type DeploymentView,
  type LocalRevision,
  type LocalService,
  type LocalServiceOptions,
} from "../../src/local/index.ts";
import type { Diagnostic, ExportedResource, PulumiStack, RunResult, StackOptions } from "../engine/stack.ts";
import { environmentOf } from "./compile-cache.ts";
import { Program, type Described } from "./program.ts";

/** The key of every service of the table. */
export const API_KEY = "key-of-the-table-0123456789";
/** How each secret of a case begins, so that one search finds all that leak. */
const SECRET = "sk-plain-";

/** For `vi.waitFor`: a real engine takes minutes to start on a busy machine. Not expect.poll: it asks which test runs, and several do. */
export const PATIENCE = { timeout: 240_000, interval: 50 };

/** The kind of resource that the table is about, and the package that has it. */
export interface ResourceType {
  /** As it stands in a state. */
  readonly token: string;
  readonly module: string;
  /** The directory of the plugin in the package; undefined for the resources of dynamic providers. */
  readonly plugin?: string | undefined;
}

/** What a case needs besides the usual: the service's options, the stack's configuration, the environment. */
export interface Setting extends Pick<StackOptions, "config" | "env"> {
  readonly service?: LocalServiceOptions;
}

/** What a stage is opened with. */
export interface StageOptions {
  readonly packages: string;
  readonly type: ResourceType;
  readonly open: (options: StackOptions) => Promise<PulumiStack>;
  readonly setting?: Setting | undefined;
}

/** One stack with its program and a service of its own: the place of one case. */
export class Stage {
  readonly type: ResourceType;
  readonly service: LocalService;
  readonly program: Program;
  readonly stack: PulumiStack;
  /** What opens the service. */
  readonly apiKey = API_KEY;
  readonly #packages: string;
  readonly #texts: string[] = [];
  #heard = 0;

  private constructor({ type, packages }: StageOptions, service: LocalService, program: Program, stack: PulumiStack) {
    this.type = type;
    this.#packages = packages;
    this.service = service;
    this.program = program;
    this.stack = stack;
  }

  static async open(options: StageOptions): Promise<Stage> {
    const { packages, type, open, setting = {} } = options;
    const service = await startLocalService({
      walkMilliseconds: 4,
      apiKey: API_KEY,
      keepBodies: true,
      ...setting.service,
    });
    const program = await Program.create(packages, type.module);
    const config = { "graph-deploy:controlPlaneUrl": service.url, "graph-deploy:apiKey": { secret: API_KEY } };
    const stack = await open({
      directory: program.directory,
      project: "agents",
      stack: "dev",
      config: setting.config ?? config,
      plugin: type.plugin === undefined ? undefined : join(packages, type.plugin),
      env: environment(packages, setting.env),
    });
    return new Stage(options, service, program, stack);
  }

  /** The environment of the runs to come. */
  setEnv(env: Readonly<Record<string, string>>): void {
    this.stack.setEnv(environment(this.#packages, env));
  }

  /** Says what the next run makes. */
  describe(...resources: readonly Described[]): Promise<void> {
    return this.program.describe(resources);
  }

  /** An up, which may fail. */
  async up(options?: Parameters<PulumiStack["up"]>[0]): Promise<RunResult> {
    return this.#watched(await this.stack.up(options));
  }

  /** A preview, which may fail. */
  async preview(options?: Parameters<PulumiStack["preview"]>[0]): Promise<RunResult> {
    return this.#watched(await this.stack.preview(options));
  }

  /** A refresh, which may fail. */
  async refresh(options?: Parameters<PulumiStack["refresh"]>[0]): Promise<RunResult> {
    return this.#watched(await this.stack.refresh(options));
  }

  /** A destroy, which may fail. */
  async destroy(options?: Parameters<PulumiStack["destroy"]>[0]): Promise<RunResult> {
    return this.#watched(await this.stack.destroy(options));
  }

  /** An up of these resources, which goes well. */
  async deploy(...resources: readonly Described[]): Promise<RunResult> {
    await this.describe(...resources);
    return succeeded(await this.up());
  }

  /** What was asked of the service itself since the last time: `PATCH /v2/deployments/ID`. */
  asked(): readonly string[] {
    const requests = this.service.requests.slice(this.#heard).filter(({ server }) => server === "service");
    this.#heard = this.service.requests.length;
    return requests.map(({ method, path }) => `${method} ${path.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "ID")}`);
  }

  /** Resolves when the service has been asked this, whether or not it has answered. */
  async askedFor({ method, path }: { readonly method: string; readonly path: string }): Promise<void> {
    const isIt = (one: { readonly method: string; readonly path: string }) =>
      one.method === method && one.path === path;
    await vi.waitFor(() => expect(this.service.requests.some(isIt)).toBe(true), PATIENCE);
  }

  /** Those of them that change something, but for the bytes of an upload. */
  changed(): readonly string[] {
    return this.asked().filter((request) => !/^(?:GET|PUT|POST .*upload-url$)/.test(request));
  }

  /** The one deployment that the service has of this name. */
  deployment(name: string): DeploymentView {
    const [found, ...others] = this.service.deployments().filter((one) => one.name === name);
    if (found === undefined || others.length > 0) throw new Error(`There are ${others.length} deployments of ${name}.`);
    return found;
  }

  /** Its revisions, newest first. */
  revisions(name: string): readonly LocalRevision[] {
    return this.service.revisions(this.deployment(name).id);
  }

  /** The resource in the state. */
  async resource(name: string): Promise<ExportedResource> {
    const found = await this.find(name);
    if (found === undefined) throw new Error(`The state has no ${name}.`);
    return found;
  }

  /** The resource in the state, when it is there. */
  async find(name: string): Promise<ExportedResource | undefined> {
    const { resources } = await this.stack.exported();
    return resources.find((one) => one.name === name && one.type === this.type.token);
  }

  /** A request as another user makes it. */
  async foreign(method: string, path: string, body?: unknown): Promise<void> {
    const headers = { "x-api-key": API_KEY, "content-type": "application/json" };
    const response = await fetch(this.service.url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    this.asked();
  }

  /** A deployment of an image that another user makes. */
  async foreignImage(
    name: string,
    image_uri = "registry.example/agent:0",
    secrets: readonly object[] = [],
  ): Promise<DeploymentView> {
    const image = { source: "external_docker", source_config: {}, source_revision_config: { image_uri } };
    await this.foreign("POST", "/v2/deployments", { name, ...image, secrets });
    return this.deployment(name);
  }

  /** Neither the key nor a secret stands in anything that a user saw, nor in the state. */
  async expectNoLeak(): Promise<void> {
    const { text } = await this.stack.exported();
    for (const secret of [API_KEY, SECRET]) expect([...this.#texts, text].join("\n")).not.toContain(secret);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stack[Symbol.asyncDispose]();
    await this.program[Symbol.asyncDispose]();
    await this.service.close();
  }

  #watched(result: RunResult): RunResult {
    const { diagnostics, outputs, refusals } = result;
    this.#texts.push(JSON.stringify({ diagnostics, outputs, refusals }));
    return result;
  }
}

/** The result of a run that went well. */
export function succeeded(result: RunResult): RunResult {
  expect(errorsOf(result)).toBe("");
  expect(result.ok).toBe(true);
  return result;
}

/** What a run that failed said. */
export function failure(result: RunResult): string {
  expect(result.ok).toBe(false);
  return errorsOf(result);
}

/** What a run printed besides errors, in lines. */
export function messagesOf({ diagnostics }: RunResult): string {
  return diagnostics
    .filter(({ severity }) => severity !== "error")
    .map(namedLine)
    .join("\n");
}

/** A line with the name of its resource, which a plugin does not write: the engine shows it. */
export function namedLine({ urn, message }: Pick<Diagnostic, "message" | "urn">): string {
  const name = urn.includes("graph-deploy:index:Deployment") ? urn.split("::").at(-1) : undefined;
  return name === undefined ? message : `${name}: ${message}`;
}

/** What the program itself knew of a deployment at the end of an up. */
export function outputsOf({ outputs }: RunResult, name: string): Readonly<Record<string, unknown>> {
  const { deployments } = outputs;
  if (!isRecord(deployments) || !isRecord(deployments[name])) throw new Error(`The program made no ${name}.`);
  return deployments[name];
}

function environment(packages: string, env: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { ...environmentOf(packages), ...env };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function errorsOf({ diagnostics }: RunResult): string {
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message }) => message)
    .join("\n");
}
