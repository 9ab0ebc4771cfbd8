import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { PROVIDER_TEXTS } from "../../pulumi-provider/provider-text.ts";
import { startLocalService } from "../../src/local/index.ts";
import type { Properties } from "../engine/property-values.ts";
import { ProviderProcess } from "../engine/provider-process.ts";
import { folder, Program } from "./program.ts";

const API_KEY = "key-of-the-cache-0123456789";

/**
 * What makes Node keep what it compiles of these packages: each run starts processes that load the same ones. They have a
 * temporary directory of their own: what killed providers leave there would be read again by all later ones of the machine.
 */
export function environmentOf(packages: string): { readonly NODE_COMPILE_CACHE: string; readonly TMPDIR: string } {
  return { NODE_COMPILE_CACHE: join(packages, ".cache/compiled"), TMPDIR: join(packages, ".cache/tmp") };
}

/**
 * Has each provider deploy a directory once. A process keeps what it compiled when it ends by itself, and an engine ends
 * its providers by force; and what is kept of a file first is all that is kept of it, so nothing less may come before.
 */
export async function fillCompileCache(packages: string): Promise<void> {
  const env = environmentOf(packages);
  await mkdir(env.TMPDIR, { recursive: true });
  await using program = await Program.create(packages, "graph-deploy/pulumi");
  const service = await startLocalService({ walkMilliseconds: 4, apiKey: API_KEY });
  const options = { directory: program.directory, env };
  const host = await ProviderProcess.startDynamic("agents", options);
  await host.configure({ "graph-deploy:controlPlaneUrl": service.url, "graph-deploy:apiKey": API_KEY });
  await deployOnce(host, "pulumi-nodejs:dynamic/graph-deploy:Deployment", { __provider: PROVIDER_TEXTS.deployment });
  const plugin = await ProviderProcess.start(join(packages, "graph-deploy/build/plugin/index.js"), options);
  await plugin.configure((await plugin.checkConfig({ controlPlaneUrl: service.url, apiKey: API_KEY })).inputs);
  await deployOnce(plugin, "graph-deploy:index:Deployment", {});
  await service.close();
}

async function deployOnce(provider: ProviderProcess, type: string, more: Properties): Promise<void> {
  const name = "agent";
  const calls = provider.of({ urn: `urn:pulumi:dev::agents::${type}::${name}`, name, type });
  const inputs = async (args: Properties) =>
    (await calls.check({}, { ...folder(name, args).args, name, ...more })).inputs;
  const { id, outputs } = await calls.create(await inputs({ secrets: { TOKEN: "one" } }));
  const changed = await inputs({ secrets: { TOKEN: "two" } });
  await calls.diff(id, outputs, changed);
  await calls.delete(id, (await calls.update(id, outputs, changed)).outputs);
  await provider.terminate();
  await provider[Symbol.asyncDispose]();
}
