import { testWith } from "../test-with.ts";
import { describe, expect, test } from "vitest";
import type { ResponseHead } from "../../src/http/arriving-body.ts";
import type { WireAnswer } from "../wire/faults.ts";
import { agentRig, all, errorOf, inPieces } from "./rig.ts";

const RUN = { assistant_id: "support", input: { question: "why?" } };
const STATE = { question: "why?", answer: "because" };
const THREAD = "0198c5a4-0000-7000-8000-000000000001";
const STREAM = [
  'event: metadata\r\ndata: {"run_id":"r-1"}\r\nid: 1\r\n\r\n',
  `event: values\r\ndata: ${JSON.stringify(STATE)}\r\nid: 2\r\n\r\n`,
];

const rig = () =>
  agentRig(({ path }) =>
    path.endsWith("/wait")
      ? { status: 200, body: STATE }
      : { status: 200, headers: { "content-type": "text/event-stream" }, body: STREAM.join("") },
  );
const withRig = testWith(rig);

describe("a run in a thread", () => {
  withRig("streams as one without a thread, to the same ending", async ({ front, server }) => {
    const [inThread, alone] = [server.streamRun(RUN, { threadId: THREAD }), server.streamRun(RUN)];
    for (;;) {
      const [one, other] = [await inThread.next(), await alone.next()];
      expect(one).toEqual(other);
      if (one.done === true) {
        expect(one.value).toEqual({ kind: "answered", state: STATE });
        break;
      }
    }
    expect(front.requests.map(({ target }) => target)).toEqual([`/threads/${THREAD}/runs/stream`, "/runs/stream"]);
    expect(JSON.parse(front.requests[0]?.body.toString() ?? "")).toEqual(RUN);
  });

  withRig("waits as one without a thread", async ({ front, server }) => {
    expect(await server.runAndWait(RUN, { threadId: THREAD })).toEqual(STATE);
    expect(front.requests[0]).toMatchObject({ method: "POST", target: `/threads/${THREAD}/runs/wait` });
  });

  withRig("is an error when its stream is cut", async ({ front, server }) => {
    front.script({ path: /\/runs\/stream$/ }, inPieces(STREAM.slice(0, 1), { ending: "close", pause: 20 }));
    const error = await errorOf(all(server.streamRun(RUN, { threadId: THREAD })));
    expect(error).toMatchObject({ code: "NETWORK", mayHaveBeenProcessed: true });
  });

  withRig("has a path that its id cannot leave", async ({ front, server }) => {
    await server.runAndWait(RUN, { threadId: "../../a b?c#d" });
    expect(front.requests[0]?.target).toBe("/threads/..%2F..%2Fa%20b%3Fc%23d/runs/wait");
  });

  test.each([
    [undefined, "`threadId` is undefined: "],
    ["", "`threadId` is empty"],
    [" ", "`threadId` is empty"],
    ["..", "`threadId` is not an id"],
    [7, "`threadId` must be a text"],
    [null, "`threadId` must be a text"],
  ])("is not one without a thread when the id is %j", async (threadId, fault) => {
    const { front, server } = await rig();
    // A caller without types may give anything.
    const options = { threadId } as { threadId: string };
    for (const work of [server.runAndWait(RUN, options), all(server.streamRun(RUN, options))]) {
      const error = await errorOf(work);
      expect(error).toMatchObject({ code: "ARGUMENTS" });
      expect(String(error)).toContain(fault);
    }
    expect(front.connections).toBe(0);
  });
});

describe("a call of a thread", () => {
  const ID = "0198c5a4-0000-7000-8000-000000000002";

  /** A client in front of a server that answers all with this. */
  const answered = (answer: WireAnswer) => agentRig(() => answer);

  test("is sent once when it is to be, and tells the head of each response", async () => {
    const { front, server } = await answered({ status: 503, headers: { "retry-after": "0" }, body: {} });
    const heads: number[] = [];
    const options = { once: true, onHead: ({ status }: { readonly status: number }) => heads.push(status) };
    const refused = { code: "HTTP_STATUS", status: 503 };
    expect(await errorOf(server.threads.get(THREAD, options))).toMatchObject(refused);
    expect(await errorOf(all(server.streamRun(RUN, { threadId: THREAD, ...options })))).toMatchObject(refused);
    expect([front.requests.length, heads]).toEqual([2, [503, 503]]);
  });

  test("tells the headers of a stream before its first event", async () => {
    const headers = { "content-type": "text/event-stream", "content-location": `/threads/${THREAD}/runs/r-1` };
    const { server } = await answered({ status: 200, headers, body: STREAM.join("") });
    const told: (string | undefined)[] = [];
    const onHead = (head: ResponseHead) => told.push(head.headers["content-location"]);
    await server.streamRun(RUN, { threadId: THREAD, onHead }).next();
    expect(told).toEqual([headers["content-location"]]);
  });

  test("is refused of another thread or run than the one that was asked for", async () => {
    const { server } = await answered({ status: 200, body: { thread_id: ID, run_id: ID, status: "success" } });
    expect(await errorOf(server.threads.get(THREAD))).toMatchObject({ code: "INVALID_RESPONSE" });
    expect(await errorOf(server.threads.run(THREAD, THREAD))).toMatchObject({ code: "INVALID_RESPONSE" });
  });

  test("has a path that its ids cannot leave, and takes no odd ones", async () => {
    const { front, server } = await answered({ status: 200, body: STATE });
    await server.threads.join("../a", "b/../c?d");
    expect(front.requests[0]?.target).toBe("/threads/..%2Fa/runs/b%2F..%2Fc%3Fd/join");
    for (const odd of ["", "..", 7]) {
      // A caller without types may give anything.
      expect(await errorOf(server.threads.run(THREAD, odd as string))).toMatchObject({ code: "ARGUMENTS" });
      expect(await errorOf(server.threads.delete(odd as string))).toMatchObject({ code: "ARGUMENTS" });
    }
    expect(front.requests).toHaveLength(1);
  });
});

describe("any stream of events", () => {
  withRig("is yielded as it comes, an error like everything else", async ({ front, server }) => {
    const events = ['event: error\ndata: {"error":"E"}\n\n', "data: plain text\n\n", "event: end\n\n"];
    front.script({ path: /\/stream$/ }, inPieces(events, { pause: 5 }));
    const path = `/threads/${THREAD}/runs/r-1/stream`;
    expect(await all(server.stream({ method: "GET", path }))).toEqual([
      { event: "error", data: { error: "E" }, id: undefined },
      { event: "message", data: "plain text", id: undefined },
    ]);
    expect(front.requests[0]).toMatchObject({ method: "GET", target: path });
    expect(front.requests[0]?.headers).toMatchObject({ accept: "text/event-stream" });
  });

  withRig("is an error when it is cut", async ({ front, server }) => {
    front.script({}, inPieces(["data: 1\n\n", "data: 2\n"], { ending: "close", pause: 20 }));
    const events = server.stream({ method: "GET", path: "/threads/t/stream" });
    expect(await events.next()).toMatchObject({ value: { data: 1 } });
    expect(await errorOf(events.next())).toMatchObject({ code: "NETWORK", mayHaveBeenProcessed: true });
  });

  withRig("sends nothing before the first event is requested", async ({ front, server }) => {
    const events = server.stream({ method: "GET", path: "/unread" });
    await server.runAndWait(RUN);
    await events.return();
    expect(front.requests.map(({ target }) => target)).toEqual(["/runs/wait"]);
  });
});
