import { testWith } from "../test-with.ts";
import { describe, expect, test } from "vitest";
import { RunFailedError } from "../../src/agent-server/errors.ts";
import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import { mayHaveBeenProcessed } from "../../src/http/errors.ts";
import { status, statusAfter } from "../wire/faults.ts";
import { isSentence, textsOf } from "../wire/texts-of.ts";
import { FAULT_TABLE } from "../control-plane/fault-table.ts";
import { API_KEY } from "../control-plane/rig.ts";
import { agentRig, errorOf, inPieces } from "./rig.ts";

const RUN = { assistant_id: "support", input: { question: "who?" } };
const STATE = { question: "who?", answer: "you" };
const waits = { method: "POST", path: /^\/runs\/wait$/ };

const rig = () => agentRig(() => ({ status: 200, body: STATE }));
const withRig = testWith(rig);

describe("a run that waits", () => {
  withRig("answers the final state, and is sent with the key as it was given", async ({ front, server }) => {
    const run = { ...RUN, config: { configurable: { tone: "dry" } }, metadata: { by: "ci" } };
    expect(await server.runAndWait(run)).toEqual(STATE);
    expect(front.requests).toHaveLength(1);
    expect(front.requests[0]).toMatchObject({ method: "POST", target: "/runs/wait" });
    expect(front.requests[0]?.headers).toMatchObject({ "x-api-key": API_KEY, "content-type": "application/json" });
    expect(JSON.parse(front.requests[0]?.body.toString() ?? "")).toEqual(run);
  });

  test.each([["null"], ["[]"], ['{"__error__":null}'], ['"text"']])("may end in the state %s", async (state) => {
    const { front, server } = await rig();
    front.script(waits, statusAfter(200, { headers: { "content-type": "application/json" }, body: state }));
    expect(await server.runAndWait(RUN)).toEqual(JSON.parse(state));
  });

  // As two public servers do.
  test("may come as plain text, after line breaks that say that it continues", { tags: "slow" }, async () => {
    const { front, server } = await rig();
    const pieces = ["\n", "\n", "\n", JSON.stringify(STATE).slice(0, 7), JSON.stringify(STATE).slice(7)];
    front.script(waits, inPieces(pieces, { type: "text/plain;charset=UTF-8", pause: 30 }));
    expect(await server.runAndWait(RUN, { stallMilliseconds: 5_000 })).toEqual(STATE);
  });

  test("ends when its time is over although the server shows that it lives", { tags: "slow" }, async () => {
    const { front, server, clock } = await rig();
    const beats = Array.from({ length: 50 }, () => "\n");
    const onPiece = () => clock.pass(10_000);
    front.script(waits, inPieces(beats, { type: "application/json", pause: 5, onPiece }), Infinity);
    const error = await errorOf(server.runAndWait(RUN, { attemptMilliseconds: 300_000 }));
    expect(error).toMatchObject({ code: "TIMEOUT", mayHaveBeenProcessed: true });
    expect(front.count(waits)).toBe(1);
  });

  withRig("without a state is no success", async ({ front, server }) => {
    front.script(waits, inPieces(["\n", "\n"], { type: "application/json" }));
    expect(await errorOf(server.runAndWait(RUN))).toMatchObject({ code: "INVALID_RESPONSE" });
    front.script(waits, status(204, {}));
    expect(await errorOf(server.runAndWait(RUN))).toMatchObject({ code: "INVALID_RESPONSE" });
  });

  withRig("that is cancelled hangs up", async ({ front, server, cancel }) => {
    front.script(waits, inPieces([], { ending: "silent" }));
    const waiting = errorOf(server.runAndWait(RUN));
    await expect.poll(() => front.count(waits)).toBe(1);
    cancel.abort(new Error("enough"));
    expect(await waiting).toMatchObject({ message: "enough" });
  });
});

describe("a run that failed", () => {
  const fail = async (failure: unknown) => {
    const { front, server } = await rig();
    front.script(waits, statusAfter(200, { body: { __error__: failure } }));
    const error = await errorOf(server.runAndWait(RUN));
    expect(front.count(waits)).toBe(1);
    if (!(error instanceof RunFailedError)) expect.fail(`it is ${String(error)}`);
    return error;
  };

  test("is an error that says what the agent says, although the server answers 200", async () => {
    const error = await fail({ error: "ValueError", message: "node exploded" });
    expect(error).toBeInstanceOf(GraphDeployError);
    expect(error).toMatchObject({ code: "RUN_FAILED", error: "ValueError", said: "node exploded" });
    expect(error.message).toBe("The run of support failed: ValueError: node exploded");
  });

  test.each([
    ["a kind alone", { error: "KeyError" }, "KeyError"],
    ["a message alone", { message: "no" }, "no"],
    ["nulls", { error: null, message: "no" }, "no"],
    ["text", "it broke", "it broke"],
    ["numbers", { error: 1 }, '{"error":1}'],
    // As the public JS server does.
    [
      "its own in another",
      { error: "Error", message: '{"error":"TypeError","message":"no\\nand more"}' },
      "TypeError: no",
    ],
    ["JSON of its own", { error: "Error", message: '{"code":7}' }, 'Error: {"code":7}'],
    ["JSON that is no object", { error: "Error", message: "7" }, "Error: 7"],
  ])("may say %s", async (_what, failure, said) => {
    expect((await fail(failure)).message).toBe(`The run of support failed: ${said}`);
  });

  withRig("may say what is too deep to be shown", async ({ front, server }) => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    front.script(waits, statusAfter(200, { body: `{"__error__":${deep}}` }));
    expect(await errorOf(server.runAndWait(RUN))).toMatchObject({
      code: "RUN_FAILED",
      message: "The run of support failed: too deep to be shown",
    });
  });

  test("may say nothing", async () => {
    expect((await fail({})).message).toBe("The run of support failed; the agent gave no reason");
  });

  test("says one line of bounded length, without our key, and not the input that a checker repeats", async () => {
    const message = `1 validation error for State ${API_KEY} \u001b[31m${"x".repeat(5_000)}\nquestion: input was 'my secret question'`;
    const error = await fail({ error: `Error\u202e ${API_KEY}`, message });
    const texts = textsOf(error).join("\n");
    expect(texts).not.toContain(API_KEY);
    expect(texts).not.toContain("my secret question");
    expect(error.message.length).toBeLessThan(1_200);
    expect(error.message).not.toMatch(/\p{C}/u);
    expect(error.message).toMatch(/^The run of support failed: Error \*\*\*: 1 validation error for State \*\*\* x+…$/);
  });

  test("says more than a bracket when its message begins with one", async () => {
    expect((await fail({ error: "ZError", message: '[\n  { "path": ["a"] }\n]' })).said).toBe(
      '[   { "path": ["a"] } ]',
    );
  });
});

test.each<[string, unknown, string]>([
  ["null", null, "empty"],
  ["nothing", {}, "empty"],
  ["the input", RUN.input, "empty"],
  ["an answer", STATE, "answered"],
  ["a question to a human", { ...STATE, __interrupt__: [{ value: "Shall I?", id: "1" }] }, "interrupted"],
  ["an empty list of questions", { ...STATE, __interrupt__: [] }, "answered"],
  ["the input and an empty list of questions", { ...RUN.input, __interrupt__: [] }, "empty"],
  ["a failure", { __error__: { error: "ValueError" } }, "failed"],
])("how a run ended is told from its final state: %s", async (_what, state, kind) => {
  const { front, server } = await rig();
  expect(server.ending(state, RUN).kind).toBe(kind);
  expect(front.requests).toEqual([]);
});

describe("a run is never sent blindly again", () => {
  test.each(FAULT_TABLE)("$name", async ({ fault, stalls }) => {
    const { front, server, clock, notices } = await rig();
    front.script(waits, fault);
    front.onStall = () => clock.pass(300_000);
    const outcome = await server.runAndWait(RUN, { attemptMilliseconds: 300_000 }).catch((error: unknown) => error);
    // The server says of 425 and 429 that it did not look; whatever else went wrong may have run.
    if (front.count(waits) > 1) {
      expect(notices).toMatchObject([{ reason: expect.stringMatching(/^status (425|429)$/) as string }]);
      expect(outcome).toEqual(STATE);
      return;
    }
    expect(outcome).toBeInstanceOf(GraphDeployError);
    if (stalls === true) expect(mayHaveBeenProcessed(outcome)).toBe(true);
    expect(textsOf(outcome).join("\n")).not.toContain(API_KEY);
    if (outcome instanceof Error) expect(outcome.message).toSatisfy(isSentence);
  });

  withRig("but is when nobody was there to take it", async ({ front, server }) => {
    const gone = Promise.withResolvers<undefined>();
    const back = front.away(gone.promise);
    expect(await server.runAndWait(RUN).catch((error: unknown) => error)).toMatchObject({
      code: "NETWORK",
      mayHaveBeenProcessed: false,
    });
    gone.resolve(undefined);
    await back;
    expect(front.count(waits)).toBe(0);
  });

  withRig("and what an agent server says in plain text is reported", async ({ front, server }) => {
    front.script(waits, status(500, { headers: { "content-type": "text/plain" }, body: "Internal Server Error" }));
    await expect(server.runAndWait(RUN)).rejects.toThrow(/\/runs\/wait returned 500: Internal Server Error$/);
    expect(front.count(waits)).toBe(1);
  });

  test("nor are the lines reported in which a server repeats the input that it refuses", async () => {
    const { front, server } = await rig();
    const detail = "'input' is wrong\n\nOn instance['input']:\n    'my secret question'";
    front.script(waits, status(422, { body: { detail } }));
    const error = await errorOf(server.runAndWait(RUN));
    expect(textsOf(error).join("\n")).not.toContain("my secret question");
    expect(error).toMatchObject({ status: 422 });
  });
});
