import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { platform } from "node:os";
// Node has no other way to end a process with its children; nothing else of the process is used here.
// eslint-disable-next-line no-restricted-imports
import { kill } from "node:process";
import type { Clock } from "../../http/clock.ts";
import type { ForeignText } from "../../text/foreign-text.ts";
import { jsonOrUndefined } from "../../text/json-text.ts";
import { quoted } from "../../text/quoted.ts";
import { isJsonObject, type JsonObject } from "./value.ts";

export interface JsonProcessOptions {
  /** For a shell. */
  readonly command: string;
  readonly directory: string;
  /** The whole of it. Throws where there can be none. */
  readonly environment: () => Readonly<Record<string, string>>;
  /** How long it may be silent while something waits. */
  readonly timeoutMilliseconds: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Cleans what is shown of its output. */
  readonly text: ForeignText;
}

/**
 * One process that answers JSON with JSON: an object a line in, an object with the same `id` a line out, in any order. It
 * starts when it is asked first, and ends with its children. What goes wrong is the reason of all that wait and of all
 * that are asked later.
 */
export class JsonProcess {
  readonly #options: JsonProcessOptions;
  readonly #waiting = new Map<string, (answer: JsonObject | string) => void>();
  #child: ChildProcessWithoutNullStreams | undefined;
  /** Why it answers no more; empty while it does. */
  #ending = "";
  #stderr = "";
  #cancelAlarm = (): void => undefined;

  constructor(options: JsonProcessOptions) {
    this.#options = options;
  }

  /** The answer, or why there is none. Throws where the process cannot have its environment. */
  async ask(id: string, asked: object): Promise<JsonObject | string> {
    const line = JSON.stringify({ id, ...asked });
    if (this.#options.signal.aborted) this.#stop(CANCELLED);
    if (this.#ending !== "") return this.#ending;
    this.#child ??= this.#start();
    const { promise, resolve } = Promise.withResolvers<JsonObject | string>();
    this.#waiting.set(id, resolve);
    if (this.#waiting.size === 1) this.#watch();
    this.#child.stdin.write(`${line}\n`);
    return promise;
  }

  /** Lets the process end by itself for a short time, then ends it with its children. */
  async end(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    if (this.#ending === "") {
      child.stdin.end();
      await new Promise<void>((resolve) => {
        child.once("close", this.#options.clock.alarm(LAST_MILLISECONDS, resolve)).once("close", () => {
          resolve();
        });
      });
    }
    this.#stop("the evaluation ended");
    // A process that left the group may hold the pipes open, and would keep this one from ending.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    child.unref();
  }

  #start(): ChildProcessWithoutNullStreams {
    const { command, directory, environment, signal, text: clean } = this.#options;
    const child = spawn(command, { cwd: directory, env: environment(), shell: true, ...OWN_GROUP });
    child.stdin.on("error", () => undefined);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MOST_OF_STDERR);
    });
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.trim() !== "") this.#take(line);
      if (rest.length > LONGEST_LINE) this.#stop("the command wrote a line of more than 1 MB");
    });
    child.once("error", ({ message }) => {
      this.#stop(`the command could not be started: ${clean.line(message)}`);
    });
    // Where its children hold the pipes, "close" would not come.
    child.once("exit", () => {
      endGroup(child);
    });
    child.once("close", (code, signalName) => {
      const last = clean.lines(this.#stderr).filter((line) => line !== "");
      const how = code === null ? `was ended by ${String(signalName)}` : `ended with exit code ${String(code)}`;
      this.#stop([`the command ${how}`, ...last.slice(-MOST_LINES)].join(": "));
    });
    signal.addEventListener("abort", () => {
      this.#stop(CANCELLED);
    });
    return child;
  }

  #take(line: string): void {
    const answer = jsonOrUndefined(line);
    const id = isJsonObject(answer) ? answer["id"] : undefined;
    const resolve = typeof id === "string" ? this.#waiting.get(id) : undefined;
    if (!isJsonObject(answer) || typeof id !== "string" || !resolve) {
      this.#stop(`the command wrote a line that answers no row: ${quoted(this.#options.text.line(line))}`);
      return;
    }
    this.#waiting.delete(id);
    this.#watch();
    resolve(answer);
  }

  /** Each answer shows that it works: one that takes a row after the other may have many that wait. */
  #watch(): void {
    this.#cancelAlarm();
    if (this.#waiting.size === 0) return;
    const { timeoutMilliseconds } = this.#options;
    this.#cancelAlarm = this.#options.clock.alarm(timeoutMilliseconds, () => {
      this.#stop(`the command gave no answer for ${String(timeoutMilliseconds / 1000)} s`);
    });
  }

  #stop(reason: string): void {
    this.#cancelAlarm();
    if (this.#ending !== "") return;
    this.#ending = reason;
    for (const resolve of this.#waiting.values()) resolve(reason);
    this.#waiting.clear();
    if (this.#child) endGroup(this.#child);
  }
}

const CANCELLED = "the evaluation was cancelled";
const LAST_MILLISECONDS = 2_000;
// Far above what scores and their comments take.
const LONGEST_LINE = 1_000_000;
// Far above what is shown of it, so that no secret that is cut at its start is shown.
const MOST_OF_STDERR = 100_000;
const MOST_LINES = 5;

const WINDOWS = platform() === "win32";
// Its children are in its process group; Windows has none, and knows the tree of a process while that runs.
const OWN_GROUP = { detached: !WINDOWS, windowsHide: true } as const;

function endGroup({ pid }: ChildProcessWithoutNullStreams): void {
  if (pid === undefined) return;
  if (WINDOWS) {
    spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" }).on("error", () => undefined);
    return;
  }
  try {
    kill(-pid, "SIGKILL");
  } catch {
    // Nothing of it runs any more.
  }
}
