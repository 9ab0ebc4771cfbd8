import { describe, expect, onTestFinished, test } from "vitest";
import { AgentServer } from "../../../src/agent-server/client.ts";
import { Endpoint } from "../../../src/http/endpoint.ts";
import { HttpClient } from "../../../src/http/http-client.ts";
import type { RunFate } from "../../../src/local/index.ts";
import { all, errorOf } from "../../agent-server/rig.ts";
import { call, deployed, start, UNKNOWN_ID } from "../caller.ts";

const THREAD = "0198c5a4-0000-7000-8000-000000000001";
const ASK = { assistant_id: "agent", input: { question: "why?" }, if_not_exists: "create" } as const;
const IN_THREAD = { threadId: THREAD };

async function agent() {
  const service = await start();
  const { url } = await deployed(service);
  const http = new HttpClient();
  onTestFinished(() => http.close());
  const server = new AgentServer({ endpoint: new Endpoint(url), http });
  return { service, url, server, threads: server.threads };
}

/** How a run ended, by what a client can trust: the status of the run, and status and state of its thread. */
async function endOf({ threads }: AgentServer) {
  const runs = await all(threads.runs(THREAD));
  const { status, values } = await threads.get(THREAD);
  return { runs: runs.map((run) => run.status), thread: status, values };
}

describe("a thread of the built-in agent", () => {
  test("keeps its state from run to run, and a chat all of its messages", async () => {
    const { server, threads } = await agent();
    const chat = (content: string) => ({ assistant_id: "agent", input: { messages: [{ role: "user", content }] } });
    await server.runAndWait({ ...chat("one"), if_not_exists: "create" }, IN_THREAD);
    await server.runAndWait(chat("two"), IN_THREAD);
    const { values } = await threads.state(THREAD);
    const echo = expect.stringContaining("built-in agent") as string;
    expect(values).toEqual({
      messages: [
        { role: "user", content: "one" },
        { type: "ai", content: echo },
        { role: "user", content: "two" },
        { type: "ai", content: echo },
      ],
    });
    expect(await endOf(server)).toMatchObject({ runs: ["success", "success"], thread: "idle", values });
  });

  test("is made, found by its metadata, and deleted", async () => {
    const { threads } = await agent();
    const made = await threads.create({ thread_id: THREAD, metadata: { evaluation: "e-1", case: "c-1" } });
    expect(made).toMatchObject({ thread_id: THREAD, status: "idle", values: null });
    await threads.create({ metadata: { evaluation: "e-2" } });
    expect(await all(threads.search({ metadata: { evaluation: "e-1" } }))).toEqual([made]);
    expect(await all(threads.search({ status: "busy" }))).toEqual([]);
    expect(await all(threads.search())).toHaveLength(2);
    expect(await errorOf(threads.create({ thread_id: THREAD }))).toMatchObject({ status: 409 });
    expect(await threads.create({ thread_id: THREAD, if_exists: "do_nothing" })).toEqual(made);
    expect(await threads.delete(THREAD)).toBe(true);
    expect(await threads.delete(THREAD)).toBe(false);
    expect(await errorOf(threads.get(THREAD))).toMatchObject({ status: 404 });
  });

  test("is found on every page of a long list", { tags: "slow" }, async () => {
    const { threads } = await agent();
    for (let made = 0; made < 230; made += 1) await threads.create();
    expect(new Set((await all(threads.search())).map(({ thread_id }) => thread_id)).size).toBe(230);
  });

  test("is not made by a run that does not ask for it, and its id is a UUID", async () => {
    const { url, server, threads } = await agent();
    const run = { assistant_id: "agent", input: {} };
    expect(await errorOf(server.runAndWait(run, IN_THREAD))).toMatchObject({ status: 404 });
    expect(await errorOf(threads.create({ thread_id: "t-1" }))).toMatchObject({ status: 422 });
    const { status, json } = await call(url, "GET", "/threads/t-1");
    expect([status, json]).toEqual([422, { detail: "thread_id: Input should be a valid UUID" }]);
  });
});

/** A fate, and what of it a client sees: the stream's events, and what can be trusted. */
const ENDS: readonly (readonly [string, RunFate, readonly string[], Awaited<ReturnType<typeof endOf>>])[] = [
  [
    "answers",
    {},
    ["metadata", "values", "values"],
    { runs: ["success"], thread: "idle", values: expect.objectContaining({ echo: expect.any(String) as string }) },
  ],
  [
    "recovers",
    { recovers: true },
    ["metadata", "error", "metadata", "values", "values"],
    { runs: ["success"], thread: "idle", values: expect.objectContaining({ echo: expect.any(String) as string }) },
  ],
  [
    "answers nothing",
    { end: "empty" },
    ["metadata", "values", "values"],
    { runs: ["success"], thread: "idle", values: {} },
  ],
  [
    "asks a human",
    { end: "interrupted" },
    ["metadata", "values", "values"],
    { runs: ["success"], thread: "interrupted", values: ASK.input },
  ],
  ["fails", { end: "error" }, ["metadata", "values", "error"], { runs: ["error"], thread: "error", values: null }],
];

describe("a run of the built-in agent that", () => {
  test.each(ENDS)("%s shows it in its stream, and afterwards", async (_what, fate, events, end) => {
    const { service, server } = await agent();
    service.faults.nextRun(fate);
    const path = `/threads/${THREAD}/runs/stream`;
    const news = await all(server.stream({ method: "POST", path, body: ASK }));
    expect(news.map(({ event }) => event)).toEqual(events);
    expect(await endOf(server)).toEqual(end);
  });

  test("fails says why in the state of its thread, and when it is joined", async () => {
    const { server, threads } = await agent();
    const run = { ...ASK, input: { fail: "no model key" } };
    expect(await errorOf(server.runAndWait(run, IN_THREAD))).toMatchObject({
      code: "RUN_FAILED",
      said: "no model key",
    });
    const { tasks } = await threads.state(THREAD);
    expect(tasks).toMatchObject([{ error: "EchoError('no model key')" }]);
    const [failed] = await all(threads.runs(THREAD));
    const joined = await threads.join(THREAD, failed?.run_id ?? "");
    expect(joined).toEqual({ __error__: { error: "EchoError", message: "no model key" } });
  });

  test("loses its client goes on, and is joined; another one is refused meanwhile", async () => {
    const { service, server, threads } = await agent();
    service.faults.nextRun({ hold: "running" });
    const news = server.streamRun(ASK, IN_THREAD);
    expect(await news.next()).toMatchObject({ value: { event: "metadata" } });
    await news.return(undefined);
    const [open] = await all(threads.runs(THREAD));
    expect(open).toMatchObject({ status: "running" });
    expect(await threads.get(THREAD)).toMatchObject({ status: "busy" });
    const second = { ...ASK, multitask_strategy: "reject" };
    expect(await errorOf(server.runAndWait(second, IN_THREAD))).toMatchObject({ status: 409 });
    const joined = threads.join(THREAD, open?.run_id ?? "");
    service.faults.runs.release();
    expect(await joined).toMatchObject({ question: "why?", echo: expect.any(String) as string });
    expect(await endOf(server)).toMatchObject({ runs: ["success"], thread: "idle" });
  });

  test("is to be cancelled when its client hangs up is cancelled", async () => {
    const { service, server, threads } = await agent();
    service.faults.nextRun({ hold: "running" });
    const news = server.streamRun({ ...ASK, on_disconnect: "cancel" }, IN_THREAD);
    await news.next();
    await news.return(undefined);
    await expect.poll(() => endOf(server)).toEqual({ runs: ["interrupted"], thread: "interrupted", values: null });
    const [run] = await all(threads.runs(THREAD));
    expect(await threads.join(THREAD, run?.run_id ?? "")).toBe(null);
    expect(await threads.cancel(THREAD, run?.run_id ?? "")).toBe(false);
    expect(await threads.cancel(THREAD, UNKNOWN_ID)).toBe(false);
  });

  test.each(["pending", "running"] as const)("is %s can be cancelled", async (hold) => {
    const { service, server, threads } = await agent();
    service.faults.nextRun({ hold });
    const waiting = server.runAndWait(ASK, IN_THREAD);
    const status = async () => (await all(threads.runs(THREAD)))[0]?.status;
    await expect.poll(status).toBe(hold);
    const [run] = await all(threads.runs(THREAD));
    expect(await threads.cancel(THREAD, run?.run_id ?? "")).toBe(true);
    expect(await waiting).toBe(null);
    expect(await threads.run(THREAD, run?.run_id ?? "")).toMatchObject({ status: "interrupted" });
  });

  test("waits behind another one in its thread begins when that has ended", async () => {
    const { service, server, threads } = await agent();
    service.faults.nextRun({ hold: "running" });
    const first = server.runAndWait(ASK, IN_THREAD);
    await expect.poll(() => all(threads.runs(THREAD))).toMatchObject([{ status: "running" }]);
    const second = server.runAndWait({ ...ASK, input: { more: 1 } }, IN_THREAD);
    await expect.poll(() => all(threads.runs(THREAD))).toMatchObject([{ status: "pending" }, { status: "running" }]);
    service.faults.runs.release();
    expect([await first, await second]).toMatchObject([{ question: "why?" }, { question: "why?", more: 1 }]);
  });

  test("waits behind one that was cancelled while it waited begins no earlier", async () => {
    const { service, server, threads } = await agent();
    service.faults.nextRun({ hold: "running" });
    const first = server.runAndWait(ASK, IN_THREAD);
    const statuses = async () => (await all(threads.runs(THREAD))).map(({ status }) => status);
    await expect.poll(() => errorOf(statuses())).toMatchObject({ value: ["running"] });
    const second = server.runAndWait(ASK, IN_THREAD);
    await expect.poll(statuses).toEqual(["pending", "running"]);
    const [waiting] = await all(threads.runs(THREAD));
    await threads.cancel(THREAD, waiting?.run_id ?? "");
    expect(await second).toBe(null);
    const third = server.runAndWait({ ...ASK, input: { more: 1 } }, IN_THREAD);
    await expect.poll(statuses).toEqual(["pending", "interrupted", "running"]);
    service.faults.runs.release();
    expect([await first, await third]).toMatchObject([{ question: "why?" }, { question: "why?", more: 1 }]);
  });

  test.each(["values", "messages-tuple"])("has its stream of %s cut goes on to its end", async (stream_mode) => {
    const { service, server } = await agent();
    service.faults.nextRun({ cut: true, pauseMilliseconds: 1 });
    const events = all(server.streamRun({ ...ASK, stream_mode }, IN_THREAD));
    expect(await errorOf(events)).toMatchObject({ code: "NETWORK" });
    await expect.poll(() => endOf(server)).toMatchObject({ runs: ["success"], thread: "idle" });
  });

  test("is a chat tells its message to who asks for messages, and no state", async () => {
    const { server } = await agent();
    const messages = [{ role: "user", content: "why?" }];
    const run = { ...ASK, input: { messages }, stream_mode: "messages-tuple" };
    expect(await all(server.streamRun(run, IN_THREAD))).toMatchObject([
      { event: "metadata" },
      { event: "messages", data: [{ type: "ai", content: expect.stringContaining("why?") as string }, {}] },
    ]);
  });
});
