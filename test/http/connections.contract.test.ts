import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Transport, type TransportRequest } from "../../src/http/transport.ts";

/** A server that counts what it gets, and a request to it. */
async function world(signal = new AbortController().signal) {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const sent: TransportRequest = {
    method: "GET",
    url: new URL(`http://127.0.0.1:${String(port)}/`),
    headers: {},
    stallMilliseconds: 10_000,
    signal,
  };
  return { sent, requests: () => requests };
}

test("what is closed before its first request sends nothing", async () => {
  const { sent, requests } = await world();
  const transport = new Transport();
  await transport[Symbol.asyncDispose]();
  await expect(transport.send(sent)).rejects.toMatchObject({ code: "UND_ERR_DESTROYED" });
  expect(requests()).toBe(0);
});

test("what is closed while its first request begins ends that request", async () => {
  const { sent, requests } = await world();
  const transport = new Transport();
  const answer = transport.send(sent).catch((error: unknown) => error);
  await transport[Symbol.asyncDispose]();
  expect(await answer).toMatchObject({ code: "UND_ERR_DESTROYED" });
  expect(requests()).toBe(0);
});

test("a cancel before the first request sends nothing", async () => {
  const controller = new AbortController();
  const { sent, requests } = await world(controller.signal);
  await using transport = new Transport();
  const answer = transport.send(sent).catch((error: unknown) => error);
  controller.abort(new Error("cancelled"));
  expect(await answer).toMatchObject({ cause: { message: "cancelled" } });
  expect(requests()).toBe(0);
});

test("two first requests at once share their connections", async () => {
  const { sent, requests } = await world();
  await using transport = new Transport();
  const answers = await Promise.all([transport.send(sent), transport.send(sent)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(requests()).toBe(2);
});
