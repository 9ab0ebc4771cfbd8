import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { hideSent } from "../../src/http/sent-echo.ts";
import type { BodySource } from "../../src/http/transport.ts";
import { status } from "../wire/faults.ts";
import { withSender, senderRig } from "./sender-rig.ts";

const NAMES = { fields: ["results"], shown: [] };
const SENT = JSON.stringify({ a: "x".repeat(4 << 20), b: "My patient Alice has a fever, Grüße 🤒" });
const LINE = "refused: patient Alice has a fever, Grüße";

describe("others have their turn while a body is read once more", () => {
  test.each([
    ["a buffer", Buffer.from(SENT)],
    ["a text", SENT],
    ["a stream of one piece", { bytes: Buffer.byteLength(SENT), open: () => Readable.from([Buffer.from(SENT)]) }],
  ])("%s", { tags: "slow" }, async (_, content) => {
    let turns = 0;
    let isReading = true;
    const turn = () => {
      turns += 1;
      if (isReading) setImmediate(turn);
    };
    setImmediate(turn);
    const hide = await hideSent([LINE], { content, ...NAMES }, new AbortController().signal);
    isReading = false;
    expect(hide(LINE)).toBe("refused: …");
    // One in 64 KiB.
    expect(turns).toBeGreaterThanOrEqual(60);
  });

  test("and the signal ends it: the lines are hidden as a whole", async () => {
    const cancel = new AbortController();
    setImmediate(() => {
      cancel.abort();
    });
    const hide = await hideSent([LINE], { content: Buffer.from(SENT), ...NAMES }, cancel.signal);
    expect(hide(LINE)).toBe("");
  });
});

/** A body that counts how often it is read. */
function countedBody() {
  const sent = JSON.stringify({ question: "My patient Alice has a fever" });
  const read = { times: 0 };
  const content: BodySource = {
    bytes: sent.length,
    open: () => {
      read.times += 1;
      return Readable.from([Buffer.from(sent)]);
    },
  };
  return { sent, read, privately: { content, ...NAMES } };
}

describe("a body is read once more only for an error that is thrown and shows a reason", () => {
  test("not for the attempts before it", async () => {
    const { sent, read, privately } = countedBody();
    const { server, send } = await senderRig();
    server.script({}, status(503, { body: { detail: "busy with patient Alice has" } }), 9);
    const put = { method: "POST", repeatable: true, body: sent, privately } as const;
    await expect(send(put)).rejects.toThrow("returned 503: busy with …");
    expect(server.requests).toHaveLength(4);
    expect(read.times).toBe(1);
  });

  test("not where another attempt succeeds", async () => {
    const { sent, read, privately } = countedBody();
    const { server, send } = await senderRig();
    server.script({}, status(503, { body: { detail: "busy with patient Alice has" } }), 2);
    expect(await send({ method: "POST", repeatable: true, body: sent, privately })).toBe("well");
    expect(read.times).toBe(0);
  });

  test.each([
    ["an id without a reason", { headers: { "x-request-id": "0af7651916cd43dd-8448" } }, "0af7651916cd43dd-8448"],
    ["another id", { headers: { "x-request-id": "patient Alice" } }, undefined],
    ["an id of letters", { headers: { "x-request-id": "Alice" } }, undefined],
    ["an id that is too long", { headers: { "x-request-id": "a".repeat(65) } }, undefined],
    ["what services say of any request", { body: { detail: "Not Found" } }, undefined],
  ])("not for %s", async (_, answer, requestId) => {
    const { sent, read, privately } = countedBody();
    const { server, send } = await senderRig();
    server.script({}, status(404, answer));
    await expect(send({ method: "POST", body: sent, privately })).rejects.toMatchObject({ status: 404, requestId });
    expect(read.times).toBe(0);
  });
});

withSender("an id that was sent is left out beside a reason", async ({ server, send }) => {
  const headers = { "x-request-id": "4711-0815-4711", "content-type": "application/json" };
  server.script({}, status(422, { headers, body: { detail: "refused by the rule of today" } }));
  const content = JSON.stringify({ phone: "4711 0815 4711" });
  const failing = send({ method: "POST", body: content, privately: { content, ...NAMES } });
  await expect(failing).rejects.toMatchObject({ status: 422, requestId: undefined });
});
