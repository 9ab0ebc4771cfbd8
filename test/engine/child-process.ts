import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { projectRoot } from "../../scripts/command.ts";
import { NODE_ARGUMENTS } from "../node-arguments.ts";

const PRELOADED = ["lazy-packages.cjs", "cheap-hashes.cjs", "no-collection.cjs"];
const COMPILE_CACHE = join(projectRoot, "node_modules/.cache/engine-processes");
let isMeasured = false;

/**
 * From now on each program has a process of its own that loads all of Pulumi's SDK, and a hash has its real cost, as for a
 * user: to measure them.
 */
export function loadAsUsersDo(): void {
  isMeasured = true;
}

/** Whether it is so. */
export function loadsAsUsersDo(): boolean {
  return isMeasured;
}

/** What Node is given for each process: what it loads first, and what saves it time. */
export function nodeArguments(): readonly string[] {
  if (isMeasured) return [];
  return [...NODE_ARGUMENTS, ...PRELOADED.flatMap((file) => ["--require", join(import.meta.dirname, file)])];
}

/** How a process is started: always with this very Node, and with the environment that is given whole. */
export interface NodeProcessOptions {
  readonly script: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onOutput: (line: string) => void;
  readonly onErrorOutput: (line: string) => void;
}

/** A Node process of which every line is read. */
export class NodeProcess {
  /** Resolves with the exit code once all output is read; with 1 when a signal ended it. */
  readonly ended: Promise<number>;
  readonly #child: ChildProcess;

  constructor(options: NodeProcessOptions) {
    const child = spawn(process.execPath, [...nodeArguments(), options.script, ...options.args], {
      cwd: options.directory,
      env: { ...standardEnvironment(), ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    createInterface({ input: child.stdout }).on("line", options.onOutput);
    createInterface({ input: child.stderr }).on("line", options.onErrorOutput);
    this.#child = child;
    this.ended = new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve(code ?? 1));
    });
    // Whoever needs the end waits for it; a process that could not start must not end the tests' own.
    this.ended.catch(() => {});
  }

  /** Asks it to end. */
  terminate(): void {
    this.#child.kill("SIGTERM");
  }

  /** Ends it at once, without a word to it. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }
}

/** What every child gets besides what its owner gives it. Its `node` is this very one. */
export function standardEnvironment(): Record<string, string> {
  const path = [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
  // Many processes load the same large packages; compiled beforehand they cost a quarter less.
  return { PATH: path, HOME: process.env["HOME"] ?? "/", NODE_COMPILE_CACHE: COMPILE_CACHE };
}
