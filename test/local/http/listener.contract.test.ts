import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import type { LocalService } from "../../../src/local/index.ts";
import { withService, call, start } from "../caller.ts";

const LIST = "/v2/deployments";

async function open({ url }: LocalService): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

/** All that is answered to these bytes, until the service hangs up. */
async function send(service: LocalService, ...lines: readonly string[]): Promise<string> {
  const socket = await open(service);
  socket.write(lines.join("\r\n"));
  return await text(socket);
}

describe("a request that could hide another one", () => {
  const hidden = ["DELETE /hidden HTTP/1.1", "Host: 127.0.0.1", "", ""];

  test.each([
    ["with a length and in chunks", ["Content-Length: 5", "Transfer-Encoding: chunked"]],
    ["with two lengths", ["Content-Length: 0", "Content-Length: 64"]],
    ["in chunks that are spelled in another way", ["Transfer-Encoding: xchunked"]],
    ["with a length that is no number", ["Content-Length: +5"]],
    ["with a blank before the colon", ["Content-Length : 5"]],
  ])("is refused, and the connection ends: %s", async (_how, headers) => {
    const service = await start();
    const answer = await send(service, `POST ${LIST} HTTP/1.1`, "Host: 127.0.0.1", ...headers, "", "0", "", ...hidden);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(service.requests.map(({ path }) => path)).not.toContain("/hidden");
    expect((await call(service.url, "GET", LIST)).status).toBe(200);
  });
});

withService("connections that send a request slowly, or none, block no other request", async (service) => {
  const sockets = await Promise.all(Array.from({ length: 300 }, () => open(service)));
  for (const [index, socket] of sockets.entries()) {
    if (index % 3 === 0) socket.write(`POST ${LIST} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-`);
    if (index % 3 === 1) socket.write(`POST ${LIST} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{`);
  }
  expect((await call(service.url, "GET", LIST)).status).toBe(200);
  expect(service.deployments()).toEqual([]);
  await service.close();
  await expect(call(service.url, "GET", LIST)).rejects.toThrow();
});
