import { cp, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPackages } from "../../scripts/program-packages.ts";
import { LockedPackages } from "./locked-packages.ts";
import { madeOnce } from "./made-once.ts";

/** A program's folder with the package as it is built, which is faster than packing and installing it. */
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
    const built = await madeOnce("built", (folder) => installPackages(folder, needed));
    const directory = await realpath(await mkdtemp(join(tmpdir(), "built-package-")));
    await cp(built, directory, { recursive: true, verbatimSymlinks: true });
    return new BuiltPackage(directory);
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
