import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { createInterface } from "node:readline/promises";
import { promisify } from "node:util";
import * as z from "zod";
import { projectRoot, runCommand, toolPath } from "../../scripts/command.ts";

const windows = process.platform === "win32";
const run = promisify(execFile);
const npm = async (args: readonly string[], cwd: string) => (await run("npm", args, { cwd, shell: windows })).stdout;

const packReport = z.tuple([
  z.object({ filename: z.string(), size: z.number(), files: z.array(z.object({ path: z.string() })) }),
]);
const lockFile = z.object({ packages: z.record(z.string(), z.looseObject({ dev: z.boolean().optional() })) });

/** The package, packed from a copy of the project and installed in an empty one. */
export class InstalledPackage {
  /** The paths in the tarball. */
  readonly files: readonly string[];
  readonly tarballBytes: number;
  readonly #folder: string;
  readonly #consumer: string;

  private constructor(folder: string, consumer: string, files: readonly string[], tarballBytes: number) {
    this.#folder = folder;
    this.#consumer = consumer;
    this.files = files;
    this.tarballBytes = tarballBytes;
  }

  /** Packs, and installs what npm has in its cache since `npm ci`. */
  static async create(): Promise<InstalledPackage> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "installed-package-")));
    const project = join(folder, "project");
    const consumer = join(folder, "consumer");
    await copyProject(project);
    const [{ filename, size, files }] = packReport.parse(
      JSON.parse(await npm(["pack", "--json", "--loglevel", "error"], project)),
    );
    await cp(join(project, filename), join(consumer, "graph-deploy.tgz"));
    await writeManifests(consumer);
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
    await writeFile(join(this.#consumer, file), code);
    const { stdout, stderr } = await run(process.execPath, [file], { cwd: this.#consumer });
    if (stderr !== "") throw new Error(stderr);
    return stdout.trim();
  }

  /** What the type checker says of a file of the consumer's; empty when it is content. */
  async typeErrors(file: string, code: string, options: readonly string[]): Promise<string> {
    await writeFile(join(this.#consumer, file), code);
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
    const { output, exitCode } = await runCommand(process.execPath, [tsc, ...args, ...nodeTypes, file], this.#consumer);
    return exitCode === 0 ? "" : output;
  }

  /** Runs `npx graph-deploy …` until `use` is done with the first line of its stdout. */
  async npx(args: readonly string[], use: (firstLine: string) => Promise<void>): Promise<void> {
    // A process group of its own: npx starts a shell, and a signal must reach what runs in it.
    const child = spawn("npx", ["--no-install", "graph-deploy", ...args], {
      cwd: this.#consumer,
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

/** A copy, so that packing, which builds, touches nothing that another test reads. */
async function copyProject(project: string): Promise<void> {
  const left = /^(node_modules|\.git|build|coverage|\.graph-deploy|\.stage-.*)$/;
  await cp(projectRoot, project, {
    recursive: true,
    filter: (source) => source === projectRoot || !left.test(relative(projectRoot, source)),
  });
  await symlink(join(projectRoot, "node_modules"), join(project, "node_modules"), windows ? "junction" : "dir");
}

/** An empty project that depends on the tarball; its lock names the very packages that the project's own does. */
async function writeManifests(consumer: string): Promise<void> {
  const { packages } = lockFile.parse(JSON.parse(await readFile(join(projectRoot, "package-lock.json"), "utf8")));
  const own = packages[""] ?? {};
  const needed = Object.entries(packages).filter(([path, entry]) => path !== "" && entry.dev !== true);
  const dependencies = { "graph-deploy": "file:graph-deploy.tgz" };
  const manifest = { name: basename(consumer), version: "1.0.0", private: true, dependencies };
  const installed = {
    version: own["version"],
    resolved: "file:graph-deploy.tgz",
    dependencies: own["dependencies"],
    bin: own["bin"],
    engines: own["engines"],
  };
  const lock = {
    name: manifest.name,
    version: manifest.version,
    lockfileVersion: 3,
    requires: true,
    packages: { "": manifest, "node_modules/graph-deploy": installed, ...Object.fromEntries(needed) },
  };
  await writeFile(join(consumer, "package.json"), JSON.stringify(manifest, null, 2));
  await writeFile(join(consumer, "package-lock.json"), JSON.stringify(lock, null, 2));
  await stat(join(consumer, "graph-deploy.tgz"));
}
