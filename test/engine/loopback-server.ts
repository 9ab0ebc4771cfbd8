import { Server, ServerCredentials } from "@grpc/grpc-js";

// What the product's own processes allow each other: 400 MiB for one message.
const MESSAGE_LIMIT_BYTES = 400 * 1024 * 1024;

/** Options of every channel between the engine, the program and the host. */
export const CHANNEL_OPTIONS = {
  "grpc.max_receive_message_length": MESSAGE_LIMIT_BYTES,
  "grpc.max_send_message_length": MESSAGE_LIMIT_BYTES,
};

/** A gRPC server on 127.0.0.1, at a port of its own. */
export class LoopbackServer {
  readonly address: string;
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.address = `127.0.0.1:${port}`;
  }

  /** Listens; `addServices` adds what it answers to. */
  static async open(addServices: (server: Server) => void): Promise<LoopbackServer> {
    const server = new Server(CHANNEL_OPTIONS);
    addServices(server);
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
        if (error === null) resolve(bound);
        else reject(error);
      });
    });
    return new LoopbackServer(server, port);
  }

  /** Cuts what is still open: nobody waits for an answer any more. */
  close(): void {
    this.#server.forceShutdown();
  }
}
