import { execFile } from "node:child_process";
import { cp, mkdtemp, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { Consumer } from "./consumer.ts";
import { LockedPackages } from "./locked-packages.ts";
import { madeOnce } from "./made-once.ts";
import { PackedPackage, type PackReport } from "./packed-package.ts";

const windows = process.platform === "win32";
const run = promisify(execFile);
const npm = async (args: readonly string[], cwd: string) => (await run("npm", args, { cwd, shell: windows })).stdout;

/** The package as it is packed, installed in an empty project. */
export class InstalledPackage extends Consumer {
  /** The paths in the tarball. */
  readonly files: readonly string[];
  readonly tarballBytes: number;
  readonly #own: string | undefined;

  private constructor(consumer: string, { size, files }: PackReport, own?: string) {
    super(consumer);
    this.#own = own;
    this.files = files.map(({ path }) => path);
    this.tarballBytes = size;
  }

  /**
   * Installs the tarball, and what npm has in its cache since `npm ci`; `peers` are packages that the consumer has beside
   * it. Without peers all share one project, and each writes files of its own names into it.
   */
  static async create(peers: readonly string[] = []): Promise<InstalledPackage> {
    const { report } = await PackedPackage.make();
    if (peers.length === 0) return new InstalledPackage(join(await madeOnce("consumer", install), "consumer"), report);
    const folder = await realpath(await mkdtemp(join(tmpdir(), "installed-package-")));
    await install(folder, peers);
    return new InstalledPackage(join(folder, "consumer"), report, folder);
  }

  /** What others share ends with the run. */
  async remove(): Promise<void> {
    if (this.#own === undefined) return;
    await rm(this.#own, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Leaves a project with the package in `folder/consumer`. */
async function install(folder: string, peers: readonly string[] = []): Promise<void> {
  const consumer = join(folder, "consumer");
  const { tarball } = await PackedPackage.make();
  await cp(tarball, join(consumer, "graph-deploy.tgz"));
  await writeManifests(consumer, peers);
  await npm(["ci", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel", "error"], consumer);
}

/** An empty project that depends on the tarball; its lock names the very packages that the project's own does. */
async function writeManifests(consumer: string, peers: readonly string[]): Promise<void> {
  const locked = await LockedPackages.read();
  const { own, overrides } = locked;
  const needed = locked.closureOf([...Object.keys(own.dependencies ?? {}), ...peers]);
  const versions = peers.map((name) => [name, needed[`node_modules/${name}`]?.version] as const);
  const dependencies = { "graph-deploy": "file:graph-deploy.tgz", ...Object.fromEntries(versions) };
  const manifest = { name: basename(consumer), version: "1.0.0", private: true, dependencies, overrides };
  const installed = {
    version: own.version,
    resolved: "file:graph-deploy.tgz",
    dependencies: own.dependencies,
    peerDependencies: own.peerDependencies,
    peerDependenciesMeta: own.peerDependenciesMeta,
    bin: own["bin"],
    engines: own["engines"],
  };
  const lock = {
    name: manifest.name,
    version: manifest.version,
    lockfileVersion: 3,
    requires: true,
    packages: { "": manifest, "node_modules/graph-deploy": installed, ...needed },
  };
  await writeFile(join(consumer, "package.json"), JSON.stringify(manifest, null, 2));
  await writeFile(join(consumer, "package-lock.json"), JSON.stringify(lock, null, 2));
  await stat(join(consumer, "graph-deploy.tgz"));
}
