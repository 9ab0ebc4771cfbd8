import { once } from "node:events";
import { createServer } from "node:https";
import type { TLSSocket } from "node:tls";
import { onTestFinished } from "vitest";
import type { Certificate } from "./certificates.ts";

/** An https server on this machine that answers everything with this JSON, and the headers that it saw. */
export async function startSecureServer({ cert, key }: Certificate, answer: unknown) {
  const seen: Readonly<Record<string, unknown>>[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    seen.push(request.headers);
    response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
  });
  const sockets = new Set<TLSSocket>();
  server.on("secureConnection", (socket) => sockets.add(socket)).on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close().closeAllConnections();
    await once(server, "close");
  });
  const address = server.address();
  return { port: typeof address === "object" && address !== null ? address.port : 0, seen };
}
