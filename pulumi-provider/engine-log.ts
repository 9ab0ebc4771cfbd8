import { createRequire } from "node:module";
import engineServices from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engineMessages from "@pulumi/pulumi/proto/engine_pb.js";

/** How much a line matters. */
export type Severity = "info" | "warning";

type Engine = InstanceType<typeof engineServices.EngineClient>;
type Credentials = ConstructorParameters<typeof engineServices.EngineClient>[1];

const SEVERITIES = { info: engineMessages.LogSeverity.INFO, warning: engineMessages.LogSeverity.WARNING } as const;

/**
 * Lines for the user during an operation. What a provider prints is shown late and without a severity, and
 * Pulumi's own log prints in a host, which does not know where the engine is. The providers of a program share a
 * process, and with it the SDK's settings: the engine is asked over a connection of our own, and those stay as they are.
 * A line that cannot be delivered is dropped: it never fails a deployment.
 */
export class EngineLog {
  readonly #engine: Engine | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** `HOST:PORT`, the address that a host is started with; undefined where no engine listens. */
  constructor(address: string | undefined) {
    if (address !== undefined) this.#engine = connectTo(address);
  }

  /** Tells a line; an ephemeral one is a status that the next line replaces. */
  tell(severity: Severity, message: string, { ephemeral = false }: { readonly ephemeral?: boolean } = {}): void {
    const engine = this.#engine;
    if (engine === undefined) return;
    const request = new engineMessages.LogRequest();
    request.setSeverity(SEVERITIES[severity]);
    request.setMessage(message);
    request.setEphemeral(ephemeral);
    // One after the other, so that the lines arrive in their order.
    this.#last = this.#last.then(() => deliver(engine, request)).catch(() => undefined);
  }

  /** Resolves when the engine has every line: it may end as soon as an operation is answered. */
  async flush(): Promise<void> {
    await this.#last;
  }
}

async function deliver(engine: Engine, request: InstanceType<typeof engineMessages.LogRequest>): Promise<void> {
  await new Promise<void>((resolve) => {
    engine.log(request, () => {
      resolve();
    });
  });
}

function connectTo(address: string): Engine {
  // The gRPC library is the SDK's, and need not be found from here.
  const fromSdk = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"));
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- What a require returns has no type.
  const { credentials } = fromSdk("@grpc/grpc-js") as { credentials: { createInsecure: () => Credentials } };
  return new engineServices.EngineClient(address, credentials.createInsecure());
}
