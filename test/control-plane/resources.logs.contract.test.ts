import { describe, expect, test } from "vitest";
import { startFaultServer, type Handler } from "../wire/fault-server.ts";
import { clientOf } from "./rig.ts";

const line = (message: string) => ({ id: message, timestamp: "2026-01-01T00:00:00Z", level: "INFO", message });
const newestFirst = { status: 200, body: { logs: [line("third"), line("second"), line("first")], next_offset: null } };
const missing = (code: number) => ({ status: code, body: { detail: "Not Found" } });

async function logsOf(handler: Handler, limit?: number) {
  const front = await startFaultServer(handler);
  const logs = await clientOf(front).plane.logs("d-1", "r-1", "build", limit === undefined ? {} : { limit });
  return { front, messages: logs?.map(({ message }) => message) };
}

describe("the last lines of a log", () => {
  test("come oldest first", async () => {
    const { front, messages } = await logsOf(() => newestFirst);
    expect(messages).toEqual(["first", "second", "third"]);
    expect(front.requests.map(({ method, target }) => [method, target])).toEqual([
      ["POST", "/v1/projects/d-1/revisions/r-1/build_logs"],
    ]);
    expect(JSON.parse(front.requests[0]?.body.toString() ?? "")).toEqual({ order: "desc", limit: 30 });
  });

  test("are no more than were asked for, whatever the service sends", async () => {
    expect((await logsOf(() => newestFirst, 2)).messages).toEqual(["second", "third"]);
  });

  test.each([404, 405, 501])("are looked for in the other place after a %i", async (code) => {
    const { front, messages } = await logsOf(({ method }) => (method === "POST" ? missing(code) : newestFirst));
    expect(messages).toEqual(["first", "second", "third"]);
    expect(front.requests.at(-1)?.target).toBe("/v2/deployments/d-1/revisions/r-1/logs?type=build&order=desc&limit=30");
  });

  test("are undefined where a service has none", async () => {
    expect((await logsOf(() => missing(404))).messages).toBeUndefined();
  });

  test("may be empty", async () => {
    expect((await logsOf(() => ({ status: 200, body: { logs: [] } }))).messages).toEqual([]);
  });

  test("that may not be read are an error, not a service without logs", async () => {
    await expect(logsOf(() => missing(403))).rejects.toMatchObject({ status: 403 });
  });
});
