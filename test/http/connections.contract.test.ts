import { expect, test } from "vitest";
import { Transport, type TransportRequest } from "../../src/http/transport.ts";
import { inPieces } from "../agent-server/rig.ts";
import { startFaultServer } from "../wire/fault-server.ts";

/** A server, and a request to it. */
async function world(signal = new AbortController().signal) {
  const front = await startFaultServer(() => ({ status: 200, body: {} }));
  const sent: TransportRequest = {
    method: "GET",
    url: new URL(front.url),
    headers: {},
    stallMilliseconds: 10_000,
    signal,
  };
  return { sent, front };
}

test("what is closed before its first request sends nothing", async () => {
  const { sent, front } = await world();
  const transport = new Transport();
  await transport[Symbol.asyncDispose]();
  await expect(transport.send(sent)).rejects.toMatchObject({ code: "UND_ERR_DESTROYED" });
  expect(front.requests).toEqual([]);
});

test("what is closed while its first request begins ends that request", async () => {
  const { sent, front } = await world();
  const transport = new Transport();
  const answer = transport.send(sent).catch((error: unknown) => error);
  await transport[Symbol.asyncDispose]();
  expect(await answer).toMatchObject({ code: "UND_ERR_DESTROYED" });
  expect(front.requests).toEqual([]);
});

test("a cancel before the first request sends nothing", async () => {
  const controller = new AbortController();
  const { sent, front } = await world(controller.signal);
  await using transport = new Transport();
  const answer = transport.send(sent).catch((error: unknown) => error);
  controller.abort(new Error("cancelled"));
  expect(await answer).toMatchObject({ cause: { message: "cancelled" } });
  expect(front.requests).toEqual([]);
});

test("first requests at once share their connections", async () => {
  const { sent, front } = await world();
  await using transport = new Transport();
  const answers = await Promise.all(Array.from({ length: 20 }, () => transport.send(sent)));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(front.requests).toHaveLength(20);
  // As many as one of their sets has at most.
  expect(front.connections).toBeLessThanOrEqual(8);
});

test("a request does not wait for the end of the streams that are open", async () => {
  const { sent, front } = await world();
  front.script({ path: /^\/stream$/ }, inPieces(["data: 1\n\n"], { ending: "silent" }), 20);
  await using transport = new Transport();
  const streamed = { ...sent, url: new URL("/stream", sent.url), body: undefined };
  const open = await Promise.all(Array.from({ length: 20 }, () => transport.open(streamed)));
  expect(open.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(await transport.send(sent)).toMatchObject({ status: 200 });
});
