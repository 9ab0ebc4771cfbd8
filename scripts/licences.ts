import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { projectRoot } from "./command.ts";

interface BundledModule {
  readonly name?: string | undefined;
  readonly modules?: readonly BundledModule[] | undefined;
}

const bundledModule: z.ZodType<BundledModule> = z.object({
  name: z.string().optional(),
  get modules() {
    return z.array(bundledModule).optional();
  },
});
const bundlerStats = z.object({ modules: z.array(bundledModule) });
const manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
});

/**
 * The licences of the packages inside a bundle, as one text: each of them asks that its notice goes with every copy.
 * ncc's own `--license` keeps only the last chunk's packages, so the list comes from the bundler's statistics. What
 * those packages need is listed as well: a package may ship one built file with its dependencies in it, as tar does.
 */
export async function licenceText(statsFile: string): Promise<string> {
  const stats = bundlerStats.parse(JSON.parse(await readFile(statsFile, "utf8")));
  const folders = await withDependencies(stats.modules.flatMap(packageFolders));
  const notices = await Promise.all([...folders].sort().map(notice));
  return notices.join(`\n${"-".repeat(80)}\n\n`);
}

function packageFolders(module: BundledModule): string[] {
  const name = module.name?.replaceAll("\\", "/") ?? "";
  // The last node_modules of the path is the package itself: one package may lie inside another.
  const own = /^.*?(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(name)?.[1];
  return [...(own === undefined ? [] : [own]), ...(module.modules ?? []).flatMap(packageFolders)];
}

// Pulumi's SDK ships its sources as they are: what a bundle takes of its dependencies is in the statistics.
const FILE_BY_FILE = "@pulumi/pulumi";

async function withDependencies(roots: readonly string[]): Promise<ReadonlySet<string>> {
  // A set that grows while it is walked: what is added is walked as well.
  const folders = new Set(roots);
  for (const folder of folders) {
    const { name: own, dependencies } = await manifestOf(folder);
    if (own === FILE_BY_FILE) continue;
    for (const name of Object.keys(dependencies)) folders.add(folderOf(name, folder));
  }
  return folders;
}

/** Where Node finds a package from another one: in its own node_modules, or in one further up. */
function folderOf(name: string, from: string): string {
  for (let at = from; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    const own = `${at}/node_modules/${name}`;
    if (existsSync(join(projectRoot, own))) return own;
  }
  return `node_modules/${name}`;
}

async function manifestOf(folder: string) {
  return manifest.parse(JSON.parse(await readFile(join(projectRoot, folder, "package.json"), "utf8")));
}

async function notice(folder: string): Promise<string> {
  const path = join(projectRoot, folder);
  const { name, version, license } = await manifestOf(folder);
  const file = (await readdir(path)).sort().find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const text =
    file === undefined ? "" : `\n${(await readFile(join(path, file), "utf8")).replaceAll("\r\n", "\n").trim()}\n`;
  return `${name} ${version} (${license ?? "no licence named"})\n${text}`;
}
