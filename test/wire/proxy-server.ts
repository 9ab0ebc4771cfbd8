import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { forwardTo } from "./forward.ts";
import { serialise } from "./faults.ts";
import { WireReader, type WireRequest } from "./wire-request.ts";

/** A proxy, and what it could see. */
export interface ProxyServer {
  readonly url: string;
  readonly port: number;
  /** The requests to the proxy itself, whole. */
  readonly requests: readonly WireRequest[];
  /** Everything that went through a tunnel towards the server. */
  tunnelled(): Buffer;
}

/** How a proxy takes a request; the usual way when not given. */
export type ProxyRule = (request: WireRequest) => { readonly status: number } | "hang" | "cut" | undefined;

/** A proxy for CONNECT and for absolute addresses that leads every name to this machine. */
export async function startProxy(rule: ProxyRule = () => undefined): Promise<ProxyServer> {
  const sockets = new Set<Socket>();
  const requests: WireRequest[] = [];
  const tunnelled: Buffer[] = [];
  const track = (socket: Socket) => {
    sockets.add(socket);
    return socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  };
  const server = createServer((socket) => void serve(track(socket)).catch(() => socket.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${String(port)}`, port, requests, tunnelled: () => Buffer.concat(tunnelled) };

  async function serve(socket: Socket): Promise<void> {
    const reader = new WireReader(socket);
    const request = await reader.head();
    if (request === undefined) return;
    requests.push(request);
    const answer = rule(request);
    if (answer === "cut") socket.destroy();
    else if (answer === "hang") socket.resume();
    else if (answer !== undefined) socket.end(serialise(answer));
    else if (request.method === "CONNECT") await tunnel(socket, reader, request);
    else await pass(socket, reader, request);
  }

  async function tunnel(socket: Socket, reader: WireReader, { target }: WireRequest): Promise<void> {
    const onward = track(connect(Number(target.split(":").at(-1)), "127.0.0.1"));
    await once(onward, "connect");
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    onward.pipe(socket);
    for await (const chunk of reader.rest()) {
      tunnelled.push(chunk);
      onward.write(chunk);
    }
    onward.end();
  }

  async function pass(socket: Socket, reader: WireReader, request: WireRequest): Promise<void> {
    await reader.body(request);
    const url = new URL(request.target);
    const handler = forwardTo(() => `http://127.0.0.1:${url.port}`);
    socket.end(serialise(await handler({ ...request, target: url.pathname + url.search })));
  }
}
