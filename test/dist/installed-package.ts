import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { createInterface } from "node:readline/promises";
import { promisify } from "node:util";
import * as z from "zod";
import { projectRoot, runCommand, toolPath } from "../../scripts/command.ts";
import { LockedPackages } from "./locked-packages.ts";
import { madeOnce } from "./made-once.ts";

const windows = process.platform === "win32";
const run = promisify(execFile);
const npm = async (args: readonly string[], cwd: string) => (await run("npm", args, { cwd, shell: windows })).stdout;

const packReport = z.tuple([
  z.object({ filename: z.string(), size: z.number(), files: z.array(z.object({ path: z.string() })) }),
]);

/** The package, packed from a copy of the project and installed in an empty one. */
export class InstalledPackage {
  /** The paths in the tarball. */
  readonly files: readonly string[];
  readonly tarballBytes: number;
  /** The project that has it. */
  readonly directory: string;
  readonly #folder: string;

  private constructor(folder: string, consumer: string, files: readonly string[], tarballBytes: number) {
    this.#folder = folder;
    this.directory = consumer;
    this.files = files;
    this.tarballBytes = tarballBytes;
  }

  /** Installs the tarball, and what npm has in its cache since `npm ci`; `peers` are packages that the consumer has beside it. */
  static async create(peers: readonly string[] = []): Promise<InstalledPackage> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "installed-package-")));
    const consumer = join(folder, "consumer");
    const packed = await madeOnce("packed", pack);
    const [{ filename, size, files }] = packReport.parse(
      JSON.parse(await readFile(join(packed, "report.json"), "utf8")),
    );
    await cp(join(packed, filename), join(consumer, "graph-deploy.tgz"));
    await writeManifests(consumer, peers);
    await npm(["ci", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel", "error"], consumer);
    return new InstalledPackage(
      folder,
      consumer,
      files.map(({ path }) => path),
      size,
    );
  }

  /** Runs a script of the consumer's and answers what it prints. Warnings of Node fail it. */
  async node(file: string, code: string): Promise<string> {
    await writeFile(join(this.directory, file), code);
    const { stdout, stderr } = await run(process.execPath, [file], { cwd: this.directory });
    if (stderr !== "") throw new Error(stderr);
    return stdout.trim();
  }

  /** What the type checker says of files of the consumer's, by name; empty when it is content. */
  async typeErrors(programs: Readonly<Record<string, string>>, options: readonly string[]): Promise<string> {
    for (const [file, code] of Object.entries(programs)) await writeFile(join(this.directory, file), code);
    const args = [
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--target",
      "es2023",
      "--lib",
      "es2024,esnext.disposable",
      ...options,
    ];
    const nodeTypes = ["--types", "node", "--typeRoots", join(projectRoot, "node_modules", "@types")];
    const tsc = toolPath("typescript", "bin/tsc");
    const all = [tsc, ...args, ...nodeTypes, ...Object.keys(programs)];
    const { output, exitCode } = await runCommand(process.execPath, all, this.directory);
    return exitCode === 0 ? "" : output;
  }

  /** Runs `npx graph-deploy …` until `use` is done with the first line of its stdout. */
  async npx(args: readonly string[], use: (firstLine: string) => Promise<void>): Promise<void> {
    // A process group of its own: npx starts a shell, and a signal must reach what runs in it.
    const child = spawn("npx", ["--no-install", "graph-deploy", ...args], {
      cwd: this.directory,
      shell: windows,
      detached: !windows,
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const [line] = (await once(createInterface(child.stdout), "line", { signal: AbortSignal.timeout(30_000) })) as [
        string,
      ];
      await use(line);
    } finally {
      const closed = once(child, "close");
      if (child.pid !== undefined) await endGroup(child.pid);
      await closed;
    }
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function endGroup(pid: number): Promise<void> {
  if (windows) await run("taskkill", ["/pid", String(pid), "/T", "/F"]);
  else process.kill(-pid, "SIGTERM");
}

/** Leaves the tarball, and what npm reports of it. */
async function pack(directory: string): Promise<void> {
  const project = join(directory, "project");
  await copyProject(project);
  const report = await npm(["pack", "--json", "--loglevel", "error", "--pack-destination", directory], project);
  await writeFile(join(directory, "report.json"), report);
}

/** A copy, so that packing, which builds, touches nothing that another test reads. */
async function copyProject(project: string): Promise<void> {
  const left = /^(\.git|build|coverage|\.stage-.*)$|(^|[\\/])(node_modules|\.graph-deploy)$/;
  await cp(projectRoot, project, {
    recursive: true,
    filter: (source) => source === projectRoot || !left.test(relative(projectRoot, source)),
  });
  await symlink(join(projectRoot, "node_modules"), join(project, "node_modules"), windows ? "junction" : "dir");
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
