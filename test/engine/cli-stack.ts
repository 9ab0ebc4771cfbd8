import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import automation from "@pulumi/pulumi/automation/index.js";
import type { EngineEvent, LocalWorkspace, OutputMap, Stack } from "@pulumi/pulumi/automation/index.js";
import { standardEnvironment } from "./child-process.ts";
import { readExport } from "./cli-export.ts";
import { EventReport } from "./event-report.ts";
import { kill, killTree, processTree, type Listed } from "./process-tree.ts";
import { entryPoint } from "./program-process.ts";
import { RunReport } from "./run-report.ts";
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
// The host of dynamic providers, and the plugin, whichever way it was started.
const PROVIDER = /dynamic-provider|graph-deploy\/build\/plugin/;

interface EngineOptions {
  readonly parallel: number;
  readonly onEvent: (event: EngineEvent) => void;
  readonly signal: AbortSignal;
}

/** A stack on the real CLI: state in files, secrets behind a passphrase, nothing outside a folder of its own. */
export class CliStack implements PulumiStack {
  readonly engine = "cli";
  readonly #options: StackOptions;
  readonly #home: string;
  readonly #stack: Stack;
  readonly #workspace: LocalWorkspace;
  #running: { readonly controller: AbortController; readonly ended: Promise<unknown> } | undefined;

  private constructor(options: StackOptions, home: string, stack: Stack, workspace: LocalWorkspace) {
    this.#options = options;
    this.#home = home;
    this.#stack = stack;
    this.#workspace = workspace;
  }

  /** `cli` is the folder that `findPulumiCli` names. The program's directory is not written to. */
  static async open(options: StackOptions, cli: string): Promise<CliStack> {
    const home = await mkdtemp(join(tmpdir(), "pulumi-stack-"));
    for (const folder of ["work", "state", "home", "cli"]) await mkdir(join(home, folder));
    await symlink(cli, join(home, "cli/bin"));
    const workspace = await automation.LocalWorkspace.create({
      workDir: join(home, "work"),
      pulumiHome: join(home, "home"),
      pulumiCommand: await automation.PulumiCommand.get({ root: join(home, "cli") }),
      envVars: wholeEnvironment(home, options.env ?? {}),
      secretsProvider: "passphrase",
      projectSettings: projectSettings(options, undefined),
    });
    const stack = await automation.Stack.create(options.stack, workspace);
    const config = Object.entries(options.config ?? {}).map(
      ([key, value]) => [key, typeof value === "string" ? { value } : { value: value.secret, secret: true }] as const,
    );
    if (config.length > 0) await stack.setAllConfig(Object.fromEntries(config));
    return new CliStack(options, home, stack, workspace);
  }

  async up(options: RunOptions = {}): Promise<RunResult> {
    await this.#useProgram(options.program);
    const continueOnError = options.continueOnError ?? false;
    return this.#run(options, async (engine) => (await this.#stack.up({ ...engine, continueOnError })).outputs);
  }

  async preview(options: PreviewOptions = {}): Promise<RunResult> {
    await this.#useProgram(options.program);
    const expectNoChanges = options.expectNoChanges ?? false;
    return this.#run(options, async (engine) => {
      await this.#stack.preview({ ...engine, expectNoChanges });
      return {};
    });
  }

  refresh(options: RunOptions = {}): Promise<RunResult> {
    return this.#run(options, async (engine) => {
      await this.#stack.refresh(engine);
      return {};
    });
  }

  destroy(options: DestroyOptions = {}): Promise<RunResult> {
    const target = options.targets === undefined ? {} : { target: [...options.targets] };
    return this.#run(options, async (engine) => {
      await this.#stack.destroy({ ...engine, ...target });
      return {};
    });
  }

  async exported(): Promise<ExportedState> {
    const { deployment } = await this.#stack.exportStack();
    const { project, stack } = this.#options;
    const file = join(this.#home, `state/.pulumi/stacks/${project}/${stack}.json`);
    return readExport(deployment, await readFile(file, "utf8"));
  }

  async setConfig(key: string, value: string, options: { readonly secret?: boolean } = {}): Promise<void> {
    await this.#stack.setConfig(key, { value, secret: options.secret ?? false });
  }

  async removeConfig(key: string): Promise<void> {
    await this.#stack.removeConfig(key);
  }

  setEnv(env: Readonly<Record<string, string>>): void {
    this.#workspace.envVars = wholeEnvironment(this.#home, env);
  }

  async cancel(): Promise<void> {
    this.#running?.controller.abort();
  }

  async killProvider(): Promise<boolean> {
    const providers = (await this.#processes()).filter(({ args }) => PROVIDER.test(args));
    for (const { pid } of providers) kill(pid);
    return providers.length > 0;
  }

  /** Kills the engine alone; answers the processes that it leaves behind. */
  async killEngine(): Promise<readonly Listed[]> {
    if (this.#running === undefined) return [];
    const { ended } = this.#running;
    const processes = await this.#processes();
    // Its language host is beside it, under a name that begins alike.
    const isEngine = ({ args }: Listed) => args.split(" ", 1)[0] === this.#command;
    for (const { pid } of processes.filter(isEngine)) kill(pid);
    await ended;
    await this.#stack.cancel();
    return processes.filter((one) => !isEngine(one));
  }

  async interrupt(): Promise<void> {
    if (this.#running === undefined) return;
    const { ended } = this.#running;
    // Two signals would not do: at the first one a provider may end what runs, and nothing is left open.
    await killTree(this.#command);
    await ended;
    // An engine that was killed has left its lock.
    await this.#stack.cancel();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.interrupt();
    await rm(this.#home, { recursive: true, force: true });
  }

  get #command(): string {
    return join(this.#home, "cli/bin/pulumi");
  }

  #processes(): Promise<readonly Listed[]> {
    return processTree(this.#command);
  }

  async #useProgram(program: string | undefined): Promise<void> {
    await this.#workspace.saveProjectSettings(projectSettings(this.#options, program));
  }

  async #run(options: RunOptions, act: (engine: EngineOptions) => Promise<OutputMap>): Promise<RunResult> {
    const report = new RunReport(options.onLog);
    const events = new EventReport(report);
    const controller = new AbortController();
    const running = act({
      parallel: options.parallel ?? PARALLEL,
      onEvent: (event) => events.take(event),
      signal: controller.signal,
    });
    this.#running = { controller, ended: running.catch(() => {}) };
    try {
      const values = Object.entries(await running).map(([key, output]) => [key, output.value as unknown] as const);
      return report.result(true, Object.fromEntries(values));
    } catch (error) {
      // What the CLI itself says, without its log of the run, which the events told already.
      if (!report.hasError) report.error(error instanceof Error ? error.message : String(error));
      return report.result(false);
    } finally {
      this.#running = undefined;
    }
  }
}

function projectSettings(options: StackOptions, program: string | undefined) {
  const entry = program ?? entryPoint(options.directory);
  return {
    name: options.project,
    main: entry === "." ? options.directory : join(options.directory, entry),
    runtime: { name: "nodejs", options: { typescript: entry.endsWith(".ts") } },
    ...(options.plugin === undefined
      ? {}
      : { plugins: { providers: [{ name: "graph-deploy", path: options.plugin }] } }),
  };
}

/** The environment of the CLI: the automation API adds this process's own, which is taken out again. */
function wholeEnvironment(home: string, env: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = Object.fromEntries(Object.keys(process.env).map((key) => [key, undefined] as const));
  const whole: Record<string, string | undefined> = {
    ...inherited,
    ...standardEnvironment(),
    ...env,
    PULUMI_BACKEND_URL: `file://${join(home, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
  // Node leaves out what is undefined when it starts a process, which the API's type does not know.
  return whole as Record<string, string>;
}
