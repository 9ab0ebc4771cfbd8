import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { HolderMarks } from "../../pulumi-provider/core/state/holder-marks.ts";
import type { Properties } from "../../pulumi-provider/core/state/state.ts";
import { DeploymentProvider } from "../../pulumi-provider/deployment-provider.ts";
import { EngineLog } from "../../pulumi-provider/engine-log.ts";
import { Host } from "../../pulumi-provider/host.ts";
import { Running } from "../../pulumi-provider/running.ts";
import { startLocalService, type LocalService } from "../../src/local/index.ts";
import { FastClock } from "../wire/clocks.ts";
import { UNKNOWN } from "./context.ts";

/** A resource as an engine keeps it. */
export interface Kept {
  readonly id: string;
  readonly outputs: Properties;
}

/** What a run sees beside the program. */
export interface RunSetting {
  readonly config?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** What its process shares with others; without it, nothing. */
  readonly machine?: { readonly directory: string; readonly engine: string } | undefined;
}

class Lines extends EngineLog {
  readonly messages: string[] = [];

  constructor() {
    super(undefined);
  }

  override write(severity: string, message: string): void {
    this.messages.push(`${severity}: ${message}`);
  }
}

/** One run of an engine: the calls that it makes to the provider of a host of its own. */
export class ProviderRun {
  readonly clock = new FastClock();
  readonly running = new Running();
  readonly host: Host;
  readonly #lines = new Lines();
  readonly #provider: DeploymentProvider;

  constructor({ config = {}, env = {}, machine }: RunSetting) {
    const temporaryDirectory = mkdtempSync(join(tmpdir(), "provider-run-"));
    onTestFinished(() => rmSync(temporaryDirectory, { recursive: true }));
    this.host = new Host({
      env: (name) => env[name],
      clock: this.clock,
      log: this.#lines,
      running: this.running,
      programDirectory: temporaryDirectory,
      temporaryDirectory,
      isUnknown: (value) => value === UNKNOWN,
      marks:
        machine &&
        new HolderMarks({ ...machine, owner: process.getuid?.(), programDirectory: temporaryDirectory, process }),
    });
    this.host.configure((key) => config[key]);
    this.#provider = new DeploymentProvider(this.host);
  }

  /** Every line that the user saw. */
  get messages(): string {
    return this.#lines.messages.join("\n");
  }

  async checked(program: Properties, olds: Properties = {}): Promise<Properties> {
    const { inputs, failures } = await this.#provider.check(olds, program);
    expect(failures).toEqual([]);
    // As Pulumi's host does.
    const { __provider: provider } = program;
    return { ...inputs, ...(provider === undefined ? {} : { __provider: provider }) };
  }

  async create(program: Properties): Promise<Kept> {
    const { id, outs } = await this.#provider.create(await this.checked(program));
    return { id, outputs: outs ?? {} };
  }

  async diff({ id, outputs }: Kept, program: Properties) {
    return await this.#provider.diff(id, outputs, await this.checked(program, outputs));
  }

  /** The difference to inputs that were checked with those of the state. */
  async compare({ id, outputs }: Kept, inputs: Properties) {
    return await this.#provider.diff(id, outputs, inputs);
  }

  async update({ id, outputs }: Kept, program: Properties): Promise<Kept> {
    const { outs } = await this.#provider.update(id, outputs, await this.checked(program, outputs));
    return { id, outputs: outs ?? {} };
  }

  async read({ id, outputs }: Kept) {
    return await this.#provider.read(id, outputs);
  }

  async delete({ id, outputs }: Kept): Promise<void> {
    await this.#provider.delete(id, outputs);
  }
}

/** A service for one test. */
export async function service(apiKey: string): Promise<LocalService> {
  const running = await startLocalService({ walkMilliseconds: 0, apiKey });
  onTestFinished(() => running.close());
  return running;
}

/** The configuration of a stack. */
export function stackOf(controlPlaneUrl: string, apiKey: string): RunSetting {
  return { config: { "graph-deploy:controlPlaneUrl": controlPlaneUrl, "graph-deploy:apiKey": apiKey } };
}

/** The requests that changed something: `DELETE /v2/deployments/ID`. */
export function writes({ requests }: LocalService): readonly string[] {
  const written = requests.filter(({ server, method }) => server === "service" && method !== "GET");
  return written.map(({ method, path }) => `${method} ${path.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "ID")}`);
}
