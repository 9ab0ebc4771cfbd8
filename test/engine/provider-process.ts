import { credentials } from "@grpc/grpc-js";
import type { ServiceError } from "@grpc/grpc-js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import emptyPb from "google-protobuf/google/protobuf/empty_pb.js";
import { NodeProcess } from "./child-process.ts";
import { diagnostic } from "./diagnostic.ts";
import { addEngineService } from "./engine-log.ts";
import { HostError } from "./host-error.ts";
import { CHANNEL_OPTIONS, LoopbackServer } from "./loopback-server.ts";
import type { Diagnostic } from "./stack.ts";

/** Which provider, and where it runs. */
interface ProviderOptions {
  /** The file that Node runs. */
  readonly script: string;
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

/** A provider that listens. */
interface Started {
  readonly process: NodeProcess;
  readonly address: string;
  /** Closes the engine, where it is its own. */
  readonly close: () => void;
  readonly port: string;
}

/** Starts a provider and waits until it listens. */
export async function startProvider({
  script,
  directory,
  env = {},
  flags = [],
  onLog = () => {},
  engine,
}: ProviderOptions): Promise<Started> {
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
    return { process, address, close, port: await listening.promise };
  } catch (error) {
    close();
    throw error;
  }
}

/** An engine that only hears what its providers log. */
export async function openEngine(onLog: (line: Diagnostic) => void): Promise<LoopbackServer> {
  return await LoopbackServer.open((server) => addEngineService(server, onLog));
}

type Answer<T> = (error: ServiceError | null, response: T) => void;

/** A provider as a process of its own. Every call rejects with a `HostError`. */
export class ProviderProcess {
  protected readonly client: ResourceProviderClient;
  protected readonly engineAddress: string;
  readonly #process: NodeProcess;
  readonly #close: () => void;

  constructor({ process, address, close, port }: Started) {
    this.#process = process;
    this.#close = close;
    this.engineAddress = address;
    this.client = new providerGrpc.ResourceProviderClient(
      `127.0.0.1:${port}`,
      credentials.createInsecure(),
      CHANNEL_OPTIONS,
    );
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

/** The response to a call. */
export function call<T>(start: (answer: Answer<T>) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, response) => {
      if (error === null) resolve(response);
      else reject(new HostError(error));
    });
  });
}
