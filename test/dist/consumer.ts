import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { promisify } from "node:util";
import { projectRoot, runCommand, toolPath } from "../../scripts/command.ts";

const windows = process.platform === "win32";
const run = promisify(execFile);

/** A project that has the package. The test files of a run may share it: each writes files of its own names into it. */
export class Consumer {
  /** Absolute. */
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Runs a script of the consumer's and answers what it prints. Warnings of Node fail it. */
  async node(file: string, code: string): Promise<string> {
    await writeFile(join(this.directory, file), code);
    const { stdout, stderr } = await run(process.execPath, [file], { cwd: this.directory });
    if (stderr !== "") throw new Error(stderr);
    return stdout.trim();
  }

  /** Runs a program of the packages by npx until `use` is done with the first line of its stdout. */
  async npx(command: readonly string[], use: (firstLine: string) => Promise<void>): Promise<void> {
    // A process group of its own: npx starts a shell, and a signal must reach what runs in it.
    const child = spawn("npx", ["--no-install", ...command], {
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

  /** What the type checker, of this package, says of files of the consumer's, by name; empty when it is content. */
  async typeErrors(
    programs: Readonly<Record<string, string>>,
    options: readonly string[],
    compiler = "typescript",
  ): Promise<string> {
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
    const tsc = toolPath(compiler, "bin/tsc");
    const all = [tsc, ...args, ...nodeTypes, ...Object.keys(programs)];
    const { output, exitCode } = await runCommand(process.execPath, all, this.directory);
    return exitCode === 0 ? "" : output;
  }
}

async function endGroup(pid: number): Promise<void> {
  if (windows) await run("taskkill", ["/pid", String(pid), "/T", "/F"]);
  else process.kill(-pid, "SIGTERM");
}
