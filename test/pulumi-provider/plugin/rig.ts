import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { startLocalService, type LocalServiceOptions } from "../../../src/local/index.ts";
import { PluginProcess } from "../../engine/plugin-process.ts";
import type { Properties } from "../../engine/property-values.ts";
import type { Diagnostic } from "../../engine/stack.ts";
import { PROJECT, temporaryTree } from "../../source/temporary-tree.ts";

export const API_KEY = "key-of-the-plugin-0123456789";
export const IMAGE = { source: "external_docker", imageUri: "registry.example/agent:1" } as const;

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

/** A service of its own, and the plugin as a process that is configured for it. */
export async function rig(options: LocalServiceOptions = {}) {
  const service = await startLocalService({ walkMilliseconds: 4, apiKey: API_KEY, ...options });
  onTestFinished(() => service.close());
  const { plugin, lines, directory } = await startPlugin();
  await plugin.configure({ controlPlaneUrl: service.url, apiKey: secret(API_KEY) });
  const checked = async (name: string, news: Properties, olds: Properties = {}) => {
    const { inputs, failures } = await plugin.check(subject(name), olds, news);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join(" "));
    return inputs;
  };
  const created = async (name: string, news: Properties) => {
    const inputs = await checked(name, news);
    return { inputs, ...(await plugin.create(subject(name), inputs)) };
  };
  return { service, plugin, lines, directory, checked, created, writes: () => writesTo(service) };
}

/** The plugin as a process, in the directory of an agent. */
export async function startPlugin() {
  const directory = temporaryTree(PROJECT);
  const spool = mkdtempSync(join(tmpdir(), "plugin-"));
  const lines: Diagnostic[] = [];
  const plugin = await PluginProcess.start({
    script: join(import.meta.dirname, "../../../pulumi-provider/plugin/main.ts"),
    directory,
    env: { TMPDIR: spool },
    onLog: (line) => lines.push(line),
  });
  onTestFinished(async () => {
    await plugin[Symbol.asyncDispose]();
    rmSync(spool, { recursive: true, force: true });
  });
  return { plugin, lines, directory };
}

function writesTo({ requests }: Awaited<ReturnType<typeof startLocalService>>): readonly string[] {
  return requests.filter(({ method }) => method !== "GET").map(({ method }) => method);
}
