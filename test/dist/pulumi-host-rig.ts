import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { PROVIDER_TEXTS } from "../../pulumi-provider/provider-text.ts";
import { startLocalService, type LocalService, type LocalServiceOptions } from "../../src/local/index.ts";
import { HostError, type PartialFailure } from "../engine/host-error.ts";
import type { Properties } from "../engine/property-values.ts";
import { ProviderProcess } from "../engine/provider-process.ts";
import type { Diagnostic } from "../engine/stack.ts";

/** The key of every service; what the tests search all texts for. */
export const API_KEY = "key-of-the-host-0123456789";

/** The least that a deployment of an image says. */
export const IMAGE = { name: "a", source: "external_docker", imageUri: "registry/agent:1" } as const;

/** How long a busy machine may take to tell a line. */
export const PATIENCE = { timeout: 120_000 };

/** How a host is started beside its service. */
export interface HostRigOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly service?: LocalServiceOptions;
  /** False leaves the configuring to the test. */
  readonly isConfigured?: boolean;
}

/** The real host of a program with the built package, a service for it, and every line that it told. */
export class HostRig {
  readonly host: ProviderProcess;
  readonly service: LocalService;
  readonly lines: readonly Diagnostic[];
  /** Where archives lie while they are sent. */
  readonly temporaryDirectory: string;

  private constructor(host: ProviderProcess, service: LocalService, lines: readonly Diagnostic[], directory: string) {
    this.host = host;
    this.service = service;
    this.lines = lines;
    this.temporaryDirectory = join(directory, "tmp");
  }

  /** In a new folder of the program, which ends with it, whose node_modules are found from there. */
  static async start(
    program: string,
    { env = {}, service, isConfigured = true }: HostRigOptions = {},
  ): Promise<HostRig> {
    const directory = mkdtempSync(join(program, "host-"));
    mkdirSync(join(directory, "tmp"));
    mkdirSync(join(directory, "agent"));
    writeFileSync(
      join(directory, "agent", "graph.json"),
      JSON.stringify({ graphs: { agent: "./agent.py:graph" }, dependencies: [".", "requests"] }),
    );
    writeFileSync(join(directory, "agent", "agent.py"), "graph = None\n");
    const lines: Diagnostic[] = [];
    const running = await startLocalService({ walkMilliseconds: 0, apiKey: API_KEY, ...service });
    const host = await ProviderProcess.startDynamic("agents", {
      directory,
      env: { TMPDIR: join(directory, "tmp"), ...env },
      onLog: (line) => lines.push(line),
    });
    const rig = new HostRig(host, running, lines, directory);
    if (isConfigured) await rig.configure();
    return rig;
  }

  /** As `start`, for one test. */
  static async forTest(program: string, options: HostRigOptions = {}): Promise<HostRig> {
    const rig = await HostRig.start(program, options);
    onTestFinished(() => rig.close());
    return rig;
  }

  /** Hands the configuration over. */
  async configure(): Promise<void> {
    await this.host.configure({ "graph-deploy:controlPlaneUrl": this.service.url, "graph-deploy:apiKey": API_KEY });
  }

  /** The inputs as a check fills them in; none may be refused. */
  async checked(inputs: Properties, olds: Properties = {}): Promise<Properties> {
    const checked = await this.host.check(olds, ofDeployment(inputs));
    expect(checked.failures).toEqual([]);
    return checked.inputs;
  }

  async create(inputs: Properties) {
    return await this.host.create(await this.checked(inputs));
  }

  /** Everything that was reported, as one text. */
  told(): string {
    return this.lines.map(({ message }) => message).join("\n");
  }

  async close(): Promise<void> {
    await this.host[Symbol.asyncDispose]();
    await this.service.close();
  }
}

/** Properties as the engine hands them over: with the provider that a program names. */
export function ofDeployment(properties: Properties): Properties {
  return { ...properties, __provider: PROVIDER_TEXTS.deployment };
}

/** What a call was refused with. */
export async function refusal(call: Promise<unknown>): Promise<HostError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof HostError) return error;
  throw new Error("the call was not refused", { cause: error });
}

/** What a call that failed half way left. */
export async function partial(call: Promise<unknown>): Promise<PartialFailure> {
  const error = await refusal(call);
  if (error.partial !== undefined) return error.partial;
  throw new Error("nothing was left", { cause: error });
}
