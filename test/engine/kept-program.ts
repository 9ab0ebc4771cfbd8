import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { nodeArguments, standardEnvironment, type NodeProcessOptions } from "./child-process.ts";

const KEEPER = join(import.meta.dirname, "program-keeper.cjs");
// What a keeper writes when a program has ended.
const END = "\u0004";
// Each takes some eighty megabytes.
const MOST_IDLE = 8;

/** A program to run. */
export interface Job extends Pick<NodeProcessOptions, "directory" | "env" | "onErrorOutput" | "onOutput"> {
  /** What `run` of Pulumi's SDK takes, as its command parses it. */
  readonly args: Readonly<Record<string, unknown>> & { readonly _: readonly string[] };
}

/** A program that runs in a process which ran others before it. */
export interface KeptProgram {
  /** Resolves with the exit code that a process of its own would have. */
  readonly ended: Promise<number>;
  /** Ends the process at once, without a word to it, unless others may have it. */
  kill(): void;
  /** Lets others have the process, as all went well: what goes wrong may stay in the memory of Pulumi's SDK. */
  share(): void;
}

const idle: Keeper[] = [];

/** Runs a program in a process that is there, or in a new one. */
export function runKept(job: Job): KeptProgram {
  const fits = idle.findIndex((one) => one.fits(job));
  const [keeper = new Keeper(job.env)] = fits === -1 ? [] : idle.splice(fits, 1);
  return keeper.run(job);
}

/** A process that runs programs. None of a stack it knows: what a run leaves in memory is never there for the next one. */
class Keeper {
  readonly #child: ChildProcess;
  readonly #closed: Promise<number>;
  readonly #known = new Set<string>();
  #job: (Job & { readonly end: () => void }) | undefined;
  #streams = 0;

  constructor(env: Job["env"]) {
    const child = fork(KEEPER, {
      env: { ...standardEnvironment(), ...env },
      execArgv: [...nodeArguments()],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    this.#child = child;
    this.#closed = new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve(code ?? 1));
    });
    const { stdout, stderr } = child;
    if (!stdout || !stderr) throw new Error("A keeper has no output.");
    createInterface({ input: stdout }).on("line", (line) => this.#hear(line, this.#job?.onOutput));
    createInterface({ input: stderr }).on("line", (line) => this.#hear(line, this.#job?.onErrorOutput));
  }

  fits({ directory }: Job): boolean {
    return this.#child.connected && !this.#known.has(directory);
  }

  leave(): void {
    if (this.#child.connected) this.#child.disconnect();
  }

  run(job: Job): KeptProgram {
    const { promise, resolve } = Promise.withResolvers<number>();
    const current = { ...job, end: () => resolve(0) };
    this.#job = current;
    this.#known.add(job.directory);
    this.#closed.then(resolve, () => resolve(1));
    this.#child.send({ directory: job.directory, args: job.args, env: { ...standardEnvironment(), ...job.env } });
    let isShared = false;
    return {
      ended: promise,
      kill: () => {
        if (!isShared) this.#child.kill("SIGKILL");
      },
      share: () => {
        isShared = true;
        this.#rest();
      },
    };
  }

  #hear(line: string, tell: Job["onOutput"] | undefined): void {
    const isEnd = line.endsWith(END);
    const text = isEnd ? line.slice(0, -END.length) : line;
    if (!isEnd || text !== "") tell?.(text);
    if (isEnd) this.#streams += 1;
    if (this.#streams < 2) return;
    this.#streams = 0;
    const job = this.#job;
    this.#job = undefined;
    job?.end();
  }

  #rest(): void {
    idle.push(this);
    // It ends by itself, and keeps what it compiled.
    if (idle.length > MOST_IDLE) idle.shift()?.leave();
  }
}
