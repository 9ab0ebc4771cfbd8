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

/** Which plugin, and where it runs. */
export interface PluginOptions {
  /** The file that Node runs. */
  readonly script: string;
  /** The program's directory. */
  readonly directory: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly onLog?: (line: Diagnostic) => void;
}

/** How a call is made; `preview` writes nothing. */
export interface CallOptions {
  readonly preview?: boolean;
  readonly timeoutSeconds?: number;
}

/** Which resource a call is about. */
export interface Subject {
  readonly urn: string;
  readonly name: string;
  readonly type: string;
}

/** A plugin as a process of its own, called as the engine does. Every method rejects with a `HostError`. */
export class PluginProcess {
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

  /** Starts the plugin and waits until it listens. */
  static async start({ script, directory, env = {}, onLog = () => {} }: PluginOptions): Promise<PluginProcess> {
    const engine = await LoopbackServer.open((server) => addEngineService(server, onLog));
    const listening = Promise.withResolvers<string>();
    let port = "";
    const child = new NodeProcess({
      script,
      args: [engine.address],
      directory,
      env,
      onOutput: (line) => {
        if (port !== "") return onLog(diagnostic("info", line));
        port = line;
        listening.resolve(line);
      },
      onErrorOutput: (line) => onLog(diagnostic("info#err", line)),
    });
    child.ended.then(() => listening.reject(new Error("The plugin ended before it listened.")), listening.reject);
    try {
      return new PluginProcess(child, engine, await listening.promise);
    } catch (error) {
      engine.close();
      throw error;
    }
  }

  async handshake() {
    const request = new providerPb.ProviderHandshakeRequest().setEngineAddress(this.#engine.address);
    return await call<InstanceType<typeof providerPb.ProviderHandshakeResponse>>((answer) =>
      this.#client.handshake(request, answer),
    );
  }

  async schema(): Promise<unknown> {
    const response = await call<InstanceType<typeof providerPb.GetSchemaResponse>>((answer) =>
      this.#client.getSchema(new providerPb.GetSchemaRequest(), answer),
    );
    return JSON.parse(response.getSchema());
  }

  async checkConfig(news: Properties) {
    const request = new providerPb.CheckRequest().setNews(toStruct(news));
    return checkOf(await call((answer) => this.#client.checkConfig(request, answer)));
  }

  async diffConfig(olds: Properties, news: Properties) {
    const request = new providerPb.DiffRequest().setOlds(toStruct(olds)).setNews(toStruct(news));
    return diffOf(await call((answer) => this.#client.diffConfig(request, answer)));
  }

  async configure(args: Properties): Promise<void> {
    const request = new providerPb.ConfigureRequest().setArgs(toStruct(args)).setAcceptsecrets(true);
    await call<unknown>((answer) => this.#client.configure(request, answer));
  }

  async invoke(token: string, args: Properties) {
    const request = new providerPb.InvokeRequest().setTok(token).setArgs(toStruct(args));
    const response = await call<InstanceType<typeof providerPb.InvokeResponse>>((answer) =>
      this.#client.invoke(request, answer),
    );
    return { result: fromStruct(response.getReturn()), failures: failuresOf(response.getFailuresList()) };
  }

  /** `olds` are the old inputs, {} for a new resource. */
  async check(of: Subject, olds: Properties, news: Properties) {
    const request = new providerPb.CheckRequest()
      .setUrn(of.urn)
      .setName(of.name)
      .setType(of.type)
      .setOlds(toStruct(olds))
      .setNews(toStruct(news));
    return checkOf(await call((answer) => this.#client.check(request, answer)));
  }

  /** `olds` are the old outputs, `news` the checked inputs. */
  async diff(of: Subject, id: string, olds: Properties, news: Properties) {
    const request = new providerPb.DiffRequest()
      .setUrn(of.urn)
      .setName(of.name)
      .setType(of.type)
      .setId(id)
      .setOlds(toStruct(olds))
      .setNews(toStruct(news));
    return diffOf(await call((answer) => this.#client.diff(request, answer)));
  }

  async create(of: Subject, inputs: Properties, { preview = false, timeoutSeconds = 0 }: CallOptions = {}) {
    const request = new providerPb.CreateRequest()
      .setUrn(of.urn)
      .setName(of.name)
      .setType(of.type)
      .setProperties(toStruct(inputs))
      .setPreview(preview)
      .setTimeout(timeoutSeconds);
    const response = await call<InstanceType<typeof providerPb.CreateResponse>>((answer) =>
      this.#client.create(request, answer),
    );
    return { id: response.getId(), outputs: fromStruct(response.getProperties()) };
  }

  async update(
    of: Subject,
    id: string,
    olds: Properties,
    news: Properties,
    { preview = false, timeoutSeconds = 0 }: CallOptions = {},
  ) {
    const request = new providerPb.UpdateRequest()
      .setUrn(of.urn)
      .setName(of.name)
      .setType(of.type)
      .setId(id)
      .setOlds(toStruct(olds))
      .setNews(toStruct(news))
      .setPreview(preview)
      .setTimeout(timeoutSeconds);
    const response = await call<InstanceType<typeof providerPb.UpdateResponse>>((answer) =>
      this.#client.update(request, answer),
    );
    return fromStruct(response.getProperties());
  }

  /** `properties` are the outputs of a refresh; without them the resource is imported. */
  async read(of: Subject, id: string, properties: Properties = {}, inputs: Properties = {}) {
    const request = new providerPb.ReadRequest()
      .setUrn(of.urn)
      .setName(of.name)
      .setType(of.type)
      .setId(id)
      .setProperties(toStruct(properties))
      .setInputs(toStruct(inputs));
    const response = await call<InstanceType<typeof providerPb.ReadResponse>>((answer) =>
      this.#client.read(request, answer),
    );
    return {
      id: response.getId(),
      outputs: fromStruct(response.getProperties()),
      inputs: fromStruct(response.getInputs()),
    };
  }

  async delete(of: Subject, id: string, outputs: Properties, { timeoutSeconds = 0 }: CallOptions = {}): Promise<void> {
    const request = new providerPb.DeleteRequest()
      .setUrn(of.urn)
      .setName(of.name)
      .setType(of.type)
      .setId(id)
      .setProperties(toStruct(outputs))
      .setTimeout(timeoutSeconds);
    await call<unknown>((answer) => this.#client.delete(request, answer));
  }

  /** What the engine calls at the first Ctrl-C. */
  async cancel(): Promise<void> {
    await call<unknown>((answer) => this.#client.cancel(new emptyPb.Empty(), answer));
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

type Answer<T> = (error: ServiceError | null, response: T) => void;
type CheckFailures = ReturnType<InstanceType<typeof providerPb.CheckResponse>["getFailuresList"]>;

function checkOf(response: InstanceType<typeof providerPb.CheckResponse>) {
  return { inputs: fromStruct(response.getInputs()), failures: failuresOf(response.getFailuresList()) };
}

function failuresOf(failures: CheckFailures) {
  return failures.map((one) => ({ property: one.getProperty(), reason: one.getReason() }));
}

function diffOf(response: InstanceType<typeof providerPb.DiffResponse>) {
  const kinds = ["add", "add-replace", "delete", "delete-replace", "update", "update-replace"] as const;
  const detail = response.getDetaileddiffMap();
  return {
    changes: (["unknown", "none", "some"] as const)[response.getChanges()],
    replaces: response.getReplacesList(),
    deleteBeforeReplace: response.getDeletebeforereplace(),
    detail: Object.fromEntries([...detail.entries()].map(([key, one]) => [key, kinds[one.getKind()]] as const)),
  };
}

function call<T>(start: (answer: Answer<T>) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, response) => {
      if (error === null) resolve(response);
      else reject(new HostError(error));
    });
  });
}
