import { cp, mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { compile } from "../../scripts/bundle.ts";
import { projectRoot } from "../../scripts/command.ts";
import { LockedPackages } from "./locked-packages.ts";

/** A program's folder with the package as it is built, which is faster than packing and installing it. */
export class BuiltPackage {
  /** Absolute. */
  readonly directory: string;

  private constructor(directory: string) {
    this.directory = directory;
  }

  /** Builds; what the package needs, and Pulumi's SDK beside it, are links to what the project has. */
  static async create(): Promise<BuiltPackage> {
    const directory = await realpath(await mkdtemp(join(tmpdir(), "built-package-")));
    const packages = join(directory, "node_modules");
    const target = join(packages, "graph-deploy");
    await compile(join(target, "build"), { trust: true });
    for (const file of ["package.json", "pulumi-provider/stub.cjs"]) {
      await cp(join(projectRoot, file), join(target, file));
    }
    const { own } = await LockedPackages.read();
    for (const name of [...Object.keys(own.dependencies ?? {}), ...Object.keys(own.peerDependencies ?? {})]) {
      await mkdir(dirname(join(packages, name)), { recursive: true });
      await symlink(join(projectRoot, "node_modules", name), join(packages, name), "junction");
    }
    return new BuiltPackage(directory);
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
