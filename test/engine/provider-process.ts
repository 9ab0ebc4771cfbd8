import { createRequire } from "node:module";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import providerPb from "@pulumi/pulumi/proto/provider_pb.js";
import emptyPb from "google-protobuf/google/protobuf/empty_pb.js";
import { NodeProcess } from "./child-process.ts";
import { diagnostic } from "./diagnostic.ts";
import { addEngineService } from "./engine-log.ts";
import { CHANNEL_OPTIONS, LoopbackServer } from "./loopback-server.ts";
import { fromStruct, plain, toStruct } from "./property-values.ts";
import type { Properties } from "./property-values.ts";
import { call, checkOf, diffOf, failuresOf, ResourceCalls, type Subject } from "./resource-calls.ts";
import type { Diagnostic } from "./stack.ts";

/** Where a provider runs, and who hears it. */
export interface ProviderOptions {
  /** The program's directory. */
  readonly directory: string;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** What the engine passes before its address. */
  readonly flags?: readonly string[] | undefined;
  /** Every line that the provider logs, and every one that the process prints. */
  readonly onLog?: ((line: Diagnostic) => void) | undefined;
  /** The engine of its run, which hears what it logs; undefined for an engine of its own. */
  readonly engine?: Pick<LoopbackServer, "address"> | undefined;
}

// A host of dynamic providers does not ask which resource a call is about.
const NOBODY: Subject = { urn: "", name: "", type: "" };

/** A provider as a process of its own: a plugin, or the host of dynamic providers. Its own calls are about no resource. */
export class ProviderProcess extends ResourceCalls {
  readonly #process: NodeProcess;
  readonly #close: () => void;

  private constructor(process: NodeProcess, port: string, close: () => void) {
    const address = `127.0.0.1:${port}`;
    super(new providerGrpc.ResourceProviderClient(address, credentials.createInsecure(), CHANNEL_OPTIONS), NOBODY);
    this.#process = process;
    this.#close = close;
  }

  /** Starts the file with Node, and waits until it listens. */
  static async start(
    script: string,
    { directory, env = {}, flags = [], onLog = () => {}, engine }: ProviderOptions,
  ): Promise<ProviderProcess> {
    const own = engine === undefined ? await openEngine(onLog) : undefined;
    const address = engine?.address ?? own?.address ?? "";
    const close = () => own?.close();
    const listening = Promise.withResolvers<string>();
    let port = "";
    const process = new NodeProcess({
      script,
      args: [...flags, address],
      directory,
      env,
      onOutput: (line) => {
        if (port !== "") return onLog(diagnostic("info", line));
        port = line;
        listening.resolve(line);
      },
      onErrorOutput: (line) => onLog(diagnostic("info#err", line)),
    });
    process.ended.then(() => listening.reject(new Error("The provider ended before it listened.")), listening.reject);
    try {
      return new ProviderProcess(process, await listening.promise, close);
    } catch (error) {
      close();
      throw error;
    }
  }

  /**
   * Starts the real host of dynamic providers. It takes properties as they are: `__provider` must be among them, the text
   * of a module that exports `handler()`, and what that requires is found from the program's directory.
   */
  static startDynamic(project: string, options: ProviderOptions): Promise<ProviderProcess> {
    const { resolve } = createRequire(join(options.directory, "index.js"));
    const env = { ...options.env, PULUMI_NODEJS_PROJECT: project, PULUMI_PROJECT: project };
    return ProviderProcess.start(resolve("@pulumi/pulumi/cmd/dynamic-provider"), { ...options, env });
  }

  /** The calls about one resource. */
  of(subject: Subject): ResourceCalls {
    return new ResourceCalls(this.client, subject);
  }

  /** As an engine asks it, which takes the marks of secrets off. */
  async checkConfig(news: Properties, urn = "") {
    const request = new providerPb.CheckRequest().setUrn(urn).setNews(toStruct(plain(news)));
    return checkOf(await call((answer) => this.client.checkConfig(request, answer)));
  }

  /** As an engine asks it, which takes the marks of secrets off. */
  async diffConfig(olds: Properties, news: Properties) {
    const request = new providerPb.DiffRequest().setOlds(toStruct(plain(olds))).setNews(toStruct(plain(news)));
    return diffOf(await call((answer) => this.client.diffConfig(request, answer)));
  }

  async configure(args: Properties): Promise<void> {
    const request = new providerPb.ConfigureRequest().setArgs(toStruct(args)).setAcceptsecrets(true);
    await call<unknown>((answer) => this.client.configure(request, answer));
  }

  async invoke(token: string, args: Properties) {
    const request = new providerPb.InvokeRequest().setTok(token).setArgs(toStruct(args));
    const response = await call<InstanceType<typeof providerPb.InvokeResponse>>((answer) =>
      this.client.invoke(request, answer),
    );
    return { result: fromStruct(response.getReturn()), failures: failuresOf(response.getFailuresList()) };
  }

  /** What the engine calls at the first Ctrl-C. */
  async cancel(): Promise<void> {
    await call<unknown>((answer) => this.client.cancel(new emptyPb.Empty(), answer));
  }

  /** Resolves once the process has ended, and all that it started with its output. */
  get ended(): Promise<number> {
    return this.#process.ended;
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
    this.client.close();
    await this.#process.ended;
    this.#close();
  }
}

/** An engine that only hears what its providers log. */
export async function openEngine(onLog: (line: Diagnostic) => void): Promise<LoopbackServer> {
  return await LoopbackServer.open((server) => addEngineService(server, onLog));
}
