import { HostError } from "./host-error.ts";
import { ProviderCalls } from "./provider-calls.ts";
import { openEngine, ProviderProcess } from "./provider-process.ts";
import type { ResourceState } from "./resource-state.ts";
import type { OpenStep, RunReport } from "./run-report.ts";
import type { PendingOperation, StackState } from "./stack-state.ts";

/** What one run of the small engine works with. */
export interface RunSetup {
  readonly state: StackState;
  readonly report: RunReport;
  readonly preview: boolean;
  readonly parallel: number;
  readonly continueOnError: boolean;
  readonly host: {
    readonly directory: string;
    readonly project: string;
    readonly env: Readonly<Record<string, string>>;
  };
  /** The plugin that has every other type of resource, by the file that Node runs; undefined when there is none. */
  readonly plugin: string | undefined;
  /** The configuration that the provider gets, in plain. */
  readonly config: Readonly<Record<string, string>>;
}

/** Thrown to callers that wait for a run that has ended. What went wrong is in the report already. */
export class Halted extends Error {}

type Kind = "dynamic" | "plugin";

/** One run: its providers, how many work at once, and whether it is still running. */
export class Run {
  readonly setup: RunSetup;
  /** True once something failed. */
  failed = false;
  readonly #halt = Promise.withResolvers<undefined>();
  #halted = false;
  #interrupted = false;
  #free: number;
  readonly #queue: (() => void)[] = [];
  #active = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #providers = new Map<Kind, Promise<ProviderProcess>>();
  readonly #calls = new Map<Kind, Promise<ProviderCalls>>();
  #engine: ReturnType<typeof openEngine> | undefined;

  constructor(setup: RunSetup) {
    this.setup = setup;
    this.#free = setup.parallel;
  }

  get halted(): boolean {
    return this.#halted;
  }

  /** Resolves when it has ended. */
  get whenHalted(): Promise<undefined> {
    return this.#halt.promise;
  }

  /** Starts the host or the plugin already, since a run with a program will need it. */
  startHost(): void {
    void this.#start(this.setup.plugin === undefined ? "dynamic" : "plugin");
  }

  /** The provider of a type of resource, or of a function, configured at the first call. */
  async calls(token: string): Promise<ProviderCalls> {
    const kind = token.startsWith("pulumi-nodejs:dynamic") ? "dynamic" : "plugin";
    if (kind === "plugin" && this.setup.plugin === undefined)
      throw new Error(`This engine has no provider for ${token}.`);
    const calls = this.#calls.get(kind) ?? this.#configured(kind);
    this.#calls.set(kind, calls);
    return await calls;
  }

  /** True when a provider took part. */
  get hasConfigured(): boolean {
    return this.#calls.size > 0;
  }

  /** Nothing new begins; what runs may end. */
  halt(): void {
    this.failed = true;
    this.#halted = true;
    this.#halt.resolve(undefined);
  }

  /** As the first Ctrl-C: nothing new begins, and the provider is asked to end what runs. */
  async cancel(): Promise<void> {
    this.halt();
    for (const started of await this.#started()) await started.cancel();
  }

  /** Kills the providers alone: what runs fails. */
  async killProvider(): Promise<boolean> {
    const started = await this.#started();
    for (const one of started) one.kill();
    return started.length > 0;
  }

  /** As an engine that is killed: what runs is cut off, and stays open in the state. */
  async interrupt(): Promise<void> {
    this.#interrupted = true;
    this.halt();
    for (const started of await this.#started()) started.kill();
  }

  /** Does something that a halted run still waits for. */
  async active<T>(act: () => Promise<T>): Promise<T> {
    if (this.#halted) throw new Halted();
    this.#active += 1;
    try {
      return await act();
    } finally {
      this.#active -= 1;
      this.#settle();
    }
  }

  /** Resolves when nothing is running. */
  async idle(): Promise<void> {
    if (this.#active > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Waits for one of the run's slots. */
  async slot<T>(act: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      if (this.#halted) throw new Halted();
      return await act();
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  /** Does one step; its error is reported, and thrown as `Halted`. `pending` is what the state says meanwhile. */
  async attempt<T>(step: OpenStep, pending: PendingOperation["type"] | undefined, act: () => Promise<T>): Promise<T> {
    const { state, preview, report } = this.setup;
    const operation = pending && !preview ? state.begin({ type: pending, name: step.name }) : undefined;
    try {
      return await act();
    } catch (error) {
      step.failed = true;
      this.failed = true;
      if (!this.#interrupted) report.error(messageOf(error), step.urn);
      throw new Halted();
    } finally {
      if (operation !== undefined && !this.#interrupted) state.end(operation);
    }
  }

  /** Writes to the state. What a run that was cut off still says is lost. */
  put(next: ResourceState, old?: ResourceState): void {
    if (!this.#interrupted) this.setup.state.put(next, old);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const started of await this.#started()) await started[Symbol.asyncDispose]();
    (await this.#engine)?.close();
  }

  /** The address that all providers of the run get. */
  async #opened() {
    this.#engine ??= openEngine((line) => this.setup.report.log(line));
    return await this.#engine;
  }

  async #started(): Promise<readonly ProviderProcess[]> {
    const started = await Promise.allSettled(this.#providers.values());
    return started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  }

  #start(kind: Kind): Promise<ProviderProcess> {
    const { host, plugin = "", report } = this.setup;
    const start = async () => {
      const options = { ...host, engine: await this.#opened(), onLog: report.log.bind(report) };
      return await (kind === "plugin"
        ? ProviderProcess.start(plugin, options)
        : ProviderProcess.startDynamic(host.project, options));
    };
    const started = this.#providers.get(kind) ?? start();
    this.#providers.set(kind, started);
    started.catch(() => {});
    return started;
  }

  async #configured(kind: Kind): Promise<ProviderCalls> {
    const provider = await this.#start(kind);
    const { config, preview } = this.setup;
    if (kind === "dynamic") await provider.configure(config);
    else {
      const own = Object.entries(config).filter(([key]) => key.startsWith("graph-deploy:"));
      const settings = Object.fromEntries(own.map(([key, value]) => [key.slice("graph-deploy:".length), value]));
      await provider.configure((await provider.checkConfig(settings)).inputs);
    }
    return new ProviderCalls(provider, { preview, isPlugin: kind === "plugin" });
  }

  #settle(): void {
    if (this.#active > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** What the engine prints of an error. */
export function messageOf(error: unknown): string {
  if (error instanceof HostError && error.partial !== undefined) {
    const { reasons } = error.partial;
    const count = reasons.length === 1 ? "1 error" : `${reasons.length} errors`;
    return reasons.length === 0 ? error.message : `${count} occurred:\n\t* ${reasons.join("\n\t* ")}`;
  }
  return error instanceof Error ? error.message : String(error);
}
