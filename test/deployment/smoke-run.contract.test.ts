import { readFile } from "node:fs/promises";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import {
  ArgumentsError,
  deploy,
  follow,
  PlanError,
  VerifyError,
  type DeployRequest,
  type SmokeRun,
} from "../../src/index.ts";
import type { FaultRule } from "../../src/local/index.ts";
import { FastClock } from "../wire/clocks.ts";
import { isSentence, textsOf } from "../wire/texts-of.ts";
import { withRig, rig, type Rig } from "./rig.ts";

const INPUT = { question: "who?" };
const RUN: SmokeRun = { graph: "support", input: INPUT, expect: [] };
const WAIT = { server: "agent", method: "POST", path: "/runs/wait" } as const;

const runsOf = ({ service }: Rig) =>
  service.requests.filter(({ server, path }) => server === "agent" && path.startsWith("/runs/"));
const answer = (body: unknown, more: object = {}): FaultRule => ({
  match: WAIT,
  times: Infinity,
  do: { kind: "answer", status: 200, body: body as object, ...more },
});

/** The error of a deploy whose smoke run does not go well; it is made once, and the revision serves. */
async function failing(parts: Rig, smokeRun: SmokeRun, change: Partial<DeployRequest> = {}): Promise<Error> {
  const error: unknown = await parts.deploy({ smokeRun, ...change }).catch((thrown: unknown) => thrown);
  if (!(error instanceof VerifyError)) expect.fail(`it is ${String(error)}`);
  expect(error.outcome).toBe("failed");
  expect(error.message).toMatch(/^support-agent: revision [0-9a-f-]{36} is DEPLOYED, but the smoke run /);
  expect(error.message).toSatisfy(isSentence);
  expect(parts.service.deployments()[0]?.active_revision_id).not.toBeNull();
  expect(parts.of("agent-answered")).toEqual([]);
  expect(parts.of("ended")).toHaveLength(1);
  return error;
}

describe("a smoke run", () => {
  test("is made once, after the agent is seen to serve, and is reported with its time", { tags: "slow" }, async () => {
    const parts = await rig();
    const expecting = ["built-in agent", "$.question: /^who\\?$/"];
    expect(await parts.deploy({ smokeRun: { ...RUN, expect: expecting } })).toMatchObject({ outcome: "deployed" });
    const runs = runsOf(parts);
    expect(runs.map(({ json }) => json)).toEqual([{ assistant_id: "support", input: INPUT }]);
    expect(parts.service.requests.filter(({ server }) => server === "agent").at(-1)).toBe(runs[0]);
    expect(parts.of("agent-answered")).toMatchObject([
      { graphs: { served: 2, expected: 2 }, run: { milliseconds: expect.any(Number) as number } },
    ]);
  });

  withRig("is not made where none is asked for", async (parts) => {
    await parts.deploy();
    expect(runsOf(parts)).toEqual([]);
  });

  withRig("is never made in a dry run", async (parts) => {
    await parts.deploy();
    await parts.dryRun({ smokeRun: RUN });
    expect(runsOf(parts)).toEqual([]);
  });

  withRig("waits for an agent that is still starting", async (parts) => {
    parts.service.faults.add({
      match: { server: "agent", path: "/ok" },
      times: 5,
      do: { kind: "answer", status: 503, body: { detail: "starting" } },
    });
    await parts.deploy({ smokeRun: RUN });
    expect(runsOf(parts)).toHaveLength(1);
  });

  test("is of the only graph when none is named", async () => {
    const parts = await rig(
      {},
      { "graph.json": '{"graphs":{"only":"./a.py:graph"},"dependencies":["."]}', "a.py": "" },
    );
    await parts.deploy({ smokeRun: { input: INPUT, expect: [] } });
    expect(runsOf(parts)[0]?.json).toMatchObject({ assistant_id: "only" });
  });

  test("may be of an assistant", async () => {
    const parts = await rig(
      {},
      { "graph.json": '{"graphs":{"agent":"./a.py:graph"},"dependencies":["."]}', "a.py": "" },
    );
    await parts.deploy({ smokeRun: { ...RUN, graph: "fe096781-5601-53d2-b2f6-0d3403f7e9ca" } });
    expect(runsOf(parts)).toHaveLength(1);
  });

  test("is made of a revision that is only waited for, and of the only graph that its agent serves", async () => {
    const parts = await rig(
      {},
      { "graph.json": '{"graphs":{"only":"./a.py:graph"},"dependencies":["."]}', "a.py": "" },
    );
    const { deploymentId, revisionId } = await parts.deploy({ wait: false });
    const { timeoutMilliseconds, pollCapMilliseconds, onSuperseded, smokeTest } = parts.request();
    const patience = { timeoutMilliseconds, pollCapMilliseconds, onSuperseded, smokeTest };
    const smokeRun = { input: INPUT, expect: ["built-in agent"] };
    await follow({ target: { deploymentId }, revisionId, ...patience, smokeRun }, parts.deps);
    expect(runsOf(parts)[0]?.json).toMatchObject({ assistant_id: "only" });
  });

  withRig("shows that it lives while it takes its time", async (parts) => {
    const held = parts.service.faults.add({ match: WAIT, do: { kind: "delay", milliseconds: 50 } });
    // Half a minute takes one turn, so that whoever still counts them is seen in the next few.
    const clock = new FastClock();
    await deploy(parts.request({ smokeRun: RUN, timeoutMilliseconds: 86_400_000 }), { ...parts.deps, clock });
    const beats = parts.of("agent-running").length;
    expect(held.hits).toBe(1);
    expect(beats).toBeGreaterThanOrEqual(1);
    for (let turns = 0; turns < 10; turns += 1) await turn();
    expect(parts.of("agent-running")).toHaveLength(beats);
    expect(parts.of("agent-running")[0]).toMatchObject({ graph: "support" });
  });
});

describe("a smoke run that cannot be made is refused before anything is written", () => {
  const writes = ({ service }: Rig) => service.requests.filter(({ method }) => method !== "GET");

  test.each<[string, Partial<DeployRequest>, RegExp]>([
    ["of an agent that is not asked", { smokeRun: RUN, smokeTest: false }, /remove `smokeTest: false`/],
    ["of an agent that is not waited for", { smokeRun: RUN, wait: false }, /remove `wait: false`/],
    ["with an expectation that is none", { smokeRun: { ...RUN, expect: ["ok", "/(/"] } }, /"\/\(\/" is not a valid/],
  ])("%s", async (_what, change, message) => {
    const parts = await rig();
    for (const run of [parts.deploy, parts.dryRun]) {
      const error: unknown = await run(change).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ArgumentsError);
      expect(error).toMatchObject({ message: expect.stringMatching(message) as string });
    }
    expect(parts.service.requests).toEqual([]);
  });

  test.each<[string, SmokeRun, RegExp]>([
    ["without a graph among several", { input: INPUT, expect: [] }, /needs a graph: .*"support", "triage"\./],
    [
      "of a graph that does not exist",
      { ...RUN, graph: "suport" },
      /^Unknown graph "suport" .* Available: "support", "triage"/,
    ],
  ])("%s", async (_what, smokeRun, message) => {
    const parts = await rig();
    for (const run of [parts.deploy, parts.dryRun]) {
      const error: unknown = await run({ smokeRun }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(PlanError);
      expect(error).toMatchObject({ message: expect.stringMatching(message) as string });
    }
    expect(writes(parts)).toEqual([]);
  });
});

describe("a smoke run that fails", () => {
  withRig("is reported with what the agent says, without secrets and on one line", async (parts) => {
    const fail = "no model key key-of-the-rig-0123456789 there\n::error::injected";
    const error = await failing(parts, { ...RUN, input: { fail } });
    expect(error.message).toMatch(/ the smoke run of "support" at http:\S+ failed: EchoError: no model key \*\*\* /);
    expect(textsOf(error).join("\n")).not.toContain("key-of-the-rig-0123456789");
    expect(error.message).not.toContain("injected");
    expect(runsOf(parts)).toHaveLength(1);
  });

  test.each<[string, readonly string[], object, RegExp]>([
    [
      "another text",
      ["Paris"],
      { answer: "Rome" },
      /failed: the response has nothing that contains Paris; it is \{"answer":"Rome"\}$/,
    ],
    [
      "another text at its place",
      ["$.answer: Paris"],
      { answer: "Rome", why: "Paris" },
      /contains Paris; there is "Rome"$/,
    ],
    [
      "nothing at the place",
      ["$.reply: Paris"],
      { answer: "Paris" },
      /the response has nothing at \$\.reply; it is \{/,
    ],
    ["less than all", ["Rome", "a", "b", "c"], { x: "Rome" }, /contains a, and 2 more expectations failed; it/],
    [
      "a long text",
      ["Paris"],
      { answer: `key-of-the-rig-0123456789 ${"x".repeat(9_000)}` },
      /it is \{"answer":"\*\*\* x{200,290}…$/,
    ],
  ])("is reported when its answer holds %s", { tags: "slow" }, async (_what, expecting, state, message) => {
    const parts = await rig();
    parts.service.faults.add(answer(state));
    const error = await failing(parts, { ...RUN, expect: expecting });
    expect(error.message).toMatch(message);
    expect(runsOf(parts)).toHaveLength(1);
  });

  test.each<[string, unknown, string, RegExp]>([
    ["nothing", {}, "NOTHING_ANSWERED", /has nothing that the input does not have; it is \{\}$/],
    ["null", null, "NOTHING_ANSWERED", /has nothing that the input does not have; it is null$/],
    ["the bare input", INPUT, "NOTHING_ANSWERED", /does not have; it is \{"question":"who\?"\}$/],
    ["the input and empty fields", { ...INPUT, answer: null, documents: [] }, "NOTHING_ANSWERED", /nothing that/],
    [
      "a question to a human",
      { ...INPUT, draft: "Hello", __interrupt__: [{ value: "Shall I send key-of-the-rig-0123456789?" }] },
      "HUMAN_ASKED",
      /the agent asks a human instead of answering: \[\{"value":"Shall I send \*\*\*\?"\}\]$/,
    ],
  ])("without expectations is reported when the agent answers %s", async (_what, state, reason, message) => {
    const parts = await rig();
    parts.service.faults.add({
      match: WAIT,
      times: Infinity,
      do: { kind: "edit", edit: () => state },
    });
    const error = await failing(parts, RUN);
    expect(error.message).toMatch(message);
    expect(error).toMatchObject({ reasons: [reason], advice: expect.stringContaining("agent's log") as string });
    expect(runsOf(parts)).toHaveLength(1);
  });

  test.each<[string, string, unknown]>([
    ["nothing", "/^\\{\\}$/", {}],
    ["null", "/^null$/", null],
    ["its input", "$.question: who?", INPUT],
    ["a question to a human", "$.__interrupt__: /./", { ...INPUT, __interrupt__: [{ value: "Shall I?" }] }],
  ])("is none where the agent answers %s, as is expected", async (_what, line, state) => {
    const parts = await rig();
    parts.service.faults.add({ match: WAIT, times: Infinity, do: { kind: "edit", edit: () => state } });
    expect(await parts.deploy({ smokeRun: { ...RUN, expect: [line] } })).toMatchObject({ outcome: "deployed" });
  });

  withRig("is one where the agent fails, whatever is expected", async (parts) => {
    const error = await failing(parts, { ...RUN, input: { fail: "no key" }, expect: ["no key"] });
    expect(error.message).toMatch(/failed: EchoError: no key$/);
  });

  withRig("is one of a revision that is only waited for, too", async (parts) => {
    const { deploymentId, revisionId } = await parts.deploy({ wait: false });
    const { timeoutMilliseconds, pollCapMilliseconds, onSuperseded, smokeTest } = parts.request();
    const patience = { timeoutMilliseconds, pollCapMilliseconds, onSuperseded, smokeTest };
    parts.service.faults.add({ match: WAIT, times: Infinity, do: { kind: "edit", edit: () => ({}) } });
    const work = follow({ target: { deploymentId }, revisionId, ...patience, smokeRun: RUN }, parts.deps);
    await expect(work).rejects.toMatchObject({ code: "VERIFY", reasons: ["NOTHING_ANSWERED"] });
  });

  test.each<[string, FaultRule["do"], RegExp]>([
    [
      "500 in plain text",
      { kind: "answer", status: 500, body: "Internal Server Error" },
      /returned 500: Internal Server/,
    ],
    ["503", { kind: "answer", status: 503 }, /\/runs\/wait returned 503/],
    ["422", { kind: "answer", status: 422, body: { detail: "no\nOn instance: secret input" } }, /returned 422: no$/],
    ["a reset", { kind: "reset", when: "after" }, /the connection was cut \(ECONNRESET\)$/],
    ["half an answer", { kind: "truncate" }, /\/runs\/wait failed: /],
    ["no JSON", { kind: "answer", status: 200, body: "<title>Sign in</title>" }, /not JSON, but text\/plain/],
  ])("is reported and not made again when it ends in %s", async (_what, fault, message) => {
    const parts = await rig();
    parts.service.faults.add({ match: WAIT, times: Infinity, do: fault });
    expect((await failing(parts, RUN)).message).toMatch(message);
    expect(runsOf(parts)).toHaveLength(1);
  });

  test("is given up after the time that the deploy may take", async () => {
    const clock = new FastClock();
    const parts = await rig({}, undefined, clock);
    const stalled = parts.service.faults.add({ match: WAIT, times: Infinity, do: { kind: "stall" } });
    const failed = failing(parts, RUN, { timeoutMilliseconds: 90_000 });
    await expect.poll(() => stalled.hits).toBe(1);
    clock.pass(90_000);
    expect((await failed).message).toMatch(/ failed: it did not end within 90 s$/);
    expect(runsOf(parts)).toHaveLength(1);
  });

  withRig("is cancelled with the deploy", async (parts) => {
    parts.service.faults.add({ match: WAIT, times: Infinity, do: { kind: "stall" } });
    const work = parts.deploy({ smokeRun: RUN }).catch((thrown: unknown) => thrown);
    await expect.poll(() => runsOf(parts).length).toBe(1);
    parts.cancel.abort(new Error("stopped"));
    expect(await work).toMatchObject({ code: "CANCELLED", message: expect.stringContaining("is live") as string });
  });

  test("is one where the service does not say where the agent answers", async () => {
    const parts = await rig({}, undefined, new FastClock());
    parts.service.faults.add({
      match: { server: "service", method: "GET", path: /^\/v2\/deployments\/[^/]+$/ },
      times: Infinity,
      do: { kind: "edit", edit: (json) => ({ ...(json as object), url: null, source_config: {} }) },
    });
    const error: unknown = await parts
      .deploy({ smokeRun: RUN, timeoutMilliseconds: 604_800_000, pollCapMilliseconds: 2_000 })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "VERIFY", reasons: ["AGENT_ADDRESS_UNKNOWN"] });
  });

  test("reports what was not answered when that is the question for the graphs of an image", async () => {
    const clock = new FastClock();
    const parts = await rig({}, undefined, clock);
    const source = { source: "external_docker", imageUri: "registry/agent:1" } as const;
    const search = { server: "agent", path: "/assistants/search" } as const;
    // The look before the run takes one page.
    parts.service.faults.add({ match: search, times: 1, do: { kind: "delay", milliseconds: 0 } });
    const stalled = parts.service.faults.add({ match: search, times: Infinity, do: { kind: "stall" } });
    const failed = failing(parts, { input: INPUT, expect: [] }, { source, timeoutMilliseconds: 90_000 });
    await expect.poll(() => stalled.hits).toBe(1);
    clock.pass(90_000);
    expect((await failed).message).toMatch(/ failed: POST \S+\/assistants\/search did not respond within \S+ s$/);
    expect(runsOf(parts)).toEqual([]);
  });

  withRig("shows the name of a graph that the agent made up on one line", async (parts) => {
    const source = { source: "external_docker", imageUri: "registry/agent:1" } as const;
    const graph_id = `a\n::error::injected key-of-the-rig-0123456789 ${"x".repeat(5_000)}`;
    parts.service.faults.add({
      match: { server: "agent", path: "/assistants/search" },
      times: Infinity,
      do: { kind: "edit", edit: () => [{ assistant_id: "1", graph_id }] },
    });
    const error = await failing(parts, { input: INPUT, expect: [] }, { source });
    expect(error.message).toMatch(/ the smoke run of "a ::error::injected \*\*\* x+…" \([\d,]+ characters\) at http:/);
    expect(error.message.length).toBeLessThan(2_000);
  });

  withRig("is one where an image's agent serves several graphs and none is named", async (parts) => {
    const source = { source: "external_docker", imageUri: "registry/agent:1" } as const;
    parts.service.faults.add({
      match: { server: "agent", path: "/assistants/search" },
      times: Infinity,
      do: {
        kind: "edit",
        edit: () => [
          { assistant_id: "1", graph_id: "a" },
          { assistant_id: "2", graph_id: "b" },
        ],
      },
    });
    const error = await failing(parts, { input: INPUT, expect: [] }, { source });
    expect(error).toMatchObject({
      message: expect.stringMatching(/failed: The agent server serves more than one graph: "a", "b"\.$/) as string,
    });
    expect(error).toMatchObject({ reasons: ["GRAPH_UNCLEAR"] });
    expect(runsOf(parts)).toEqual([]);
  });
});

describe("with a record, a smoke run", () => {
  const recorded = async () => {
    const parts = await rig();
    const record = `${parts.directory}/record.json`;
    return { parts, again: (smokeRun?: SmokeRun) => parts.deploy({ record, smokeRun }) };
  };

  test("that was passed is not made again for what is live already", async () => {
    const { parts, again } = await recorded();
    await again(RUN);
    expect(await again({ expect: [], input: { ...INPUT }, graph: "support" })).toMatchObject({ outcome: "unchanged" });
    expect(await again()).toMatchObject({ outcome: "unchanged" });
    expect(await again(RUN)).toMatchObject({ outcome: "unchanged" });
    expect(runsOf(parts)).toHaveLength(1);
  });

  // A record lies in a cache that others can read, and an input may hold a token: a digest of it could be guessed.
  test(
    "stands in it as a hash that says nothing without its salt, and in no event at all",
    { tags: "slow" },
    async () => {
      const hashes = new Set<string>();
      for (let count = 0; count < 2; count += 1) {
        const { parts, again } = await recorded();
        await again(RUN);
        const text = await readFile(`${parts.directory}/record.json`, "utf8");
        const { smoke_run } = z.object({ smoke_run: z.string() }).parse(JSON.parse(text));
        hashes.add(smoke_run);
        expect(JSON.stringify(parts.of("agent-answered"))).not.toContain(smoke_run);
      }
      expect(hashes.size).toBe(2);
    },
  );

  test("that is new is made, and so is one that failed", { tags: "slow" }, async () => {
    const { parts, again } = await recorded();
    await again();
    await expect(again({ ...RUN, input: { fail: "now" } })).rejects.toThrow("EchoError: now");
    await expect(again({ ...RUN, input: { fail: "now" } })).rejects.toThrow("EchoError: now");
    expect(await again(RUN)).toMatchObject({ outcome: "unchanged" });
    expect(await again({ ...RUN, expect: ["who?"] })).toMatchObject({ outcome: "unchanged" });
    expect(runsOf(parts)).toHaveLength(4);
    expect(parts.of("source-packed")).toHaveLength(1);
  });
});
