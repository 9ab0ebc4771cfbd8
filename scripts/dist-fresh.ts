import { cp, readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { bundle, withStage } from "./bundle.ts";
import { projectRoot } from "./command.ts";

/** The files of `action/dist` that differ from fresh bundles of the compiled sources, one sentence each; empty when all is fresh. */
export async function staleFiles(compiled: string): Promise<string[]> {
  return withStage(async (stage) => {
    await cp(compiled, stage, { recursive: true });
    const fresh = join(stage, "dist");
    await bundle(stage, fresh);
    return compareFolders(join(projectRoot, "action", "dist"), fresh);
  });
}

async function compareFolders(committed: string, fresh: string): Promise<string[]> {
  const [before, after] = await Promise.all([filesIn(committed), filesIn(fresh)]);
  const stale: string[] = [];
  for (const name of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const old = before.get(name);
    const now = after.get(name);
    if (old === undefined) stale.push(`${name} is missing`);
    else if (now === undefined) stale.push(`${name} is no longer built`);
    else if (!old.equals(now))
      stale.push(`${name} differs: ${String(old.length)} bytes, ${String(now.length)} when built`);
  }
  return stale;
}

async function filesIn(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = files.map(async (file) => {
    return [relative(folder, file).replaceAll("\\", "/"), await readFile(file)] as const;
  });
  return new Map(await Promise.all(contents));
}
