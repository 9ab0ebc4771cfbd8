import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { deleteLeftovers } from "./deletions.ts";
import { diagnostic } from "./diagnostic.ts";
import { addEngineService } from "./engine-log.ts";
import { LoopbackServer } from "./loopback-server.ts";
import { exitMessage, startProgram } from "./program-process.ts";
import { refreshAll } from "./refresh.ts";
import { Registrar } from "./registrar.ts";
import { ResourceMonitor } from "./resource-monitor.ts";
import { Run } from "./run.ts";
import { RunReport } from "./run-report.ts";
import { StackConfig } from "./stack-config.ts";
import { StackState } from "./stack-state.ts";
import type {
  DestroyOptions,
  ExportedState,
  PreviewOptions,
  PulumiStack,
  RunOptions,
  RunResult,
  StackOptions,
} from "./stack.ts";

const PARALLEL = 8;

// A program that hears that the monitor is gone ends by itself; one that does not is ended.
const PROGRAM_GRACE_MS = 2_000;

/**
 * A stack on the tests' own engine: real program, real host of dynamic providers, everything between them in this
 * process. It knows dynamic resources, components, and one plugin with its functions. It does not know: aliases, hooks,
 * import, targets of an up, plans, deletedWith, a resource that is made where one was read or the other way round, and
 * replacing the dependents of a resource that is deleted before its replacement.
 */
export class SmallStack implements PulumiStack {
  readonly engine = "small";
  readonly #options: StackOptions;
  readonly #config: StackConfig;
  readonly #state = new StackState();
  #env: Readonly<Record<string, string>>;
  // The real engine keeps the provider's configuration in its state: refresh and destroy use that one.
  #lastConfig: Readonly<Record<string, string>>;
  #running: Pick<Run, "cancel" | "interrupt" | "killProvider"> | undefined;

  constructor(options: StackOptions) {
    this.#options = options;
    this.#env = options.env ?? {};
    this.#config = new StackConfig(options.project, options.config);
    this.#lastConfig = this.#config.plain();
  }

  up(options: RunOptions = {}): Promise<RunResult> {
    return this.#runProgram(options, this.#state, false);
  }

  async preview(options: PreviewOptions = {}): Promise<RunResult> {
    const result = await this.#runProgram(options, this.#state.copy(), true);
    const isUnchanged = Object.keys(result.changes).every((op) => op === "same" || op === "read");
    if (options.expectNoChanges !== true || !result.ok || isUnchanged) return result;
    const line = diagnostic("error", "No changes were expected, but there are some.");
    options.onLog?.(line);
    return { ...result, ok: false, diagnostics: [...result.diagnostics, line] };
  }

  refresh(options: RunOptions = {}): Promise<RunResult> {
    return this.#runAlone(options, refreshAll);
  }

  destroy({ targets, ...options }: DestroyOptions = {}): Promise<RunResult> {
    const others = this.#state.resources.map(({ urn }) => urn).filter((urn) => targets?.includes(urn) === false);
    return this.#runAlone(options, (run) => deleteLeftovers(run, new Set(others), new Set()));
  }

  async exported(): Promise<ExportedState> {
    return this.#state.exported();
  }

  async setConfig(key: string, value: string, options: { readonly secret?: boolean } = {}): Promise<void> {
    this.#config.set(key, value, options.secret);
  }

  async removeConfig(key: string): Promise<void> {
    this.#config.remove(key);
  }

  setEnv(env: Readonly<Record<string, string>>): void {
    this.#env = env;
  }

  async cancel(): Promise<void> {
    await this.#running?.cancel();
  }

  async killProvider(): Promise<boolean> {
    return (await this.#running?.killProvider()) ?? false;
  }

  async interrupt(): Promise<void> {
    await this.#running?.interrupt();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.interrupt();
  }

  async #runAlone(options: RunOptions, act: (run: Run) => Promise<void>): Promise<RunResult> {
    await using run = this.#begin(options, this.#state, false, this.#lastConfig);
    this.#running = run;
    await run.active(() => act(run));
    this.#running = undefined;
    return run.setup.report.result(!run.failed);
  }

  async #runProgram(options: RunOptions, state: StackState, preview: boolean): Promise<RunResult> {
    const config = this.#config.plain();
    await using run = this.#begin(options, state, preview, config);
    const { report } = run.setup;
    const registrar = new Registrar(run);
    const monitor = new ResourceMonitor(run, registrar, this.#options);
    const server = await LoopbackServer.open((one) => {
      monitor.addTo(one);
      addEngineService(one, (line) => report.log(line));
    });
    try {
      run.startHost();
      await this.#watchProgram(run, options, server.address);
      if (!preview && run.hasConfigured) this.#lastConfig = config;
      if (!run.halted) await deleteLeftovers(run, registrar.seen, registrar.failed);
    } finally {
      this.#running = undefined;
      server.close();
    }
    return report.result(!run.failed, preview ? {} : monitor.outputs);
  }

  async #watchProgram(run: Run, options: RunOptions, address: string): Promise<void> {
    const { report, preview, parallel } = run.setup;
    const { directory, project, stack } = this.#options;
    const program = startProgram({
      ...{ directory, project, stack, address, preview, parallel },
      program: options.program,
      config: this.#config,
      env: this.#env,
      onOutput: (line) => report.log(diagnostic("info", line)),
      onErrorOutput: (line) => report.log(diagnostic("info#err", line)),
    });
    this.#running = {
      cancel: () => run.cancel(),
      killProvider: () => run.killProvider(),
      interrupt: async () => {
        program.kill();
        await run.interrupt();
      },
    };
    const halted = run.whenHalted.then(() => run.idle()).then(() => sleep(PROGRAM_GRACE_MS, undefined, { ref: false }));
    const isOver = await Promise.race([program.ended.then(() => true), halted]);
    if (isOver !== true) program.kill();
    const code = await program.ended;
    await run.idle();
    if (code === 0 && !run.failed) program.share();
    else program.kill();
    if (run.halted || code === 0) return;
    const message = exitMessage(code);
    if (message !== undefined) report.error(message);
    run.halt();
  }

  #begin(options: RunOptions, state: StackState, preview: boolean, config: Readonly<Record<string, string>>): Run {
    const report = new RunReport(options.onLog);
    if (state.pending.length > 0) {
      report.warn(`The last run left ${state.pending.length} operations open.`);
      if (!preview) state.forgetPending();
    }
    const { directory, project, plugin } = this.#options;
    return new Run({
      ...{ state, report, preview, config },
      parallel: options.parallel ?? PARALLEL,
      continueOnError: options.continueOnError ?? false,
      host: { directory, project, env: this.#env },
      plugin: plugin === undefined ? undefined : join(plugin, "index.js"),
    });
  }
}
