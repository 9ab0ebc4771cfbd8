import { spawn } from "node:child_process";
import { dirname, join } from "node:path";

/** The absolute path of the directory with package.json. */
export const projectRoot = dirname(import.meta.dirname);

/** How a child process ended; `output` holds stdout and stderr in the order in which they came. */
export interface CommandResult {
  readonly exitCode: number;
  readonly output: string;
}

/** The path of a tool's own JavaScript: a `.bin` link would need a shell on Windows. */
export function toolPath(packageName: string, file: string): string {
  return join(projectRoot, "node_modules", packageName, file);
}

/** Runs a script with this very Node and collects what it prints. An ending by a signal counts as exit code 1. */
export function runNode(script: string, args: readonly string[], cwd = projectRoot): Promise<CommandResult> {
  return runCommand(process.execPath, [script, ...args], cwd);
}

/** Runs a program without a shell; rejects only when it cannot be started. */
export function runCommand(program: string, args: readonly string[], cwd = projectRoot): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ exitCode: code ?? 1, output: Buffer.concat(chunks).toString("utf8") });
    });
  });
}
