import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { startLocalService, type LocalServiceOptions } from "../../../src/local/index.ts";
import { ProviderProcess } from "../../engine/provider-process.ts";
import type { Properties } from "../../engine/property-values.ts";
import type { Diagnostic } from "../../engine/stack.ts";
import { PROJECT, writeNodes } from "../../source/temporary-tree.ts";

export const API_KEY = "key-of-the-plugin-0123456789";
export const IMAGE = { source: "external_docker", imageUri: "registry.example/agent:1" } as const;
export const DIRECTORY = { source: "internal_source", directory: { path: "." } } as const;

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** A value as the engine marks a secret. */
export function secret(value: unknown): unknown {
  return { [SIGNATURE]: SECRET, value };
}

/** A resource of the plugin, as a call names it. */
export function subject(name: string) {
  const type = "graph-deploy:index:Deployment";
  return { urn: `urn:pulumi:dev::agents::${type}::${name}`, name, type };
}

/** The plugin as a process, and where it runs. */
export interface Started {
  readonly plugin: ProviderProcess;
  readonly lines: Diagnostic[];
  /** The directory of an agent. */
  readonly directory: string;
}

export const PLUGIN = join(import.meta.dirname, "../../../pulumi-provider/plugin/main.ts");
// What starts the plugin, and can be killed without it.
const ENGINE = `require("node:child_process").spawn(
  process.execPath, [${JSON.stringify(PLUGIN)}, ...process.argv.slice(2)], { stdio: "inherit" });`;

/** A machine, on which one process may follow another. */
export class Machine {
  readonly #root = mkdtempSync(join(tmpdir(), "plugin-"));
  readonly #running: ProviderProcess[] = [];

  /** Starts the plugin in the directory of an agent; as the child of another process where `isChild` says so. */
  async start({
    isChild = false,
    flags = [],
  }: { isChild?: boolean; flags?: readonly string[] } = {}): Promise<Started> {
    const directory = join(this.#root, "agent");
    writeNodes(this.#root, { spool: null, "engine.cjs": ENGINE });
    writeNodes(directory, PROJECT);
    const lines: Diagnostic[] = [];
    const plugin = await ProviderProcess.start(isChild ? join(this.#root, "engine.cjs") : PLUGIN, {
      directory,
      flags,
      env: { TMPDIR: join(this.#root, "spool") },
      onLog: (line) => lines.push(line),
    });
    this.#running.push(plugin);
    return { plugin, lines, directory };
  }

  async end(): Promise<void> {
    await Promise.all(this.#running.map((plugin) => plugin[Symbol.asyncDispose]()));
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** A machine of one test. */
export function machine(): Machine {
  const own = new Machine();
  onTestFinished(() => own.end());
  return own;
}

/** A process that serves the tests of a file one after another: each configures it anew. */
export function sharedPlugin(): () => Promise<Started> {
  const shared = new Machine();
  afterAll(() => shared.end());
  let running: Promise<Started> | undefined;
  return async () => {
    running ??= shared.start();
    const started = await running;
    started.lines.length = 0;
    return started;
  };
}

/** A service of its own, and a plugin that is configured for it. */
export async function rig(started: Promise<Started>, options: LocalServiceOptions = {}) {
  const service = await startLocalService({ walkMilliseconds: 4, apiKey: API_KEY, ...options });
  onTestFinished(() => service.close());
  const { plugin, lines, directory } = await started;
  await plugin.configure({ controlPlaneUrl: service.url, apiKey: secret(API_KEY) });
  const { requests } = service;
  const writes = () => requests.filter(({ method }) => method !== "GET").map(({ method }) => method);
  return { service, plugin, lines, directory, writes, ...stepsOf(plugin) };
}

/** What an engine does with a resource. */
export function stepsOf(plugin: ProviderProcess) {
  const checked = async (name: string, news: Properties, olds: Properties = {}) => {
    const { inputs, failures } = await plugin.of(subject(name)).check(olds, news);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join(" "));
    return inputs;
  };
  const created = async (name: string, news: Properties) => {
    const inputs = await checked(name, news);
    return { inputs, ...(await plugin.of(subject(name)).create(inputs)) };
  };
  return { checked, created };
}
