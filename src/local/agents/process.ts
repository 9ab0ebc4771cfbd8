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
import { errorCode } from "../http/error.ts";
import type { AgentInvocation } from "./command.ts";

export interface ProcessOptions {
  readonly invocation: AgentInvocation;
  readonly directory: string;
  /** The complete environment: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Values to mask in the output. */
  readonly secrets: readonly string[];
  readonly onLine: (line: string) => void;
}

const LOOK_MS = 20;

// For the rest in the pipes after the end; a process that left the group may hold them open.
const LAST_LINES_MS = 500;

const WINDOWS = platform() === "win32";

// On Windows taskkill ends a tree of processes instead of a group.
const OWN_GROUP = { detached: !WINDOWS, windowsHide: true } as const;

// A longer line is cut: endless output must not fill the memory.
const LINE_LIMIT = 4_000;

// The most characters that one character of a secret takes: UTF-8 in a URL.
const LONGEST_SPELLING = 12;

/** The process of an agent and its children, which takes requests. They share a process group, and end together. */
export class AgentProcess {
  /** Resolves after the end, when the output is read, e.g. with `ended with exit code 3`. */
  readonly ended: Promise<string>;
  readonly #pid: number | undefined;
  #ending = "";
  #inProgress = 0;

  private constructor(pid: number | undefined, ended: Promise<string>) {
    this.#pid = pid;
    this.ended = ended.then((ending) => (this.#ending = ending));
  }

  /** Never throws: a failure to start is an ending, too. */
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
      // Node's message quotes the invalid value, which may be a secret: keep only the code.
      return new AgentProcess(
        undefined,
        Promise.resolve(`could not be started (${errorCode(error) || "unknown error"})`),
      );
    }
  }

  /** How it ended; empty while it runs. */
  get ending(): string {
    return this.#ending;
  }

  /** Counts a request in progress; call the returned function when it is over. */
  begin(): () => void {
    this.#inProgress += 1;
    return () => {
      this.#inProgress -= 1;
    };
  }

  /**
   * Waits for the requests in progress, then sends SIGTERM, and SIGKILL after that; each may take the grace time. Resolves
   * after the end, with true if it was killed.
   */
  async stop(graceMilliseconds: number): Promise<boolean> {
    const rest = performance.now() + graceMilliseconds;
    while (this.#inProgress > 0 && performance.now() < rest) await sleep(LOOK_MS);
    let forced = false;
    // After its end another process may have its pid.
    if (this.#pid !== undefined && this.#ending === "") {
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
      const code = errorCode(error) || "unknown error";
      resolve(`could not be started (${code === "ENOENT" ? `no program ${program}` : code})`);
    });
  });
  // Its children must not outlive it.
  if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
  const late = new AbortController();
  await Promise.race([closed, sleep(LAST_LINES_MS, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
  for (const stream of [child.stdout, child.stderr]) stream.removeAllListeners("data").destroy();
  return ending;
}

function signalGroup(leader: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (WINDOWS) {
    // Windows has no SIGTERM.
    spawn("taskkill", ["/pid", String(leader), "/T", "/F"], { stdio: "ignore" }).on("error", () => undefined);
    return;
  }
  try {
    kill(-leader, signal);
  } catch {
    // ESRCH: the group has ended. EPERM: macOS reports it for a group of zombies.
  }
}

function isGroupAlive(leader: number): boolean {
  try {
    kill(WINDOWS ? leader : -leader, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** Calls `take` for each line of the stream, without colours, control characters and secrets. */
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
  // Hold back what may be the beginning of a secret, so that no secret is printed in two parts.
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
  // The pipe breaks at the end of the process, which `ended` reports.
  stream.on("error", () => undefined);
}
