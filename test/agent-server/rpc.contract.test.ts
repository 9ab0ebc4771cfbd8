import { testWith } from "../test-with.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { statusAfter } from "../wire/faults.ts";
import { propertyRuns } from "../property-runs.ts";
import { agentRig, errorOf, inPieces } from "./rig.ts";

const CALL = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "support" } } as const;
const RESPONSE = { jsonrpc: "2.0", id: 7, result: { content: [{ type: "text", text: "é \u{1f600}" }] } };
const MCP = { method: "POST", path: "/mcp", body: CALL, schema: z.unknown() } as const;
const calls = { method: "POST", path: /^\/mcp$/ };

const event = (message: unknown, name = "message") => `event: ${name}\r\ndata: ${JSON.stringify(message)}\r\n\r\n`;
const streamed = (...events: readonly string[]) => ({
  status: 200,
  headers: { "content-type": "text/event-stream; charset=utf-8" },
  body: events.join(""),
});
const rig = () => agentRig(() => streamed(event(RESPONSE)));
const withRig = testWith(rig);

describe("a call of JSON-RPC", () => {
  withRig("is answered by a stream of events, which it accepts without being told to", async ({ front, server }) => {
    expect(await server.request(MCP)).toEqual(RESPONSE);
    expect(front.requests).toHaveLength(1);
    expect(front.requests[0]?.headers).toMatchObject({ accept: "application/json, text/event-stream" });
    expect(JSON.parse(front.requests[0]?.body.toString() ?? "")).toEqual(CALL);
  });

  test("is answered by JSON as well", async () => {
    const { server } = await agentRig(() => ({ status: 200, body: RESPONSE }));
    expect(await server.request(MCP)).toEqual(RESPONSE);
  });

  test("is answered by the response to it alone, behind what else the server says", async () => {
    const before = [
      ": heartbeat\r\n\r\n",
      "id: 1\r\ndata:\r\n\r\n",
      "event: ping\r\ndata: now\r\n\r\n",
      event({ jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } }),
      event({ jsonrpc: "2.0", id: 7, method: "sampling/createMessage", params: {} }),
      event({ jsonrpc: "2.0", id: 8, result: "of another call" }),
      event({ jsonrpc: "2.0", id: ["7"], result: "of another type" }),
    ];
    const { server } = await agentRig(() => streamed(...before, event(RESPONSE), event({ ...RESPONSE, result: 2 })));
    expect(await server.request(MCP)).toEqual(RESPONSE);
  });

  test.each([
    [7, "7"],
    ["7", 7],
    ["call", "call"],
  ])("is answered by the response to %j with the id %j", async (id, said) => {
    const response = { jsonrpc: "2.0", id: said, result: {} };
    const { front, server } = await rig();
    front.script(calls, inPieces([event(response)], { ending: "silent" }));
    expect(await server.request({ ...MCP, body: { ...CALL, id } })).toEqual(response);
  });

  test("is answered in an event with several messages", async () => {
    const { server } = await agentRig(() => streamed(event([{ jsonrpc: "2.0", id: 8, result: 1 }, RESPONSE])));
    expect(await server.request(MCP)).toEqual(RESPONSE);
  });

  test.each([
    ["of the call", 7],
    ["of a call that could not be read", null],
  ])("is answered by an error %s", async (_, id) => {
    const error = { jsonrpc: "2.0", id, error: { code: -32602, message: "Invalid params" } };
    const { server } = await agentRig(() => streamed(event(error)));
    expect(await server.request(MCP)).toEqual(error);
  });

  withRig("does not wait for a server that keeps the stream open behind the response", async ({ front, server }) => {
    front.script(calls, inPieces([event(RESPONSE)], { ending: "silent" }));
    expect(await server.request(MCP)).toEqual(RESPONSE);
  });

  test.each(["message/stream", "SendStreamingMessage"])("of %s is answered by the last response", async (method) => {
    const [submitted, done] = [
      { jsonrpc: "2.0", id: 7, result: { kind: "status-update", final: false } },
      { jsonrpc: "2.0", id: 7, result: { kind: "status-update", final: true } },
    ];
    const { server } = await agentRig(() => streamed(event(submitted), event(done)));
    expect(await server.request({ ...MCP, path: "/a2a/support", body: { ...CALL, method } })).toEqual(done);
  });

  withRig("comes out the same wherever the wire cuts the stream", async ({ front, server }) => {
    const bytes = Buffer.from(event({ jsonrpc: "2.0", method: "notifications/message" }) + event(RESPONSE));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 6 }), async (places) => {
        const ends = [...places.toSorted((a, b) => a - b), bytes.length];
        const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        front.script(calls, inPieces(pieces.filter(({ length }) => length > 0)));
        expect(await server.request(MCP)).toEqual(RESPONSE);
      }),
      { numRuns: propertyRuns(0.3) },
    );
  });

  withRig("has a response that the schema checks", async ({ server }) => {
    const schema = z.looseObject({ result: z.looseObject({ tools: z.array(z.unknown()) }) });
    const error = await errorOf(server.request({ ...MCP, schema }));
    expect(error).toMatchObject({
      code: "INVALID_RESPONSE",
      message: expect.stringMatching(/result\.tools/) as string,
    });
  });

  test("without an id is a notification, which has no response", async () => {
    const { server } = await agentRig(() => ({ status: 202, body: "" }));
    const body = { jsonrpc: "2.0", method: "notifications/initialized" };
    expect(await server.request({ ...MCP, body, schema: z.undefined() })).toBeUndefined();
  });
});

describe("a stream that is not whole", () => {
  const [whole] = [event(RESPONSE)];
  const beginning = event({ jsonrpc: "2.0", method: "notifications/progress" }) + whole.slice(0, -10);

  test.each(["close", "reset"] as const)(
    "is an error when the line is cut by a %s, and is not repeated",
    async (ending) => {
      const { front, server } = await rig();
      front.script(calls, inPieces([beginning], { ending, pause: 20 }));
      expect(await errorOf(server.request(MCP))).toMatchObject({ code: "NETWORK", mayHaveBeenProcessed: true });
      expect(front.count(calls)).toBe(1);
    },
  );

  test.each([
    ["within an event", beginning],
    ["before the response", event({ jsonrpc: "2.0", method: "notifications/progress" })],
    ["at once", ""],
    ["behind something that is not JSON", "data: {\r\n\r\n"],
  ])("is an error when it ends %s, and is not repeated", async (_, body) => {
    const { front, server } = await rig();
    front.script(calls, statusAfter(200, { headers: { "content-type": "text/event-stream" }, body }));
    expect(await errorOf(server.request(MCP))).toMatchObject({ code: "INVALID_RESPONSE", mayHaveBeenProcessed: true });
    expect(front.count(calls)).toBe(1);
  });

  withRig("is requested again if the call may be repeated", async ({ front, server, notices }) => {
    front.script(calls, inPieces([beginning], { ending: "reset", pause: 20 }));
    for (const body of ["", beginning])
      front.script(calls, statusAfter(200, { headers: { "content-type": "text/event-stream" }, body }));
    expect(await server.request({ ...MCP, repeatable: true })).toEqual(RESPONSE);
    expect(front.count(calls)).toBe(4);
    expect(notices).toHaveLength(3);
  });

  test("ends with the time of the request, although the server shows that it lives", async () => {
    const { front, server, clock } = await rig();
    const beats = Array.from({ length: 20 }, () => ": heartbeat\r\n\r\n");
    front.script(calls, inPieces(beats, { ending: "silent", pause: 5, onPiece: () => clock.pass(10_000) }));
    expect(await errorOf(server.request(MCP))).toMatchObject({ code: "TIMEOUT", mayHaveBeenProcessed: true });
  });

  withRig("ends with the signal", async ({ front, server }) => {
    const own = new AbortController();
    front.script(calls, inPieces([": 1\n\n"], { ending: "silent", onPiece: () => own.abort(new Error("enough")) }));
    await expect(server.request({ ...MCP, signal: own.signal })).rejects.toThrow("enough");
  });

  withRig("has no event that is larger than 16 MiB", { tags: "slow" }, async ({ front, server }) => {
    const pieces = Array.from({ length: 18 }, () => Buffer.alloc(1024 * 1024, "x"));
    front.script(calls, inPieces([Buffer.from("data: "), ...pieces]));
    const error = await errorOf(server.request(MCP));
    expect(error).toMatchObject({ code: "INVALID_RESPONSE", message: expect.stringContaining("16 MiB") as string });
  });
});

withRig("a refused call is an error with the reason", async ({ front, server }) => {
  front.script(calls, statusAfter(422, { body: { detail: "no such tool" } }));
  expect(await errorOf(server.request(MCP))).toMatchObject({ status: 422, details: ["no such tool"] });
});

withRig("what is no call of JSON-RPC is not read as a stream, and the error says how it is", async ({ server }) => {
  const error = await errorOf(server.request({ ...MCP, path: "/threads/t/runs/stream", body: { assistant_id: "x" } }));
  expect(error).toMatchObject({
    code: "INVALID_RESPONSE",
    message: expect.stringContaining("text/event-stream") as string,
    advice: "Read a response that is a stream with `stream`.",
  });
});
