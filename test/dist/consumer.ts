import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectRoot, runCommand, toolPath } from "../../scripts/command.ts";

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
