import { cp, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extract } from "tar";
import { linkPackages } from "../../scripts/program-packages.ts";
import { LockedPackages } from "./locked-packages.ts";
import { madeOnce } from "./made-once.ts";
import { PackedPackage } from "./packed-package.ts";

/** A program's folder with what the tarball holds, which is faster than installing it. */
export class BuiltPackage {
  /** Absolute. */
  readonly directory: string;

  private constructor(directory: string) {
    this.directory = directory;
  }

  /** A copy; what the package needs, and Pulumi's SDK beside it, are links to what the project has. */
  static async create(): Promise<BuiltPackage> {
    const { own } = await LockedPackages.read();
    const needed = [...Object.keys(own.dependencies ?? {}), ...Object.keys(own.peerDependencies ?? {})];
    const { tarball } = await PackedPackage.make();
    const built = await madeOnce("built", async (folder) => {
      const modules = join(folder, "node_modules");
      await linkPackages(modules, needed);
      await mkdir(join(modules, "graph-deploy"));
      await extract({ file: tarball, cwd: join(modules, "graph-deploy"), strip: 1 });
    });
    const directory = await realpath(await mkdtemp(join(tmpdir(), "built-package-")));
    await cp(built, directory, { recursive: true, verbatimSymlinks: true });
    return new BuiltPackage(directory);
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
