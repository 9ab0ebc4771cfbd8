import { expect, onTestFinished, test } from "vitest";
import { HttpClient } from "../../src/http/http-client.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { ControlPlane } from "../../src/control-plane/client.ts";
import { FastClock } from "../wire/clocks.ts";
import { startFaultServer } from "../wire/fault-server.ts";
import { serialise, type Fault } from "../wire/faults.ts";

/** An interim response that the request did not ask for, and then the response. */
const interim = (head: string): Fault => ({
  processed: false,
  keepsAlive: true,
  act: ({ socket }) => {
    socket.write(`HTTP/1.1 ${head}\r\n\r\n`);
    socket.write(serialise({ status: 200, body: { id: "d-1" } }));
  },
});

async function getBehind(fault: Fault) {
  const server = await startFaultServer(() => ({ status: 200, body: { id: "d-1" } }));
  server.script({}, fault, 9);
  const http = new HttpClient({ clock: new FastClock() });
  onTestFinished(() => http.close());
  const plane = new ControlPlane({ endpoint: new Endpoint(server.url), http });
  return await plane.get("d-1").catch((error: unknown) => error);
}

test.each(["102 Processing", "103 Early Hints\r\nlink: </a>; rel=preload"])(
  "an unasked %j does no harm",
  async (head) => {
    expect(await getBehind(interim(head))).toEqual({ id: "d-1" });
  },
);

test.each([
  ["100 Continue", /sent 100 Continue, for which the request had not asked/],
  ["101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade", /switched to another protocol/],
])("an unasked %j fails the request, with a sentence that says so", async (head, message) => {
  expect(await getBehind(interim(head))).toMatchObject({
    code: "NETWORK",
    message: expect.stringMatching(message),
    advice: expect.stringMatching(/only to requests that ask for them/),
  });
});
