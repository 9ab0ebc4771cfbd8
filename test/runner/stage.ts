import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { NODE_ARGUMENTS } from "../node-arguments.ts";
import { parseFileCommand } from "./file-command.ts";
import { LineSplitter } from "./line-splitter.ts";
import type { SecretMasker } from "./secret-masker.ts";
import { StageFiles } from "./step-files.ts";
import { StepLog, type Annotation, type Leak } from "./step-log.ts";
import type { WorkflowCommand } from "./workflow-command.ts";

/** How one stage of a step (main or post) ended, and all that it did on the way. */
export interface StageResult {
  /** Null when a signal ended the process. */
  readonly exitCode: number | null;
  /** What the step is for the job: an exit code or a file that the runner refuses makes it a failure. */
  readonly conclusion: "success" | "failure";
  readonly milliseconds: number;
  /** The log as a reader sees it: masked, one line each, commands as `##[group]…`, `##[error]…`. */
  readonly log: readonly string[];
  readonly rawStdout: string;
  readonly rawStderr: string;
  readonly commands: readonly WorkflowCommand[];
  readonly annotations: readonly Annotation[];
  readonly outputs: ReadonlyMap<string, string>;
  readonly state: ReadonlyMap<string, string>;
  /** What was written for later steps; this project's actions write none. */
  readonly exportedEnv: ReadonlyMap<string, string>;
  readonly summary: string;
  /** Secrets that a reader of the log, the outputs, the state or the summary can see. */
  readonly leaked: readonly Leak[];
  /** What the runner would refuse, cut or drop. */
  readonly faults: readonly string[];
}

/** What a stage runs with. */
export interface StageOptions {
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly temp: string;
  readonly secrets: readonly string[];
  readonly masker: SecretMasker;
  readonly declaredOutputs: readonly string[];
  readonly timeoutMs: number;
}

/** A larger summary is dropped whole (FileCommandManager.cs, AttachmentSizeLimit). */
const SUMMARY_BYTES = 1024 * 1024;

/** All outputs of a job together may have this many bytes, counted as UTF-16. */
const OUTPUT_BYTES = 1024 * 1024;

/** Between a cancel's SIGINT, SIGTERM and the end by force (ProcessInvoker.cs). */
const SIGINT_MS = 7_500;
const SIGTERM_MS = 2_500;

/** A stage that runs. Its output is taken as it comes. */
export class Stage {
  /** Settles when the process has ended and its output and files are read; rejects when it ran out of time. */
  readonly result: Promise<StageResult>;
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #log: StepLog;
  #waiting: (() => void)[] = [];
  #ended = false;

  private constructor(options: StageOptions, files: StageFiles) {
    const { secrets, masker, env } = options;
    this.#log = new StepLog({ secrets, masker, debug: env["RUNNER_DEBUG"] === "1" });
    const child = spawn(process.execPath, [...NODE_ARGUMENTS, options.script], {
      cwd: options.cwd,
      env: { ...env, ...files.env, ...compileCache(options) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    this.#closed = once(child, "close").then(() => (this.#ended = true));
    this.result = this.#finish(options, files, this.#listen(child.stdout), this.#listen(child.stderr));
    // The user who started the stage may look at the result later.
    this.result.catch(() => undefined);
  }

  static async start(options: StageOptions): Promise<Stage> {
    return new Stage(options, await StageFiles.create(options.temp));
  }

  /** The first line of the log that matches, now or later; rejects when the process ends without one. */
  async line(pattern: RegExp): Promise<string> {
    let seen = 0;
    for (;;) {
      const found = this.#log.lines.slice(seen).find((line) => pattern.test(line));
      if (found !== undefined) return found;
      if (this.#ended) break;
      seen = this.#log.lines.length;
      const next = new Promise<void>((resolve) => this.#waiting.push(resolve));
      await Promise.race([next, this.#closed]);
    }
    throw new Error(`no line matched ${String(pattern)} in:\n${this.#log.lines.join("\n")}`);
  }

  /** Sends one signal. On Windows every signal ends the process at once. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Cancels as the runner does: SIGINT, after 7.5 s SIGTERM, after another 2.5 s the end. */
  async cancel(): Promise<void> {
    for (const [signal, patience] of [
      ["SIGINT", SIGINT_MS],
      ["SIGTERM", SIGTERM_MS],
      ["SIGKILL", 0],
    ] as const) {
      this.#child.kill(signal);
      if (await this.#closesWithin(patience)) return;
    }
  }

  async #closesWithin(milliseconds: number): Promise<boolean> {
    const closed = new AbortController();
    const timeUp = sleep(milliseconds, "time is up", { signal: closed.signal }).catch(() => undefined);
    const first = await Promise.race([this.#closed, timeUp]);
    closed.abort();
    return first !== "time is up";
  }

  #listen(stream: NodeJS.ReadableStream): LineSplitter {
    const splitter = new LineSplitter((line) => {
      this.#log.take(line);
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const wake of waiting) wake();
    });
    stream.on("data", (bytes: Buffer) => splitter.write(bytes));
    stream.on("end", () => splitter.end());
    return splitter;
  }

  async #finish(
    options: StageOptions,
    files: StageFiles,
    stdout: LineSplitter,
    stderr: LineSplitter,
  ): Promise<StageResult> {
    const start = performance.now();
    if (!(await this.#closesWithin(options.timeoutMs))) {
      this.#child.kill("SIGKILL");
      await this.#closed;
      throw new Error(`no end after ${options.timeoutMs} ms; the log:\n${this.#log.lines.join("\n")}`);
    }
    const milliseconds = performance.now() - start;
    const written = await this.#readFiles(files, options.declaredOutputs);
    const { lines: log, commands, annotations, leaks: leaked, faults } = this.#log;
    const exitCode = this.#child.exitCode;
    return {
      exitCode,
      conclusion: exitCode === 0 && written.readable ? "success" : "failure",
      milliseconds,
      log,
      rawStdout: stdout.raw,
      rawStderr: stderr.raw,
      commands,
      annotations,
      ...written.values,
      leaked,
      faults,
    };
  }

  async #readFiles(files: StageFiles, declaredOutputs: readonly string[]) {
    const { faults } = this.#log;
    let readable = true;
    const read = async (kind: "OUTPUT" | "STATE" | "ENV") => {
      const text = await files.read(kind);
      this.#log.search(`GITHUB_${kind}`, text);
      try {
        return parseFileCommand(text);
      } catch (error) {
        readable = false;
        faults.push(`GITHUB_${kind}: ${error instanceof Error ? error.message : String(error)}`);
        return new Map<string, string>();
      }
    };
    const [outputs, state, exportedEnv, summary, path] = await Promise.all([
      read("OUTPUT"),
      read("STATE"),
      read("ENV"),
      files.read("STEP_SUMMARY"),
      files.read("PATH"),
    ]);
    this.#log.search("GITHUB_STEP_SUMMARY", summary);
    if (path !== "") faults.push("GITHUB_PATH was written");
    for (const name of outputs.keys()) {
      if (!declaredOutputs.includes(name)) faults.push(`output ${name} is not declared in action.yml`);
    }
    const outputBytes = [...outputs.values()].reduce((sum, value) => sum + value.length * 2, 0);
    if (outputBytes > OUTPUT_BYTES) faults.push(`outputs of ${outputBytes} bytes are over the job's limit`);
    const summaryBytes = Buffer.byteLength(summary);
    if (summaryBytes > SUMMARY_BYTES) faults.push(`a summary of ${summaryBytes} bytes is dropped`);
    return { readable, values: { outputs, state, exportedEnv, summary } };
  }
}

/** Steps set flags of V8, which takes what was compiled under the same ones: each action keeps its own. */
function compileCache({ env, script }: StageOptions): Readonly<Record<string, string>> {
  const directory = env["NODE_COMPILE_CACHE"];
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: join(directory, basename(dirname(script))) };
}
