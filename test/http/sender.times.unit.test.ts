import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/http/clock.ts";
import { TimeoutError } from "../../src/http/errors.ts";
import { Redactor } from "../../src/http/redactor.ts";
import type { RetryNotice } from "../../src/http/retry.ts";
import type { SendRequest } from "../../src/http/sender.ts";
import { Sender } from "../../src/http/sender.ts";
import { Transport } from "../../src/http/transport.ts";
import { slowloris, stalledBody, stalledHeaders, status, type Fault } from "../wire/faults.ts";
import { withSender, senderRig } from "./sender-rig.ts";

/** An address that takes connections and never says a word: a TLS handshake hangs there. */
async function silentAddress() {
  const silent = { url: new URL("https://127.0.0.1/"), onConnection: (): void => undefined };
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => undefined));
    silent.onConnection();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  silent.url.port = typeof address === "object" ? String(address?.port) : "";
  return silent;
}

const phases: readonly (readonly [string, Fault])[] = [
  ["no header comes", stalledHeaders],
  ["the headers never end", slowloris],
  ["half of the body comes", stalledBody],
];

/** A sender on the time of this machine. */
async function systemSender() {
  const { server, request } = await senderRig();
  const transport = new Transport();
  onTestFinished(() => transport[Symbol.asyncDispose]());
  const notices: RetryNotice[] = [];
  const onRetry = (notice: RetryNotice) => notices.push(notice);
  const sender = new Sender({ transport, redactor: new Redactor(), clock: systemClock, random: () => 0, onRetry });
  const send = (change: Partial<SendRequest>) => sender.send(request(change), ({ status: code }) => code);
  return { server, notices, send };
}

describe("the time of one attempt", () => {
  test.each(phases)("ends it when %s, and the next one may succeed", async (_phase, fault) => {
    const { server, send, clock, notices } = await senderRig();
    server.script({}, fault);
    server.onStall = () => clock.pass(9_000);
    expect(await send({ attemptMilliseconds: 9_000 })).toBe("well");
    expect(notices).toMatchObject([{ reason: "timed out" }]);
  });

  withSender("ends it while the connection is being made", async ({ send, clock }) => {
    const silent = await silentAddress();
    const sent = send({ url: silent.url, method: "POST", attemptMilliseconds: 9_000 });
    silent.onConnection = () => clock.pass(9_000);
    await expect(sent).rejects.toThrow("did not respond within 9 s");
  });

  test("holds no process up when the answer came earlier", async () => {
    const { send } = await systemSender();
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
    const before = timers();
    await Promise.all(Array.from({ length: 20 }, () => send({ attemptMilliseconds: 3_600_000 })));
    expect(timers() - before).toBeLessThan(10);
  });

  withSender("is not started again for a POST", async ({ server, send, clock }) => {
    server.script({}, stalledHeaders);
    server.onStall = () => clock.pass(9_000);
    await expect(send({ method: "POST", attemptMilliseconds: 9_000 })).rejects.toMatchObject({
      code: "TIMEOUT",
      mayHaveBeenProcessed: true,
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe("the time of all attempts", () => {
  test.each(phases)("ends a single attempt when %s", async (_phase, fault) => {
    const { server, send, clock } = await senderRig();
    server.script({}, fault, 9);
    server.onStall = () => clock.pass(9_000);
    await expect(send({ deadlineMilliseconds: 9_000 })).rejects.toBeInstanceOf(TimeoutError);
    expect(server.requests).toHaveLength(1);
  });

  withSender("ends attempts that would each have had more", async ({ server, send, clock }) => {
    server.script({}, stalledHeaders, 9);
    // The second one passes what is left of it after the first and the pause between them.
    server.onStall = () => clock.pass(server.requests.length === 1 ? 6_000 : 9_000 - clock.now());
    const sent = send({ attemptMilliseconds: 6_000, deadlineMilliseconds: 9_000 });
    await expect(sent).rejects.toThrow("did not respond within 2.8 s");
    expect(server.requests).toHaveLength(2);
  });

  test("is that of the machine's clock where none is given to it", { tags: "slow" }, async () => {
    const { server, send } = await systemSender();
    server.script({}, stalledHeaders, 9);
    // On a busy machine the first one may take a while until it arrives.
    await expect(send({ deadlineMilliseconds: 1_000 })).rejects.toBeInstanceOf(TimeoutError);
    expect(server.requests).toHaveLength(1);
  });

  withSender("a pause that would outlast it is not begun", async ({ server, send, clock }) => {
    server.script({}, status(500), 9);
    await expect(send({ deadlineMilliseconds: 700 })).rejects.toMatchObject({ status: 500 });
    expect(clock.sleeps.reduce((sum, pause) => sum + pause, 0)).toBeLessThan(700);
    expect(server.requests.length).toBeLessThan(4);
  });
});

describe("an abort", () => {
  const reason = new Error("cancelled by the user");

  withSender("before the first attempt sends nothing", async ({ server, send, cancel }) => {
    cancel.abort(reason);
    await expect(send()).rejects.toBe(reason);
    expect(server.connections).toBe(0);
  });

  withSender("while the connection is being made is noticed at once", async ({ send, cancel }) => {
    const silent = await silentAddress();
    // Nothing else ends the attempt: on this clock no time passes.
    silent.onConnection = () => cancel.abort(reason);
    await expect(send({ url: silent.url })).rejects.toBe(reason);
  });

  withSender("closes the file that was to be sent", async ({ send, cancel }) => {
    const stream = Readable.from([Buffer.from("x")]);
    const silent = await silentAddress();
    silent.onConnection = () => cancel.abort(reason);
    const sent = send({ url: silent.url, method: "PUT", body: { bytes: 1, open: () => stream } });
    await expect(sent).rejects.toBe(reason);
    expect(stream.destroyed).toBe(true);
  });

  test.each(phases)("while %s is noticed at once", async (_phase, fault) => {
    const { server, send, cancel, notices } = await senderRig();
    server.script({}, fault);
    server.onStall = () => cancel.abort(reason);
    await expect(send()).rejects.toBe(reason);
    expect(notices).toEqual([]);
  });

  test("during a pause is noticed at once", async () => {
    const cancel = new AbortController();
    const { server, send, notices } = await systemSender();
    server.script({}, status(503, { headers: { "retry-after": "30" } }));
    const sent = send({ signal: cancel.signal });
    await expect.poll(() => notices.length).toBe(1);
    cancel.abort(reason);
    await expect(sent).rejects.toBe(reason);
    expect(server.requests).toHaveLength(1);
  });
});
