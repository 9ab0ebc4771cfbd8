import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What becomes of the stream of a run after its first event: it is cut, or an error of a first attempt follows. */
export type Wire = "cut" | "recovered";

const ERROR = 'event: error\ndata: {"error":"ConnectionError","message":"the first attempt failed"}\n\n';

/** The address of a server in front of another one, which hands everything on; it ends with the test. */
export async function rewired(origin: string, wire: Wire | undefined): Promise<string> {
  const server = createServer((asked, answer) => {
    const { method, url = "/", headers } = asked;
    const sent = send(new URL(url, origin), { method, headers: { ...headers, host: new URL(origin).host } });
    sent.on("error", () => answer.destroy());
    sent.on("response", (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      answer.flushHeaders();
      let isFirst = method === "POST" && url.endsWith("/runs/stream") && wire !== undefined;
      response.on("data", (chunk: Buffer) => {
        answer.write(chunk);
        if (!isFirst || !chunk.includes("event: metadata")) return;
        isFirst = false;
        if (wire === "recovered") answer.write(ERROR);
        else answer.socket?.destroySoon();
      });
      response.on("end", () => answer.end());
      response.on("error", () => answer.destroy());
    });
    // A client that hangs up hangs up there, too.
    answer.on("close", () => sent.destroy());
    asked.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
