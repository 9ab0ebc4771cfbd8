import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/http/clock.ts";
import { TimeoutError } from "../../../src/http/errors.ts";
import { Redactor } from "../../../src/http/redactor.ts";
import { Sender } from "../../../src/http/sender.ts";
import { Transport } from "../../../src/http/transport.ts";
import { slowloris, stalledBody, stalledHeaders, status, type Fault } from "../../wire/faults.ts";
import { senderRig } from "./sender-rig.ts";

/** An address that takes connections and never says a word: a TLS handshake hangs there. */
async function silentAddress(): Promise<URL> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on("error", () => undefined))).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return new URL(`https://127.0.0.1:${typeof address === "object" ? String(address?.port) : ""}/`);
}

const phases: readonly (readonly [string, Fault])[] = [
  ["no header comes", stalledHeaders],
  ["the headers never end", slowloris],
  ["half of the body comes", stalledBody],
];

describe("the time of one attempt", () => {
  test.each(phases)("ends it when %s, and the next one may succeed", async (_phase, fault) => {
    const { server, send, notices } = await senderRig();
    server.script({}, fault);
    expect(await send({ attemptMilliseconds: 150 })).toBe("well");
    expect(notices).toMatchObject([{ reason: "no answer in time" }]);
  });

  test("ends it while the connection is being made", async () => {
    const { send } = await senderRig();
    const start = performance.now();
    const sent = send({ url: await silentAddress(), method: "POST", attemptMilliseconds: 100 });
    await expect(sent).rejects.toThrow("did not answer within 0.1 s");
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  test("holds no process up when the answer came earlier", async () => {
    const { send } = await senderRig();
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
    const before = timers();
    await Promise.all(Array.from({ length: 20 }, () => send({ attemptMilliseconds: 3_600_000 })));
    expect(timers() - before).toBeLessThan(10);
  });

  test("is not started again for a POST", async () => {
    const { server, send } = await senderRig();
    server.script({}, stalledHeaders);
    await expect(send({ method: "POST", attemptMilliseconds: 100 })).rejects.toMatchObject({
      code: "TIMEOUT",
      mayHaveBeenProcessed: true,
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe("the time of all attempts", () => {
  async function systemSender() {
    const { server, request } = await senderRig();
    const transport = new Transport();
    onTestFinished(() => transport[Symbol.asyncDispose]());
    const sender = new Sender({ transport, redactor: new Redactor(), clock: systemClock, random: () => 0 });
    return { server, send: (change: object) => sender.send(request(change), ({ status: code }) => code) };
  }

  test.each(phases)("ends a single attempt when %s", async (_phase, fault) => {
    const { server, send } = await systemSender();
    server.script({}, fault, 9);
    await expect(send({ deadlineMilliseconds: 150 })).rejects.toBeInstanceOf(TimeoutError);
    expect(server.requests).toHaveLength(1);
  });

  test("ends attempts that would each have had more", async () => {
    const { server, send } = await systemSender();
    server.script({}, stalledHeaders, 9);
    const start = performance.now();
    await expect(send({ attemptMilliseconds: 200, deadlineMilliseconds: 300 })).rejects.toBeInstanceOf(TimeoutError);
    expect(server.requests).toHaveLength(2);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  test("a pause that would outlast it is not begun", async () => {
    const { server, send, clock } = await senderRig();
    server.script({}, status(500), 9);
    await expect(send({ deadlineMilliseconds: 700 })).rejects.toMatchObject({ status: 500 });
    expect(clock.sleeps.reduce((sum, pause) => sum + pause, 0)).toBeLessThan(700);
    expect(server.requests.length).toBeLessThan(4);
  });
});

describe("an abort", () => {
  const reason = new Error("cancelled by the user");

  test("before the first attempt sends nothing", async () => {
    const { server, send, cancel } = await senderRig();
    cancel.abort(reason);
    await expect(send()).rejects.toBe(reason);
    expect(server.connections).toBe(0);
  });

  test("while the connection is being made is noticed at once", async () => {
    const { send, cancel } = await senderRig();
    const start = performance.now();
    const sent = send({ url: await silentAddress() });
    setTimeout(() => cancel.abort(reason), 50);
    await expect(sent).rejects.toBe(reason);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  test("closes the file that was to be sent", async () => {
    const { send, cancel } = await senderRig();
    const stream = Readable.from([Buffer.from("x")]);
    const sent = send({ url: await silentAddress(), method: "PUT", body: { bytes: 1, open: () => stream } });
    setTimeout(() => cancel.abort(reason), 30);
    await expect(sent).rejects.toBe(reason);
    expect(stream.destroyed).toBe(true);
  });

  test.each(phases)("while %s is noticed at once", async (_phase, fault) => {
    const { server, send, cancel, notices } = await senderRig();
    server.script({}, fault);
    const sent = send();
    await expect.poll(() => server.requests.length).toBe(1);
    setTimeout(() => cancel.abort(reason), 30);
    await expect(sent).rejects.toBe(reason);
    expect(notices).toEqual([]);
  });

  test("during a pause is noticed at once", async () => {
    const { server, request } = await senderRig();
    server.script({}, status(503, { headers: { "retry-after": "30" } }));
    const transport = new Transport();
    onTestFinished(() => transport[Symbol.asyncDispose]());
    const cancel = new AbortController();
    const onRetry = () => setTimeout(() => cancel.abort(reason), 30);
    const sender = new Sender({ transport, redactor: new Redactor(), clock: systemClock, onRetry });
    await expect(sender.send(request({ signal: cancel.signal }), () => 0)).rejects.toBe(reason);
    expect(server.requests).toHaveLength(1);
  });
});
