import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { Sample } from "./rounds.ts";

/** What a process and those that it started took; undefined where this system does not report it. */
interface Usage {
  readonly peakBytes: number | undefined;
  readonly processorSeconds: number | undefined;
}

/** A process that has ended as it should. */
interface Ended extends Usage {
  readonly seconds: number;
  /** How many processors others kept busy meanwhile. */
  readonly busyElsewhere: number | undefined;
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
  const usageFile = join(tmpdir(), `graph-deploy-bench-usage-${process.pid}`);
  const command = hasGnuTime ? [GNU_TIME, "-f", "%M %U %S", "-o", usageFile, program, ...args] : [program, ...args];
  const busyBefore = busySeconds();
  const begin = performance.now();
  const { exitCode, output } = await toEnd(command, options.env);
  const seconds = (performance.now() - begin) / 1000;
  if (exitCode !== (options.exitCode ?? 0)) throw new Error(`${program} ended with ${exitCode}:\n${output}`);
  const usage = hasGnuTime ? takeUsage(usageFile) : NO_USAGE;
  const { processorSeconds: own } = usage;
  const busyElsewhere = own === undefined ? undefined : Math.max(0, busySeconds() - busyBefore - own) / seconds;
  return { seconds, ...usage, busyElsewhere, output };
}

/** Runs a line of shell; its time is that of the whole line. */
export async function runShell(line: string, args: readonly string[]): Promise<Sample> {
  return await runProcess("sh", ["-c", line, "sh", ...args]);
}

const Report = z.object({
  seconds: z.number(),
  peakKilobytes: z.number(),
  processorSeconds: z.number().optional(),
  outputBytes: z.number().optional(),
});

/**
 * Runs a program that takes its own time, from when its code is loaded, and prints it as its last line:
 * `{"seconds", "peakKilobytes"}`. The time of the processor is that of the whole process, unless it prints that too.
 */
export async function runReporting(program: string, args: readonly string[]): Promise<Sample> {
  const { output, peakBytes, processorSeconds, busyElsewhere } = await runProcess(program, args);
  const { peakKilobytes, ...report } = Report.parse(JSON.parse(output.trimEnd().split("\n").at(-1) ?? ""));
  return { processorSeconds, ...report, peakBytes: peakBytes ?? peakKilobytes * 1024, busyElsewhere };
}

/** Starts the server that takes uploads; it ends with the block. */
export async function startUploadServer(): Promise<Disposable & { readonly url: string }> {
  const server = spawn(process.execPath, [join(import.meta.dirname, "upload-server.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = await once(server.stdout, "data");
  return { url: String(line).trim(), [Symbol.dispose]: () => void server.stdin.end() };
}

/** True when a program can be started here. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;
}

// Other systems have a `time` that knows neither option.
const GNU_TIME = "/usr/bin/time";
const hasGnuTime = spawnSync(GNU_TIME, ["-f", "%M", "true"], { stdio: "ignore" }).status === 0;

/** How long all processors together have been busy since the machine started. */
function busySeconds(): number {
  const milliseconds = cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq);
  return milliseconds.reduce((sum, each) => sum + each, 0) / 1000;
}

const NO_USAGE: Usage = { peakBytes: undefined, processorSeconds: undefined };

function takeUsage(file: string): Usage {
  // A line with a status other than 0 may precede the figures.
  const line = readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "";
  rmSync(file);
  const [kilobytes, user, system] = line.split(" ").map(Number);
  if (kilobytes === undefined || user === undefined || system === undefined) return NO_USAGE;
  return { peakBytes: kilobytes * 1024, processorSeconds: user + system };
}

function toEnd([program = "", ...args]: readonly string[], env: NodeJS.ProcessEnv | undefined) {
  return new Promise<{ readonly exitCode: number | string | null; readonly output: string }>((resolve) => {
    const child = execFile(program, args, { env: env ?? process.env }, (error, stdout, stderr) => {
      resolve({ exitCode: child.exitCode ?? error?.code ?? null, output: stderr + stdout });
    });
  });
}
