import { cp, mkdir, readFile, readdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { bundleLibrary } from "./bundle-library.ts";
import { bundlePlugin, compile, withStage } from "./bundle.ts";
import { projectRoot } from "./command.ts";

const Manifest = z.object({ files: z.array(z.string()) });
// A junction needs no rights that a Windows user does not have.
const LINK = process.platform === "win32" ? "junction" : "dir";

const installed = join(projectRoot, "node_modules");

/**
 * Gives a Pulumi program, a directory without `node_modules`, its packages: this one as it would be packed, made from the
 * sources as they are, and links to all that are installed here. The plugin takes a while to bundle, and dynamic resources
 * need none.
 */
export async function installPackages(program: string, { withPlugin = false } = {}): Promise<void> {
  const modules = join(program, "node_modules");
  await linkPackages(modules, await installedPackages());
  await packInto(join(modules, "graph-deploy"), withPlugin);
}

/** Links packages that are installed here into a `node_modules`. */
export async function linkPackages(modules: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(installed, name), join(modules, name), LINK);
  }
}

/** A scope counts as one. */
async function installedPackages(): Promise<readonly string[]> {
  const entries = await readdir(installed, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith(".")).map(({ name }) => name);
}

async function packInto(target: string, withPlugin: boolean): Promise<void> {
  const { files } = Manifest.parse(JSON.parse(await readFile(join(projectRoot, "package.json"), "utf8")));
  await withStage(async (stage) => {
    const build = join(stage, "build");
    await compile(build, { declarations: false });
    await bundleLibrary(build, join(build, "library"));
    if (withPlugin) await bundlePlugin(build, join(build, "plugin"));
    const left = withPlugin ? /^(!|build\/types\/)/ : /^(!|build\/(types\/|plugin$))/;
    const wanted = files.filter((file) => !left.test(file));
    for (const file of ["package.json", ...wanted]) {
      const from = file.startsWith("build/") ? stage : projectRoot;
      await mkdir(dirname(join(target, file)), { recursive: true });
      await cp(join(from, file), join(target, file), { recursive: true });
    }
  });
}
