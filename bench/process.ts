import { execFile, spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { Sample } from "./rounds.ts";

/** A process that has ended as it should. */
interface Ended {
  readonly seconds: number;
  readonly peakBytes: number | undefined;
  readonly output: string;
}

/** How a process is started, and how it should end. */
interface ProcessOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** 0 if not given. */
  readonly exitCode?: number;
}

/** Runs a program to its end; throws with what it printed when it ends otherwise than it should. */
export async function runProcess(
  program: string,
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<Ended> {
  const peakFile = join(tmpdir(), `graph-deploy-bench-peak-${process.pid}`);
  const command = hasGnuTime ? [GNU_TIME, "-f", "%M", "-o", peakFile, program, ...args] : [program, ...args];
  const begin = performance.now();
  const { exitCode, output } = await toEnd(command, options.env);
  const seconds = (performance.now() - begin) / 1000;
  if (exitCode !== (options.exitCode ?? 0)) throw new Error(`${program} ended with ${exitCode}:\n${output}`);
  return { seconds, peakBytes: hasGnuTime ? takePeak(peakFile) : undefined, output };
}

/** Runs a line of shell; its time is that of the whole line. */
export async function runShell(line: string, args: readonly string[]): Promise<Sample> {
  return await runProcess("sh", ["-c", line, "sh", ...args]);
}

const Report = z.object({ seconds: z.number(), peakKilobytes: z.number(), outputBytes: z.number().optional() });

/**
 * Runs a program that takes its own time, from when its code is loaded, and prints it as its last line:
 * `{"seconds", "peakKilobytes"}`.
 */
export async function runReporting(program: string, args: readonly string[]): Promise<Sample> {
  const { output, peakBytes } = await runProcess(program, args);
  const { peakKilobytes, ...report } = Report.parse(JSON.parse(output.trimEnd().split("\n").at(-1) ?? ""));
  return { ...report, peakBytes: peakBytes ?? peakKilobytes * 1024 };
}

/** True when a program can be started here. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;
}

// Other systems have a `time` that knows neither option.
const GNU_TIME = "/usr/bin/time";
const hasGnuTime = spawnSync(GNU_TIME, ["-f", "%M", "true"], { stdio: "ignore" }).status === 0;

function takePeak(file: string): number | undefined {
  // Before the figure there may be a line that tells a status other than 0.
  const kilobytes = Number(readFileSync(file, "utf8").trimEnd().split("\n").at(-1));
  rmSync(file);
  return Number.isFinite(kilobytes) ? kilobytes * 1024 : undefined;
}

function toEnd([program = "", ...args]: readonly string[], env: NodeJS.ProcessEnv | undefined) {
  return new Promise<{ readonly exitCode: number | string | null; readonly output: string }>((resolve) => {
    const child = execFile(program, args, { env: env ?? process.env }, (error, stdout, stderr) => {
      resolve({ exitCode: child.exitCode ?? error?.code ?? null, output: stderr + stdout });
    });
  });
}
