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
const manifest = z.object({ name: z.string(), version: z.string(), license: z.string().optional() });

/**
 * The licences of the packages inside a bundle, as one text: each of them asks that its notice goes with every copy.
 * ncc's own `--license` keeps only the last chunk's packages, so the list comes from the bundler's statistics.
 */
export async function licenceText(statsFile: string): Promise<string> {
  const stats = bundlerStats.parse(JSON.parse(await readFile(statsFile, "utf8")));
  const folders = new Set(stats.modules.flatMap(packageFolders));
  const notices = await Promise.all([...folders].sort().map(notice));
  return notices.join(`\n${"-".repeat(80)}\n\n`);
}

function packageFolders(module: BundledModule): string[] {
  const name = module.name?.replaceAll("\\", "/") ?? "";
  // The last node_modules of the path is the package itself: one package may lie inside another.
  const own = /^.*?(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(name)?.[1];
  return [...(own === undefined ? [] : [own]), ...(module.modules ?? []).flatMap(packageFolders)];
}

async function notice(folder: string): Promise<string> {
  const path = join(projectRoot, folder);
  const { name, version, license } = manifest.parse(JSON.parse(await readFile(join(path, "package.json"), "utf8")));
  const file = (await readdir(path)).sort().find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const text =
    file === undefined ? "" : `\n${(await readFile(join(path, file), "utf8")).replaceAll("\r\n", "\n").trim()}\n`;
  return `${name} ${version} (${license ?? "no licence named"})\n${text}`;
}
