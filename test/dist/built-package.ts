import { cpSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { extract } from "tar";
import { projectRoot } from "../../scripts/command.ts";
import { linkPackages } from "../../scripts/program-packages.ts";
import { Consumer } from "./consumer.ts";
import { LockedPackages } from "./locked-packages.ts";
import { madeOnce } from "./made-once.ts";
import { PackedPackage } from "./packed-package.ts";

const SDK = "@pulumi/pulumi";

/**
 * A project with what the tarball holds and Pulumi's SDK, which is faster than installing them; what these need are links
 * to what is installed here.
 */
export async function builtPackage(): Promise<Consumer> {
  const { tarball } = await PackedPackage.make();
  const directory = await madeOnce("built", async (folder) => {
    const locked = await LockedPackages.read();
    const { own } = locked;
    const modules = join(folder, "node_modules");
    const needed = Object.keys(locked.closureOf([...Object.keys(own.dependencies ?? {}), SDK]));
    const names = needed.map((path) => path.slice("node_modules/".length));
    await linkPackages(
      modules,
      names.filter((name) => name !== SDK && !name.includes("/node_modules/")),
    );
    // It looks for packages of the program from where it lies itself.
    cpSync(join(projectRoot, "node_modules", SDK), join(modules, SDK), { recursive: true });
    // Pulumi writes a function of a package down by its name where the program depends on the package.
    const manifest = { name: "built", private: true, dependencies: { "graph-deploy": own.version } };
    await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
    await mkdir(join(modules, "graph-deploy"));
    await extract({ file: tarball, cwd: join(modules, "graph-deploy"), strip: 1 });
  });
  return new Consumer(directory);
}
