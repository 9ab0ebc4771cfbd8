import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { platform } from "node:os";
// Node has no other way to reach a whole process group; nothing else of the process is used here.
// eslint-disable-next-line no-restricted-imports
import { kill } from "node:process";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { ForeignText } from "../../text/foreign-text.ts";
import { SecretMask } from "../../text/secret-mask.ts";
import type { AgentInvocation } from "./command.ts";

/** What a process runs with. */
export interface ProcessOptions {
  readonly invocation: AgentInvocation;
  readonly directory: string;
  /** All of it: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Values that are masked in what it prints. */
  readonly secrets: readonly string[];
  readonly onLine: (line: string) => void;
}

const LOOK_MS = 20;

/** For what is still in the pipes once all processes are gone; one that left the group may hold them open. */
const LAST_LINES_MS = 500;

/** The process of one agent, and all that it starts: they live in a group of their own and end together. */
export class AgentProcess {
  /** Settles when the process has ended, with words such as `ended with exit code 3`; its output was read then. */
  readonly ended: Promise<string>;
  readonly #pid: number | undefined;
  #ending: string | undefined;
  #stopping: Promise<boolean> | undefined;

  private constructor(pid: number | undefined, ended: Promise<string>) {
    this.#pid = pid;
    this.ended = ended.then((ending) => (this.#ending = ending));
  }

  /** Starts it. That it could not be started is an ending like others. */
  static start({ invocation, directory, environment, secrets, onLine }: ProcessOptions): AgentProcess {
    const { program, args } = invocation;
    try {
      const child = spawn(program, args, {
        ...OWN_GROUP,
        cwd: directory,
        env: { ...environment, ...invocation.environment },
        stdio: ["ignore", "pipe", "pipe"],
      });
      for (const stream of [child.stdout, child.stderr]) readLines(stream, secrets, onLine);
      return new AgentProcess(child.pid, endOf(child, program));
    } catch (error) {
      // Node quotes a value that it does not take, and that may be a secret: only the code is told.
      return new AgentProcess(undefined, Promise.resolve(`could not be started (${codeOf(error)})`));
    }
  }

  /** How it has ended; undefined while it runs. */
  get ending(): string | undefined {
    return this.#ending;
  }

  /** Asks it to end, and ends it by force after the grace time. Settles when it is gone, true when that took force. */
  stop(graceMilliseconds: number): Promise<boolean> {
    return (this.#stopping ??= this.#stop(graceMilliseconds));
  }

  async #stop(graceMilliseconds: number): Promise<boolean> {
    let forced = false;
    // Once it has ended, its number may be another process's.
    if (this.#pid !== undefined && this.#ending === undefined) {
      signalGroup(this.#pid, "SIGTERM");
      const deadline = performance.now() + graceMilliseconds;
      while (isGroupAlive(this.#pid) && performance.now() < deadline) await sleep(LOOK_MS);
      forced = isGroupAlive(this.#pid);
      signalGroup(this.#pid, "SIGKILL");
    }
    await this.ended;
    return forced;
  }
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

async function endOf(child: Child, program: string): Promise<string> {
  const closed = once(child, "close").catch(() => undefined);
  const ending = await new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => {
      resolve(code === null ? `was ended by ${String(signal)}` : `ended with exit code ${String(code)}`);
    });
    child.once("error", (error) => {
      const missing = codeOf(error) === "ENOENT";
      resolve(`could not be started (${missing ? `no program ${program}` : codeOf(error)})`);
    });
  });
  // What it started may not outlive it: nobody would look after that.
  if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
  const late = new AbortController();
  await Promise.race([closed, sleep(LAST_LINES_MS, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
  for (const stream of [child.stdout, child.stderr]) stream.removeAllListeners("data").destroy();
  return ending;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}

const WINDOWS = platform() === "win32";

/** How to start a process so that it leads a group of its own; on Windows a group is a tree of parents. */
export const OWN_GROUP = { detached: !WINDOWS, windowsHide: true } as const;

/** Sends a signal to the process and to all that it has started; nothing happens when they are gone. */
export function signalGroup(leader: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (WINDOWS) {
    // Windows knows no polite signal.
    spawn("taskkill", ["/pid", String(leader), "/T", "/F"], { stdio: "ignore" }).on("error", () => undefined);
    return;
  }
  try {
    kill(-leader, signal);
  } catch {
    // ESRCH: nobody is left. EPERM: macOS says so of a group of zombies.
  }
}

/** True while a process of the group is there. */
export function isGroupAlive(leader: number): boolean {
  try {
    kill(WINDOWS ? leader : -leader, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** A longer line is cut: what a program prints without an end must not fill the memory. */
const LINE_LIMIT = 4_000;

/** How many characters one of a secret may take: a character of UTF-8 in a URL. */
const LONGEST_SPELLING = 12;

/** Calls `take` for each line that a process prints, without colours, control characters and secrets. */
export function readLines(stream: Readable, secrets: Iterable<string>, take: (line: string) => void): void {
  const mask = new SecretMask();
  let longest = 0;
  for (const secret of secrets) {
    mask.add(secret);
    longest = Math.max(longest, secret.length);
  }
  const clean = new ForeignText((text) => mask.text(text));
  const give = (text: string) => {
    for (const line of clean.lines(text, LINE_LIMIT)) if (line !== "") take(line);
  };
  // What may be the beginning of a secret is kept back, so that no secret is shown in halves.
  const kept = longest * LONGEST_SPELLING;
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split(/[\r\n]+/);
    rest = lines.pop() ?? "";
    for (const line of lines) give(line);
    if (rest.length <= 2 * LINE_LIMIT + kept) return;
    const whole = mask.text(rest);
    const end = Math.max(0, whole.length - kept);
    give(whole.slice(0, end));
    rest = whole.slice(end);
  });
  stream.on("end", () => {
    give(rest);
  });
  // A pipe that breaks is the end of the process, which is told elsewhere.
  stream.on("error", () => undefined);
}
