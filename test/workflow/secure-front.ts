import { once } from "node:events";
import { request as send } from "node:http";
import { createServer } from "node:https";
import { pipeline } from "node:stream/promises";
import { onTestFinished } from "vitest";
import type { Certificate } from "../wire/certificates.ts";

/** An https server that hands what it is asked under a prefix on to what is at `urlNow()` by then; its port. */
export async function startSecureFront(
  { cert, key }: Certificate,
  prefix: string,
  urlNow: () => string,
): Promise<number> {
  const server = createServer({ cert, key }, (request, response) => {
    const { method, url: target = "/" } = request;
    const url = urlNow();
    // The service answers requests for a loopback address only.
    const headers = { ...request.headers, host: new URL(url).host };
    if (!target.startsWith(`${prefix}/`)) {
      response.writeHead(404).end();
      return;
    }
    const onward = send(new URL(target.slice(prefix.length), url), { method, headers });
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response).catch(() => response.destroy());
    });
    pipeline(request, onward).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.close().closeAllConnections();
    await once(server, "close");
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
