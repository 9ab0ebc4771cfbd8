import { createRequire } from "node:module";
import { join } from "node:path";
import providerPb from "@pulumi/pulumi/proto/provider_pb.js";
import { fromStruct, toStruct } from "./property-values.ts";
import type { Properties } from "./property-values.ts";
import { call, ProviderProcess, startProvider } from "./provider-process.ts";
import type { Diagnostic } from "./stack.ts";

/** Where a host runs and who hears it. */
export interface DynamicHostOptions {
  /** The program's directory: modules that the provider requires are found from here. */
  readonly directory: string;
  readonly project: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Every line that the provider logs, and every one that the process prints. */
  readonly onLog?: (line: Diagnostic) => void;
  /** The engine of its run, which hears what it logs; undefined for an engine of its own. */
  readonly engine?: Parameters<typeof startProvider>[0]["engine"];
}

/** What a diff says. `unknown`: the provider has none, or did not answer with true or false. */
export interface HostDiff {
  readonly changes: "some" | "none" | "unknown";
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** What a read found. An empty `id`: nothing. */
export interface HostRead {
  readonly id: string;
  readonly outputs: Record<string, unknown>;
  /** Only when the provider returned them. */
  readonly inputs: Record<string, unknown> | undefined;
}

/**
 * The real host of dynamic providers, as a process of its own. Properties are passed as they are: `__provider` must be
 * among them, the text of a module that exports `handler()`. Every method rejects with a `HostError`.
 */
export class DynamicHost extends ProviderProcess {
  static async start({ directory, project, env, onLog, engine }: DynamicHostOptions): Promise<DynamicHost> {
    const script = createRequire(join(directory, "index.js")).resolve("@pulumi/pulumi/cmd/dynamic-provider");
    const variables = { ...env, PULUMI_NODEJS_PROJECT: project, PULUMI_PROJECT: project };
    return new DynamicHost(await startProvider({ script, directory, env: variables, onLog, engine }));
  }

  /** Hands over the configuration: `namespace:key` to plain text. */
  async configure(config: Readonly<Record<string, string>>): Promise<void> {
    const request = new providerPb.ConfigureRequest().setArgs(toStruct(config));
    await call<unknown>((answer) => this.client.configure(request, answer));
  }

  /** `olds` are the old inputs, {} for a new resource. */
  async check(olds: Properties, news: Properties) {
    const request = new providerPb.CheckRequest().setOlds(toStruct(olds)).setNews(toStruct(news));
    const response = await call<InstanceType<typeof providerPb.CheckResponse>>((answer) =>
      this.client.check(request, answer),
    );
    return {
      inputs: fromStruct(response.getInputs()),
      failures: response.getFailuresList().map((one) => ({ property: one.getProperty(), reason: one.getReason() })),
    };
  }

  /** `olds` are the old outputs, `news` the checked inputs. */
  async diff(id: string, olds: Properties, news: Properties): Promise<HostDiff> {
    const request = new providerPb.DiffRequest().setId(id).setOlds(toStruct(olds)).setNews(toStruct(news));
    const response = await call<InstanceType<typeof providerPb.DiffResponse>>((answer) =>
      this.client.diff(request, answer),
    );
    const changes = (["unknown", "none", "some"] as const)[response.getChanges()];
    return {
      changes,
      replaces: response.getReplacesList(),
      deleteBeforeReplace: response.getDeletebeforereplace(),
    };
  }

  async create(inputs: Properties) {
    const request = new providerPb.CreateRequest().setProperties(toStruct(inputs));
    const response = await call<InstanceType<typeof providerPb.CreateResponse>>((answer) =>
      this.client.create(request, answer),
    );
    return { id: response.getId(), outputs: fromStruct(response.getProperties()) };
  }

  /** `properties` are the outputs of a refresh, the inputs of a `.get()`. */
  async read(id: string, properties: Properties): Promise<HostRead> {
    const request = new providerPb.ReadRequest().setId(id).setProperties(toStruct(properties));
    const response = await call<InstanceType<typeof providerPb.ReadResponse>>((answer) =>
      this.client.read(request, answer),
    );
    return {
      id: response.getId(),
      outputs: fromStruct(response.getProperties()),
      inputs: response.hasInputs() ? fromStruct(response.getInputs()) : undefined,
    };
  }

  /** `olds` are the old outputs, `news` the checked inputs. */
  async update(id: string, olds: Properties, news: Properties) {
    const request = new providerPb.UpdateRequest().setId(id).setOlds(toStruct(olds)).setNews(toStruct(news));
    const response = await call<InstanceType<typeof providerPb.UpdateResponse>>((answer) =>
      this.client.update(request, answer),
    );
    return { outputs: fromStruct(response.getProperties()) };
  }

  async delete(id: string, outputs: Properties): Promise<void> {
    const request = new providerPb.DeleteRequest().setId(id).setProperties(toStruct(outputs));
    await call<unknown>((answer) => this.client.delete(request, answer));
  }
}
