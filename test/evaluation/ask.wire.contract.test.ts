import { describe, expect, test } from "vitest";
import { threadIdOf } from "../../src/evaluation/ask.ts";
import { errorOf, inPieces } from "../agent-server/rig.ts";
import { FastClock } from "../wire/clocks.ts";
import { startFaultServer, type Handler } from "../wire/fault-server.ts";
import { stalledHeaders, status, type WireAnswer } from "../wire/faults.ts";
import { askerAt, trialOf, type AskerFacts } from "./asked.ts";

const RUN_ID = "0198c5a4-0000-7000-8000-000000000001";
const EVALUATION = "e-1";
const QUESTION = { question: "why?" };
const STATE = { ...QUESTION, answer: "because" };
const TRIAL = trialOf("c-1", QUESTION);
const THREAD = threadIdOf(EVALUATION, TRIAL);
const STREAM = /\/runs\/stream$/;
const RUNS = /\/runs$/;
const NOT_FOUND = { status: 404, body: { detail: "Not Found" } };

/** What a played agent server says of the one run that it has. */
interface Played {
  /** Its status at each look; the last one stays. */
  readonly run?: readonly string[];
  readonly thread?: readonly string[];
  /** The values of its thread, alike. */
  readonly values?: readonly unknown[];
  /** The text of its stream. */
  readonly stream?: string;
  readonly hasThreads?: boolean;
  readonly graphs?: readonly string[];
  readonly metrics?: WireAnswer;
  /** The runs in its thread. */
  readonly runs?: readonly object[];
}

const event = (name: string, data: unknown) => `event: ${name}\r\ndata: ${JSON.stringify(data)}\r\n\r\n`;
const BEGUN = event("metadata", { run_id: RUN_ID, attempt: 1 });

function play(played: Played): Handler {
  const { stream = BEGUN, hasThreads = true } = played;
  const [run, thread, values] = [
    [...(played.run ?? ["success"])],
    [...(played.thread ?? ["idle"])],
    [...(played.values ?? [STATE])],
  ];
  const next = <Value>(values: Value[]) => (values.length > 1 ? values.shift() : values[0]);
  const { graphs = ["agent"], metrics = NOT_FOUND, runs = [] } = played;
  return ({ method, path }) => {
    if (path === "/ok") return { status: 200, body: { ok: true } };
    if (path === "/info") return { status: 200, body: { version: "0.16.7", host: { host_revision_id: "r-1" } } };
    if (path === "/metrics") return metrics;
    if (path === "/assistants/search") {
      const found = graphs.map((graph_id) => ({
        assistant_id: graph_id,
        graph_id,
        metadata: { created_by: "system" },
      }));
      return { status: 200, body: found };
    }
    if (path.startsWith("/threads") && !hasThreads) return NOT_FOUND;
    if (path === "/threads/search") return { status: 200, body: [] };
    if (path.endsWith("/runs/stream")) {
      const location = path.startsWith("/threads") ? { "content-location": `${path.slice(0, -7)}/${RUN_ID}` } : {};
      return { status: 200, headers: { "content-type": "text/event-stream", ...location }, body: stream };
    }
    if (path.endsWith("/runs")) return { status: 200, body: runs };
    if (path.endsWith("/join")) return { status: 200, body: {} };
    if (path.endsWith("/cancel")) return { status: 204 };
    if (path.includes("/runs/")) return { status: 200, body: { run_id: RUN_ID, thread_id: THREAD, status: next(run) } };
    if (method === "DELETE") return { status: 204 };
    if (path.endsWith("/state")) return { status: 200, body: { values: {}, tasks: [] } };
    return { status: 200, body: { thread_id: THREAD, status: next(thread), values: next(values) } };
  };
}

async function rig(played: Played = {}, facts: AskerFacts = {}) {
  const front = await startFaultServer(play(played));
  const clock = new FastClock();
  const asking = askerAt(front.url, { clock, ...facts });
  await asking.asker.meet();
  front.reset();
  const ask = async (trial = TRIAL) => await asking.asker.ask(trial, { evaluation: EVALUATION });
  const asked = () =>
    front.requests.map(({ method, path }) => `${method} ${path.replace(THREAD, "T").replace(RUN_ID, "R")}`);
  return { ...asking, front, clock, ask, asked };
}

const FOUND = { run_id: RUN_ID, thread_id: THREAD, status: "success", metadata: { turn: 0 } };

describe("a trial", () => {
  test("ends after it began, also where the clock of the machine is set back meanwhile", async () => {
    const dates = [60_000, 1_000];
    const clock = Object.assign(new FastClock(), { date: () => new Date(dates.shift() ?? 0) });
    const { ask } = await rig({}, { clock });
    const { startedAt, endedAt } = await ask();
    expect(startedAt).toEqual(new Date(60_000));
    expect(endedAt.getTime()).toBeGreaterThanOrEqual(60_000);
  });

  test("takes three requests besides its stream, with its thread, and says which trial it is", async () => {
    const run = { config: { tags: ["a"] }, metadata: { team: "b", case: "mine" }, input: "not this" };
    const { asker, front, asked } = await rig({}, { run });
    const headers = { traceparent: "00-1-2-01" };
    expect(await asker.ask(TRIAL, { evaluation: EVALUATION, headers, traceId: "t-1" })).toMatchObject({
      ...{ outcome: "answered", error: "", state: STATE, isUnverified: false },
      ...{ runId: RUN_ID, threadId: THREAD, inFlight: 1, traceId: "t-1" },
    });
    await asker.remove(THREAD);
    expect(asked()).toEqual([
      "POST /threads/T/runs/stream",
      "GET /threads/T/runs/R",
      "GET /threads/T",
      "DELETE /threads/T",
    ]);
    expect(JSON.parse(front.requests[0]?.body.toString() ?? "")).toEqual({
      assistant_id: "agent",
      input: QUESTION,
      config: { tags: ["a"] },
      metadata: { team: "b", evaluation: EVALUATION, case: "c-1", trial: 0, attempt: 1, turn: 0 },
      if_not_exists: "create",
      multitask_strategy: "reject",
      on_disconnect: "continue",
      durability: "exit",
      stream_mode: "messages-tuple",
    });
    expect(front.requests[0]?.headers).toMatchObject(headers);
  });

  test("has a thread of its own for each repetition and attempt, the same in each process", () => {
    const trials = [TRIAL, { ...TRIAL, repetition: 1 }, { ...TRIAL, attempt: 2 }, trialOf("c-2", QUESTION)];
    const ids = [...trials.map((trial) => threadIdOf(EVALUATION, trial)), threadIdOf("e-2", TRIAL)];
    expect(new Set(ids).size).toBe(5);
    expect(THREAD).toBe("2a0966cd-78d2-541f-b2da-4815a04a8446");
  });

  test("says when its run began, when its first message came, and when it ended", async () => {
    let looks = 0;
    const clock = new FastClock();
    // It moves by one at each look.
    clock.now = () => (looks += 1);
    const stream = BEGUN + event("messages", [{ type: "AIMessageChunk" }, {}]) + event("messages", []);
    const front = await startFaultServer(play({ stream }));
    const { asker } = askerAt(front.url, { clock });
    await asker.meet();
    expect(await asker.ask(TRIAL, { evaluation: EVALUATION })).toMatchObject({
      ...{ outcome: "answered", queuedMilliseconds: 1, firstTokenMilliseconds: 1, runMilliseconds: 3 },
    });
  });
});

describe("a server that has too many runs", () => {
  test("is asked again when it says, with half of the lanes, and it is told once", async () => {
    const { front, ask, clock, lanes, events, asked } = await rig();
    front.script({ path: STREAM }, status(429, { headers: { "retry-after": "7" }, body: {} }));
    front.script({ path: STREAM }, status(503, { headers: { "retry-after": "3600" }, body: {} }));
    expect(await ask()).toMatchObject({ outcome: "answered" });
    expect(clock.sleeps).toHaveLength(2);
    expect(clock.sleeps[0]).toBeGreaterThanOrEqual(7_000);
    expect(clock.sleeps[1]).toBe(60_000);
    // Behind a 503 the run may have begun.
    expect(asked().slice(0, 4)).toEqual([
      "POST /threads/T/runs/stream",
      "POST /threads/T/runs/stream",
      "GET /threads/T/runs",
      "POST /threads/T/runs/stream",
    ]);
    expect([lanes.concurrency, events.filter(({ type }) => type === "slowed")]).toEqual([
      2,
      [
        { type: "slowed", concurrency: 4 },
        { type: "slowed", concurrency: 2 },
      ],
    ]);
  });

  test("is left after five minutes", async () => {
    const { front, ask, clock } = await rig();
    const refused = status(429, { headers: { "retry-after": "50" }, body: { detail: "slow down" } });
    front.script({ path: STREAM }, refused, Number.POSITIVE_INFINITY);
    expect(await ask()).toMatchObject({
      outcome: "unreachable",
      runId: "",
      error: expect.stringContaining("429") as string,
    });
    expect(clock.sleeps).toHaveLength(6);
    expect(front.count({ path: STREAM })).toBe(7);
  });

  test("is asked again also where it waited long for the runs before it", async () => {
    const { front, ask, clock, lanes, cancel } = await rig({}, { concurrency: 1 });
    front.script({ path: STREAM }, status(429), 1);
    const lane = await lanes.take(cancel.signal);
    const asked = ask();
    // It waits for its lane by then.
    await clock.sleep(1);
    await clock.sleep(600_000);
    lane[Symbol.dispose]();
    expect(await asked).toMatchObject({ outcome: "answered" });
    expect(front.count({ path: STREAM })).toBe(2);
  });

  test("is not asked by who waits when the evaluation is cancelled", async () => {
    const { front, ask, clock, cancel } = await rig();
    front.script({ path: STREAM }, status(429), Number.POSITIVE_INFINITY);
    clock.meanwhile = async () => {
      cancel.abort();
      await Promise.resolve();
    };
    expect(await ask()).toMatchObject({ outcome: "cancelled" });
    expect(front.count({ path: STREAM })).toBe(1);
    expect(await ask()).toMatchObject({ outcome: "cancelled", inFlight: 0 });
    expect(front.count({ path: STREAM })).toBe(1);
  });
});

describe("a run that the server refuses or loses", () => {
  test.each([401, 403, 404, 409, 500])("is unreachable after %i, and asked once", async (code) => {
    const { front, ask } = await rig();
    front.script({ path: STREAM }, status(code, { body: { detail: "not today" } }), Number.POSITIVE_INFINITY);
    expect(await ask()).toMatchObject({
      ...{ outcome: "unreachable", state: undefined },
      error: expect.stringContaining(String(code)) as string,
    });
    expect(front.count({ path: STREAM })).toBe(1);
  });

  test.each([400, 413, 422])("is not taken for what it was sent after %i, and asked once", async (code) => {
    const { front, ask } = await rig();
    front.script({ path: STREAM }, status(code, { body: { detail: "no messages" } }), Number.POSITIVE_INFINITY);
    const asked = await ask();
    expect(asked).toMatchObject({ outcome: "unasked", state: undefined, runId: "" });
    expect(asked.error).toMatch(/^The server rejects what the run was sent: .*no messages/);
    expect(front.count({ path: STREAM })).toBe(1);
  });

  test("is followed if a later look shows it behind a request that failed", async () => {
    const { front, ask, clock } = await rig({ runs: [FOUND] });
    front.script({ path: STREAM }, status(503));
    front.script({ path: RUNS }, status(503), 3);
    expect(await ask()).toMatchObject({ outcome: "answered", runId: RUN_ID, state: STATE });
    expect(front.count({ path: STREAM })).toBe(1);
    expect(clock.sleeps).toEqual([1_000, 1_000, 1_000]);
  });

  test("is not begun again as long as no look shows whether it is there", async () => {
    const { front, ask } = await rig();
    front.script({ path: STREAM }, status(503));
    front.script({ path: RUNS }, status(503), Number.POSITIVE_INFINITY);
    expect(await ask()).toMatchObject({ outcome: "unreachable", error: expect.stringContaining("503") as string });
    expect(front.count({ path: STREAM })).toBe(1);
  });

  test.each([
    ["does not list it", 0],
    ["cannot list it", Number.POSITIVE_INFINITY],
  ])("is unverified if it was taken without an id by a server that %s", async (_what, times) => {
    const { front, ask } = await rig();
    const taken = { "content-type": "text/event-stream" };
    front.script({ path: STREAM }, status(200, { headers: taken, body: event("metadata", {}) }));
    front.script({ path: RUNS }, status(500), times);
    const error = "The server took the run, and nothing tells its id.";
    expect(await ask()).toMatchObject({ outcome: "unverified", error, runId: "" });
  });

  test("is looked for, and its thread is removed, in ten seconds a request", async () => {
    const httpClock = new FastClock();
    const { front, ask, asker } = await rig({ runs: [FOUND] }, { httpClock });
    front.onStall = () => {
      httpClock.pass(10_000);
    };
    front.script({ path: STREAM }, status(502));
    front.script({ path: RUNS }, stalledHeaders);
    expect(await ask()).toMatchObject({ outcome: "answered", runId: RUN_ID });
    front.script({ method: "DELETE" }, stalledHeaders);
    await expect(asker.remove(THREAD)).rejects.toThrow("did not respond within 10 s");
  });

  test("is followed if it is there although its request failed", async () => {
    const { front, ask, asked } = await rig({ runs: [{ ...FOUND, run_id: THREAD, metadata: { turn: 3 } }, FOUND] });
    front.script({ path: STREAM }, status(502));
    expect(await ask()).toMatchObject({ outcome: "answered", runId: RUN_ID, state: STATE });
    expect(asked()).toEqual([
      "POST /threads/T/runs/stream",
      "GET /threads/T/runs",
      "GET /threads/T/runs",
      "GET /threads/T/runs/R",
      "GET /threads/T",
    ]);
  });

  test("is unverified when it is gone, or has a status that is not known", async () => {
    const gone = await rig();
    gone.front.script({ path: /\/runs\/[\w-]+$/, method: "GET" }, status(404), Number.POSITIVE_INFINITY);
    expect(await gone.ask()).toMatchObject({ outcome: "unverified", error: expect.stringContaining("404") as string });
    const odd = await rig({ run: ["pondering"] });
    expect(await odd.ask()).toMatchObject({ outcome: "unverified", error: "The status of the run is pondering." });
  });

  test("took too long if the server says so", async () => {
    const { ask } = await rig({ run: ["timeout"] });
    expect(await ask()).toMatchObject({
      outcome: "timeout",
      error: expect.stringContaining("The server ended") as string,
    });
  });

  test("is unreachable when nobody tells how it ended, and is cancelled as far as that can be", async () => {
    const { front, ask } = await rig();
    front.script({ method: "GET" }, status(403), Number.POSITIVE_INFINITY);
    expect(await ask()).toMatchObject({
      outcome: "unreachable",
      runId: RUN_ID,
      runMilliseconds: expect.any(Number) as number,
    });
    expect(front.count({ method: "POST", path: /\/cancel$/ })).toBe(1);
  });

  test("does not get the key of another origin", async () => {
    const other = await startFaultServer(play({}));
    const { front, ask } = await rig({}, { apiKey: "key-0123456789abcdef" });
    const location = `${other.url}/threads/${THREAD}/runs/stream`;
    front.script({ path: STREAM }, status(307, { headers: { location } }));
    expect(await ask()).toMatchObject({ outcome: "unreachable" });
    expect(other.connections).toBe(0);
  });
});

describe("a run that is followed", () => {
  const LEFT = { threadId: THREAD, evaluation: EVALUATION, caseId: "c-1", repetition: 0, attempt: 1, status: "busy" };

  test("has no time in a queue counted", async () => {
    const { asker, clock } = await rig(
      { runs: [FOUND], run: [...Array.from({ length: 9 }, () => "pending"), "running", "success"] },
      { timeoutMilliseconds: 350 },
    );
    expect(await asker.join(TRIAL, LEFT)).toMatchObject({
      outcome: "answered",
      state: STATE,
      runMilliseconds: undefined,
    });
    expect(clock.sleeps).toHaveLength(10);
  });

  test("takes too long once it has run for that time, and is cancelled", async () => {
    const { asker, front } = await rig({ runs: [FOUND], run: ["pending", "running"] }, { timeoutMilliseconds: 350 });
    expect(await asker.join(TRIAL, LEFT)).toMatchObject({ outcome: "timeout", runId: RUN_ID });
    expect(front.count({ method: "GET", path: new RegExp(`/${RUN_ID}$`) })).toBe(6);
    expect(front.count({ path: /\/cancel$/ })).toBe(1);
  });

  test("is looked at again while its thread is not done with it", async () => {
    const { ask } = await rig({ thread: ["busy", "idle"], values: [null, STATE] });
    expect(await ask()).toMatchObject({ outcome: "answered", state: STATE });
  });

  test("has the time behind a stream that was cut counted", async () => {
    const { ask, front } = await rig({ run: ["running", "running", "success"] });
    front.script({ path: STREAM }, inPieces([BEGUN], { ending: "close" }));
    expect(await ask()).toMatchObject({ outcome: "answered", runMilliseconds: 200 });
  });
});

describe("a turn", () => {
  const says = (content: string) => ({ role: "user", content });
  const CHAT = trialOf("c-1", { messages: [says("one")] }, { messages: [says("two")] });
  const UNSHOWN = "Nothing shows what the run added to its thread.";
  const FIRST = { messages: [says("one"), { type: "ai", content: "1" }] };
  const LEFT = { threadId: THREAD, evaluation: EVALUATION, caseId: "c-1", repetition: 0, attempt: 1, status: "idle" };

  test("that adds nothing to what the thread held, and its own input, is empty", async () => {
    const { ask } = await rig({ values: [FIRST, { messages: [...FIRST.messages, says("two")] }] });
    expect(await ask(CHAT)).toMatchObject({ outcome: "empty" });
    const again = await rig({
      values: [FIRST, { messages: [...FIRST.messages, says("two"), { type: "ai", content: "1" }] }],
    });
    expect(await again.ask(CHAT)).toMatchObject({ outcome: "answered" });
  });

  test.each([
    ["an answer behind its input", "answered", "", [says("two"), { type: "ai", content: "1" }]],
    ["nothing behind its input", "unverified", UNSHOWN, [{ type: "human", content: "two", id: "m-2" }]],
    ["an empty message behind its input", "unverified", UNSHOWN, [says("two"), { type: "ai", content: "" }]],
    ["no message of its input", "unverified", UNSHOWN, [{ type: "ai", content: "2" }]],
  ])("that is the last one of a trial that is joined, with %s, is %s", async (_what, outcome, error, added) => {
    const runs = [FOUND, { ...FOUND, run_id: THREAD, metadata: { turn: 1 } }];
    const { asker, front } = await rig({ runs, values: [{ messages: [...FIRST.messages, ...added] }] });
    front.script(
      { path: new RegExp(`/runs/${THREAD}$`) },
      status(200, { body: { run_id: THREAD, thread_id: THREAD, status: "success" } }),
    );
    expect(await asker.join(CHAT, LEFT)).toMatchObject({ outcome, error, runId: THREAD });
    expect(front.count({ path: STREAM })).toBe(0);
  });

  test("that is joined in a graph without messages is unverified, for one that did nothing leaves the same", async () => {
    const runs = [FOUND, { ...FOUND, run_id: THREAD, metadata: { turn: 1 } }];
    // The answer of the first turn; or that of the second, which is equal.
    const { asker, front } = await rig({ runs, values: [{ question: "two", answer: "yes" }] });
    const path = new RegExp(`/runs/${THREAD}$`);
    front.script({ path }, status(200, { body: { run_id: THREAD, thread_id: THREAD, status: "success" } }));
    const turns = trialOf("c-1", { question: "one" }, { question: "two" });
    expect(await asker.join(turns, LEFT)).toMatchObject({ outcome: "unverified", error: UNSHOWN });
  });

  test("has no time that is known once an earlier process asked one before it", async () => {
    const times = { queuedMilliseconds: undefined, runMilliseconds: undefined, firstTokenMilliseconds: undefined };
    const { asker, ask } = await rig({
      runs: [FOUND],
      values: [FIRST, { messages: [...FIRST.messages, ...FIRST.messages] }],
    });
    expect(await asker.join(CHAT, LEFT)).toMatchObject({ outcome: "answered", ...times });
    expect(await ask(CHAT)).toMatchObject({ runMilliseconds: expect.any(Number) as number });
  });

  test("that may be open is cancelled before its thread is removed", async () => {
    const open = { ...FOUND, status: "running" };
    const { ask, asker, front, asked } = await rig({ values: [FIRST], run: ["success", "pondering"], runs: [open] });
    expect(await ask(CHAT)).toMatchObject({ outcome: "unverified" });
    front.reset();
    await asker.remove(THREAD);
    expect(asked()).toEqual([
      "GET /threads/T/runs",
      "GET /threads/T/runs",
      "POST /threads/T/runs/R/cancel",
      "DELETE /threads/T",
    ]);
  });
});

describe("the threads that are left", () => {
  test("are those of the evaluation, also where the server passes over the filter", async () => {
    const { asker, front } = await rig();
    const thread = (thread_id: string, metadata: object | null) => ({ thread_id, status: "idle", metadata });
    const others = [thread("a", { user: "b" }), thread("b", { evaluation: "e-2" }), thread("c", null)];
    const ours = thread(THREAD, { evaluation: EVALUATION, case: "c-1", trial: 0, attempt: 1 });
    front.script({ path: /\/search$/ }, status(200, { body: [...others, ours] }));
    expect(await asker.left(EVALUATION)).toMatchObject([{ threadId: THREAD, caseId: "c-1" }]);
  });
});

describe("a state", () => {
  test("may be nested deeper than the stack", { tags: "slow" }, async () => {
    const depth = 50_000;
    const front = await startFaultServer((request) => {
      if (request.path !== `/threads/${THREAD}` || request.method !== "GET") return play({})(request);
      const body = `{"thread_id":"${THREAD}","status":"idle","values":{"deep":${"[".repeat(depth)}1${"]".repeat(depth)}}}`;
      return { status: 200, headers: { "content-type": "application/json" }, body };
    });
    const { asker } = askerAt(front.url);
    await asker.meet();
    expect((await asker.ask(TRIAL, { evaluation: EVALUATION })).outcome).toBe("answered");
  });

  test("that is too large to be read is not verified", { tags: "slow" }, async () => {
    const { ask } = await rig({ values: [{ answer: "a".repeat(17 * 1024 * 1024) }] });
    const asked = await ask();
    expect(asked).toMatchObject({ outcome: "unverified", state: undefined });
    expect(asked.error).toContain("UND_ERR_RES_EXCEEDED_MAX_SIZE");
  });
});

describe("a server without threads", () => {
  const VALUES = event("values", QUESTION) + event("values", STATE);
  const alone = async (stream: string, allowUnverified = false) =>
    await rig({ hasThreads: false, stream }, { allowUnverified });

  test("is told of, and no answer of it counts unless that is allowed", async () => {
    const { ask, asker, events, asked, front } = await alone(BEGUN + VALUES);
    expect(events).toEqual([{ type: "stateless" }]);
    expect(await ask()).toMatchObject({
      ...{ outcome: "unverified", state: undefined, isUnverified: false },
      error: "Without threads, nothing shows how the run ended.",
    });
    await asker.remove(THREAD);
    expect(await asker.left(EVALUATION)).toEqual([]);
    expect(asked()).toEqual(["POST /runs/stream"]);
    expect(JSON.parse(front.requests[0]?.body.toString() ?? "")).toMatchObject({
      ...{ on_disconnect: "cancel", stream_mode: ["values", "messages-tuple"] },
    });
    const allowed = await alone(BEGUN + VALUES, true);
    expect(await allowed.ask()).toMatchObject({ outcome: "answered", error: "", state: STATE, isUnverified: true });
  });

  test.each([
    ["repeats its input", BEGUN + event("values", QUESTION), "nothing beyond its input"],
    ["asks a human", BEGUN + event("values", { ...STATE, __interrupt__: [{ value: "?" }] }), "asks a human"],
    ["ends with an error", BEGUN + VALUES + event("error", { error: "E", message: "no key" }), "E: no key"],
    ["has no state", BEGUN, "The stream had no state."],
    ["is cut", `${BEGUN + VALUES}event: val`, "ends in the middle of an event"],
  ])("does not count a stream that %s, even if that is allowed", async (_what, stream, said) => {
    const { ask } = await alone(stream, true);
    const asked = await ask();
    expect(asked).toMatchObject({ outcome: "unverified", isUnverified: false });
    expect(asked.error).toContain(said);
  });

  test("counts an answer after an error that the run recovers from", async () => {
    const { ask } = await alone(BEGUN + event("error", { error: "E" }) + VALUES, true);
    expect(await ask()).toMatchObject({ outcome: "answered", state: STATE });
  });

  test("cannot be asked a case of several turns", async () => {
    const { ask, front } = await alone(BEGUN + VALUES, true);
    const asked = await ask(trialOf("c-1", QUESTION, QUESTION));
    expect(asked).toMatchObject({ outcome: "unasked", error: expect.stringContaining("several turns") as string });
    expect(front.requests).toEqual([]);
  });
});

describe("before the first trial", () => {
  const meet = async (played: Played, facts: AskerFacts = {}) => {
    const front = await startFaultServer(play(played));
    const asking = askerAt(front.url, facts);
    return { ...asking, front, met: async () => await asking.asker.meet() };
  };

  test("the server says what it is, and how many runs it works on bounds the lanes", async () => {
    const metrics = { status: 200, body: { workers: { max: 3, active: 1 } } };
    const { met, lanes, front } = await meet({ metrics });
    const server = { version: "0.16.7", revisionId: "r-1", workers: 3 };
    expect(await met()).toEqual({ server, graph: "agent" });
    expect(lanes.concurrency).toBe(3);
    expect(front.requests.find(({ path }) => path === "/metrics")?.target).toBe("/metrics?format=json");
  });

  test.each([
    ["no metrics", NOT_FOUND],
    ["metrics as text", { status: 200, headers: { "content-type": "text/plain" }, body: "# HELP runs\n" }],
    ["no number of workers", { status: 200, body: { workers: { max: "many" } } }],
    ["no workers", { status: 200, body: { workers: { max: 0 } } }],
  ])("a server with %s bounds nothing", async (_what, metrics) => {
    const { met, lanes } = await meet({ metrics });
    expect((await met()).server.workers).toBeUndefined();
    expect(lanes.concurrency).toBe(8);
  });

  test("the only graph is meant when none is named", async () => {
    const { met } = await meet({ graphs: ["support"] }, { graph: undefined });
    expect(await met()).toMatchObject({ graph: "support" });
  });

  test.each([
    ["more than one graph", ["a", "b"], undefined, 'serves more than one graph: "a", "b"'],
    ["no graph", [], undefined, "serves no graph"],
    ["another graph", ["a"], "c", 'has no graph "c"'],
  ])("a server with %s is refused", async (_what, graphs, graph, said) => {
    const { met } = await meet({ graphs }, { graph });
    const error = await errorOf(met());
    expect(error).toMatchObject({ code: "UNKNOWN_ASSISTANT" });
    expect(String(error)).toContain(said);
  });

  test("a server that is not well is refused", async () => {
    const { met, front } = await meet({});
    front.script({ path: /\/ok$/ }, status(403), Number.POSITIVE_INFINITY);
    expect(await errorOf(met())).toMatchObject({ status: 403 });
  });
});
