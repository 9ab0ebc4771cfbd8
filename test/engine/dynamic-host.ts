import { createRequire } from "node:module";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import type { ServiceError } from "@grpc/grpc-js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import providerPb from "@pulumi/pulumi/proto/provider_pb.js";
import emptyPb from "google-protobuf/google/protobuf/empty_pb.js";
import { NodeProcess } from "./child-process.ts";
import { diagnostic } from "./diagnostic.ts";
import { addEngineService } from "./engine-log.ts";
import { HostError } from "./host-error.ts";
import { CHANNEL_OPTIONS, LoopbackServer } from "./loopback-server.ts";
import { fromStruct, toStruct } from "./property-values.ts";
import type { Properties } from "./property-values.ts";
import type { Diagnostic } from "./stack.ts";

/** Where a host runs and who hears it. */
export interface DynamicHostOptions {
  /** The program's directory: modules that the provider requires are found from here. */
  readonly directory: string;
  readonly project: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Every line that the provider logs, and every one that the process prints. */
  readonly onLog?: (line: Diagnostic) => void;
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

type Answer<T> = (error: ServiceError | null, response: T) => void;

/**
 * The real host of dynamic providers, as a process of its own. Properties are passed as they are: `__provider` must be
 * among them, the text of a module that exports `handler()`. Every method rejects with a `HostError`.
 */
export class DynamicHost {
  readonly #process: NodeProcess;
  readonly #engine: LoopbackServer;
  readonly #client: ResourceProviderClient;

  private constructor(process: NodeProcess, engine: LoopbackServer, port: string) {
    this.#process = process;
    this.#engine = engine;
    this.#client = new providerGrpc.ResourceProviderClient(
      `127.0.0.1:${port}`,
      credentials.createInsecure(),
      CHANNEL_OPTIONS,
    );
  }

  /** Starts the host and waits until it listens. */
  static async start(options: DynamicHostOptions): Promise<DynamicHost> {
    const onLog = options.onLog ?? (() => {});
    const engine = await LoopbackServer.open((server) => addEngineService(server, onLog));
    const listening = Promise.withResolvers<string>();
    let port = "";
    const child = new NodeProcess({
      script: createRequire(join(options.directory, "index.js")).resolve("@pulumi/pulumi/cmd/dynamic-provider"),
      args: [engine.address],
      directory: options.directory,
      env: { ...options.env, PULUMI_NODEJS_PROJECT: options.project, PULUMI_PROJECT: options.project },
      onOutput: (line) => {
        if (port !== "") return onLog(diagnostic("info", line));
        port = line;
        listening.resolve(line);
      },
      onErrorOutput: (line) => onLog(diagnostic("info#err", line)),
    });
    child.ended.then(() => listening.reject(new Error("The host ended before it listened.")), listening.reject);
    try {
      return new DynamicHost(child, engine, await listening.promise);
    } catch (error) {
      engine.close();
      throw error;
    }
  }

  /** Hands over the configuration: `namespace:key` to plain text. */
  async configure(config: Readonly<Record<string, string>>): Promise<void> {
    const request = new providerPb.ConfigureRequest().setArgs(toStruct(config));
    await call<unknown>((answer) => this.#client.configure(request, answer));
  }

  /** `olds` are the old inputs, {} for a new resource. */
  async check(olds: Properties, news: Properties) {
    const request = new providerPb.CheckRequest().setOlds(toStruct(olds)).setNews(toStruct(news));
    const response = await call<InstanceType<typeof providerPb.CheckResponse>>((answer) =>
      this.#client.check(request, answer),
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
      this.#client.diff(request, answer),
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
      this.#client.create(request, answer),
    );
    return { id: response.getId(), outputs: fromStruct(response.getProperties()) };
  }

  /** `properties` are the outputs of a refresh, the inputs of a `.get()`. */
  async read(id: string, properties: Properties): Promise<HostRead> {
    const request = new providerPb.ReadRequest().setId(id).setProperties(toStruct(properties));
    const response = await call<InstanceType<typeof providerPb.ReadResponse>>((answer) =>
      this.#client.read(request, answer),
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
      this.#client.update(request, answer),
    );
    return { outputs: fromStruct(response.getProperties()) };
  }

  async delete(id: string, outputs: Properties): Promise<void> {
    const request = new providerPb.DeleteRequest().setId(id).setProperties(toStruct(outputs));
    await call<unknown>((answer) => this.#client.delete(request, answer));
  }

  /** What the engine calls at the first Ctrl-C. */
  async cancel(): Promise<void> {
    await call<unknown>((answer) => this.#client.cancel(new emptyPb.Empty(), answer));
  }

  /** Asks the process to end, and waits until it has. */
  async terminate(): Promise<void> {
    this.#process.terminate();
    await this.#process.ended;
  }

  /** Cuts off what it is doing: each call that waits rejects. */
  kill(): void {
    this.#process.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill();
    this.#client.close();
    await this.#process.ended;
    this.#engine.close();
  }
}

function call<T>(start: (answer: Answer<T>) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, response) => {
      if (error === null) resolve(response);
      else reject(new HostError(error));
    });
  });
}
