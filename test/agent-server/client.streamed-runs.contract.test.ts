import { testWith } from "../test-with.ts";
import fc from "fast-check";
import { propertyRuns } from "../property-runs.ts";
import { describe, expect, test } from "vitest";
import { RunFailedError } from "../../src/agent-server/errors.ts";
import { startFaultServer } from "../wire/fault-server.ts";
import { redirect, status } from "../wire/faults.ts";
import { textsOf } from "../wire/texts-of.ts";
import { API_KEY } from "../control-plane/rig.ts";
import { agentRig, all, errorOf, inPieces } from "./rig.ts";

const RUN = { assistant_id: "support", input: { question: "who?" }, stream_mode: ["values", "updates"] };
const streams = { method: "POST", path: /^\/runs\/stream$/ };

const STREAM = [
  "event: metadata",
  'data: {"run_id":"r-1","attempt":1}',
  "id: 1",
  "",
  ": heartbeat",
  "",
  "event: values",
  'data: {"question":"who? \u{1f600}",',
  'data: "answer":"é"}',
  "id: 2",
  "",
  "",
].join("\r\n");
const NEWS = [
  { event: "metadata", data: { run_id: "r-1", attempt: 1 }, id: "1" },
  { event: "values", data: { question: "who? \u{1f600}", answer: "é" }, id: "2" },
];

const rig = () => agentRig(() => ({ status: 200, headers: { "content-type": "text/event-stream" }, body: STREAM }));
const withRig = testWith(rig);

describe("a run that is streamed", () => {
  withRig("reports its news, and is sent once, with the key and as it was given", async ({ front, server }) => {
    expect(await all(server.streamRun(RUN))).toEqual(NEWS);
    expect(front.requests).toHaveLength(1);
    expect(front.requests[0]).toMatchObject({ method: "POST", target: "/runs/stream" });
    expect(front.requests[0]?.headers).toMatchObject({ accept: "text/event-stream", "x-api-key": API_KEY });
    expect(JSON.parse(front.requests[0]?.body.toString() ?? "")).toEqual(RUN);
  });

  withRig("reports the same wherever the wire cuts it", { tags: "slow" }, async ({ front, server }) => {
    const bytes = Buffer.from(STREAM);
    const cuts = fc.uniqueArray(fc.nat(bytes.length), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const ends = [...places.toSorted((a, b) => a - b), bytes.length];
        // A chunk of no bytes would end the answer.
        const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        front.script(streams, inPieces(pieces.filter(({ length }) => length > 0)));
        expect(await all(server.streamRun(RUN))).toEqual(NEWS);
      }),
      { numRuns: propertyRuns(0.3) },
    );
  });

  withRig("reports each piece of news as soon as it is there", { tags: "slow" }, async ({ front, server }) => {
    const [first = "", second = ""] = STREAM.split(": heartbeat\r\n\r\n");
    front.script(streams, inPieces([first], { ending: "silent" }));
    const news = server.streamRun(RUN);
    expect(await news.next()).toEqual({ done: false, value: NEWS[0] });
    await news.return(undefined);
    front.script(streams, inPieces([first, second], { pause: 50 }));
    expect(await all(server.streamRun(RUN))).toEqual(NEWS);
  });

  withRig("asks for nothing before somebody listens", async ({ front, server }) => {
    const news = server.streamRun(RUN);
    await news.return(undefined);
    expect(front.connections).toBe(0);
  });

  withRig("hangs up when nobody listens any more", async ({ front, server }) => {
    let open = true;
    const heard = Promise.withResolvers<undefined>();
    front.script(streams, {
      processed: true,
      act: async ({ socket }) => {
        socket.once("close", () => {
          open = false;
          heard.resolve(undefined);
        });
        socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: 1\n\n");
        socket.resume();
        await heard.promise;
      },
    });
    for await (const { data } of server.streamRun(RUN)) {
      expect(data).toBe(1);
      expect(open).toBe(true);
      break;
    }
    await heard.promise;
    expect(open).toBe(false);
  });

  withRig("ends with the signal, also of one call", async ({ front, server, cancel }) => {
    front.script(streams, inPieces(["data: 1\n\n"], { ending: "silent" }), 2);
    const own = new AbortController();
    const [one, other] = [server.streamRun(RUN, { signal: own.signal }), server.streamRun(RUN)];
    await Promise.all([one.next(), other.next()]);
    own.abort(new Error("enough of this one"));
    await expect(one.next()).rejects.toThrow("enough of this one");
    cancel.abort(new Error("enough of all"));
    await expect(other.next()).rejects.toThrow("enough of all");
  });

  test("may last longer than its beginning may, when the server shows that it lives", async () => {
    const { front, server, clock } = await rig();
    const [first = "", second = ""] = STREAM.split(": heartbeat\r\n\r\n");
    const beats = Array.from({ length: 10 }, () => ": heartbeat\r\n\r\n");
    front.script(streams, inPieces([first, ...beats, second], { pause: 5 }));
    const news = server.streamRun(RUN, { attemptMilliseconds: 1_500, deadlineMilliseconds: 1_500 });
    expect(await news.next()).toEqual({ done: false, value: NEWS[0] });
    clock.pass(3_600_000);
    expect(await all(news)).toEqual(NEWS.slice(1));
  });

  test("ends after as long as the longest run may take, although the server shows that it lives", async () => {
    const { front, server, clock } = await rig();
    const beats = Array.from({ length: 20 }, () => ": heartbeat\r\n\r\n");
    front.script(streams, inPieces(["data: 1\n\n", ...beats], { ending: "silent" }), 2);
    const [usual, short] = [server.streamRun(RUN), server.streamRun(RUN, { longestMilliseconds: 60_000 })];
    for (const news of [usual, short]) expect(await news.next()).toMatchObject({ value: { data: 1 } });
    clock.pass(60_000);
    expect(await errorOf(short.next())).toMatchObject({ code: "TIMEOUT", mayHaveBeenProcessed: true });
    clock.pass(6 * 3_600_000 - 60_000);
    expect(await errorOf(usual.next())).toMatchObject({
      code: "TIMEOUT",
      message: expect.stringMatching(/^POST \S+\/runs\/stream did not end within 21600 s$/) as string,
    });
    expect(front.count(streams)).toBe(2);
  });

  withRig("ends when the server falls silent", { tags: "slow" }, async ({ front, server }) => {
    front.script(streams, inPieces(["data: 1\n\n"], { ending: "silent" }));
    // The silence is measured by the HTTP library: long enough that its beginning comes on a busy machine, too.
    const news = server.streamRun(RUN, { stallMilliseconds: 3_000 });
    expect(await news.next()).toMatchObject({ value: { data: 1 } });
    expect(await errorOf(news.next())).toMatchObject({ code: "NETWORK", networkCode: "UND_ERR_BODY_TIMEOUT" });
  });

  test.each(["close", "reset"] as const)(
    "is an error after what came, when the line is cut by a %s",
    async (ending) => {
      const { front, server } = await rig();
      front.script(streams, inPieces(["data: 1\n\n", "data: 2\n"], { ending, pause: 30 }));
      const news = server.streamRun(RUN);
      expect(await news.next()).toMatchObject({ value: { data: 1 } });
      expect(await errorOf(news.next())).toMatchObject({ code: "NETWORK", mayHaveBeenProcessed: true });
      expect(await news.next()).toEqual({ done: true, value: undefined });
      expect(front.count(streams)).toBe(1);
    },
  );

  withRig("is an error when the server ends it in the middle of a piece", async ({ front, server }) => {
    front.script(streams, inPieces(["data: 1\n\n", "data: 2\n"]));
    expect(await errorOf(all(server.streamRun(RUN)))).toMatchObject({
      code: "INVALID_RESPONSE",
      message: expect.stringContaining("in the middle of an event") as string,
    });
  });

  withRig("is an error when the answer is no stream", async ({ front, server }) => {
    front.script(streams, status(200, { headers: { "content-type": "text/html" }, body: "<title>Sign in</title>" }));
    expect(await errorOf(all(server.streamRun(RUN)))).toMatchObject({
      code: "INVALID_RESPONSE",
      message: expect.stringMatching(/not text\/event-stream, but text\/html$/) as string,
    });
  });

  test.each([
    [503, 1],
    [500, 1],
    [422, 1],
    [429, 2],
  ])("that is refused with %i is asked for %i times", async (code, times) => {
    const { front, server } = await rig();
    front.script(streams, status(code));
    const outcome = await all(server.streamRun(RUN)).catch((error: unknown) => error);
    if (times === 1) expect(outcome).toMatchObject({ code: "HTTP_STATUS", status: code, details: ["No."] });
    else expect(outcome).toEqual(NEWS);
    expect(front.count(streams)).toBe(times);
  });

  withRig("may wait as long for its beginning as one attempt may take", async ({ front, server }) => {
    front.script(streams, status(429, { headers: { "retry-after": "150" } }), 2);
    expect(await all(server.streamRun(RUN, { attemptMilliseconds: 400_000 }))).toEqual(NEWS);
    front.script(streams, status(429, { headers: { "retry-after": "150" } }));
    expect(await errorOf(all(server.streamRun(RUN)))).toMatchObject({ code: "HTTP_STATUS", status: 429 });
  });

  withRig("does not follow a redirect", async ({ front, server }) => {
    const bait = await startFaultServer(() => ({ status: 200 }));
    front.script(streams, redirect(307, bait.url));
    expect(await errorOf(all(server.streamRun(RUN)))).toMatchObject({ code: "REDIRECT" });
    expect(bait.connections).toBe(0);
  });
});

describe("a streamed run that failed", () => {
  withRig("is an error with what the agent says, after the news that came", async ({ front, server }) => {
    const message = `no, ${API_KEY}\nand the rest`;
    const failure = `event: error\ndata: ${JSON.stringify({ error: "ValueError", message })}\n\n`;
    front.script(streams, inPieces([STREAM, failure]));
    const news = server.streamRun(RUN);
    for (const told of NEWS) expect(await news.next()).toEqual({ done: false, value: told });
    const error = await errorOf(news.next());
    expect(error).toBeInstanceOf(RunFailedError);
    expect(error).toMatchObject({ message: "The run of support failed: ValueError: no, ***" });
    expect(textsOf(error).join("\n")).not.toContain(API_KEY);
  });

  test.each([
    ["event: error\ndata: it broke\n\n", "The run of support failed: it broke"],
    ["event: error\ndata:\n\n", "The run of support failed; the agent gave no reason"],
  ])("may say %j", async (failure, message) => {
    const { front, server } = await rig();
    front.script(streams, inPieces([failure]));
    expect(await errorOf(all(server.streamRun(RUN)))).toMatchObject({ message });
  });

  test.each(["close", "reset"] as const)("says so too when the line is cut by a %s behind it", async (ending) => {
    const { front, server } = await rig();
    front.script(streams, inPieces([STREAM, "event: error\ndata: it broke\n\n"], { ending, pause: 30 }));
    const error = await errorOf(all(server.streamRun(RUN)));
    expect(error).toMatchObject({ code: "RUN_FAILED", said: "it broke", cause: { code: "NETWORK" } });
  });

  withRig("may have been repeated by the server, and failed again", async ({ front, server }) => {
    const attempt = (reason: string) => `event: metadata\ndata: {"attempt":1}\n\nevent: error\ndata: ${reason}\n\n`;
    front.script(streams, inPieces([attempt("the first"), attempt("the second"), "event: end\ndata:\n\n"]));
    expect(await errorOf(all(server.streamRun(RUN)))).toMatchObject({ code: "RUN_FAILED", said: "the second" });
  });

  withRig("is no answer when a new attempt has only begun", async ({ front, server }) => {
    front.script(streams, inPieces(['event: error\ndata: it broke\n\nevent: metadata\ndata: {"attempt":2}\n\n']));
    expect(await errorOf(all(server.streamRun(RUN)))).toMatchObject({ code: "RUN_FAILED", said: "it broke" });
  });

  withRig("may stream text that is no JSON, and news without data", async ({ front, server }) => {
    front.script(streams, inPieces(["event: custom\ndata: so far\n\nevent: end\ndata:\n\n"]));
    expect(await all(server.streamRun(RUN))).toEqual([
      { event: "custom", data: "so far", id: undefined },
      { event: "end", data: undefined, id: undefined },
    ]);
  });
});

describe("a streamed run", () => {
  const endingOf = async (...pieces: readonly string[]) => {
    const { front, server } = await rig();
    front.script(streams, inPieces(pieces));
    const news = server.streamRun(RUN);
    const events: string[] = [];
    for (let next = await news.next(); ; next = await news.next()) {
      if (next.done === true) return { events, ending: next.value };
      events.push(next.value.event);
    }
  };
  const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  const STATE = { ...RUN.input, answer: "you" };

  test("tells how it ended", async () => {
    expect((await endingOf(STREAM)).ending).toMatchObject({ kind: "answered", state: { answer: "é" } });
  });

  // Servers before 0.16 sent the error of each attempt.
  test("that failed and then recovered is an answer, with the error among its news", async () => {
    const pieces = [event("error", { error: "TimeoutError" }), event("values", RUN.input), event("values", STATE)];
    const { events, ending } = await endingOf(event("metadata", { attempt: 1 }), ...pieces);
    expect(events).toEqual(["metadata", "error", "values", "values"]);
    expect(ending).toEqual({ kind: "answered", state: STATE });
  });

  test.each<[string, readonly string[], object]>([
    ["that repeats its input", [event("values", RUN.input)], { kind: "empty", state: RUN.input }],
    ["whose last state is null", [event("values", STATE), event("values", null)], { kind: "empty", state: null }],
    [
      "that asks a human",
      [event("values", { ...RUN.input, __interrupt__: [{ value: "Shall I?" }] })],
      { kind: "interrupted" },
    ],
    [
      "that asks a human in its updates",
      [event("updates", { __interrupt__: [{ value: "Shall I?" }] })],
      { kind: "interrupted", state: undefined },
    ],
    [
      "that went on behind a question",
      [event("updates", { __interrupt__: [1] }), event("values", STATE)],
      { kind: "answered" },
    ],
    ["of which no state was asked for", [event("updates", { answer: { text: "you" } })], { kind: "unknown" }],
    ["of which nothing came", [event("metadata", {})], { kind: "unknown" }],
  ])("%s is told from one that answered", async (_what, pieces, ending) => {
    expect((await endingOf(...pieces)).ending).toMatchObject(ending);
  });
});
