import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { EvaluationEvent } from "../../src/evaluation/evaluation.ts";
import type { ScoredRow, Scorer, ScoringDeps, TrialScore } from "../../src/scoring/scorer.ts";
import { type JsonObject, objectIn, textIn } from "../../src/files/json/value.ts";
import { systemClock } from "../../src/http/clock.ts";
import type { RunIngest } from "../../src/tracing/ingest/ingest.ts";
import { Tracer } from "../../src/tracing/tracer/tracer.ts";
import { resetBefore, status } from "../wire/faults.ts";
import { countingServer, type Agent } from "./counting-server.ts";
import { evaluations } from "./evaluated.ts";

const FOREVER = new Promise<never>(() => undefined);
const answer = { messages: [{ type: "ai", content: "Answer" }] };
const outcomesOf = (rows: readonly { readonly run_metadata: Readonly<Record<string, unknown>> }[]) =>
  rows.map(({ run_metadata: { outcome } }) => outcome);
const ofType = <Type extends EvaluationEvent["type"]>(events: readonly EvaluationEvent[], type: Type) =>
  events.filter((event): event is Extract<EvaluationEvent, { type: Type }> => event.type === type);

/** A scorer of one score, which is made so. */
function scorerBy(score: (row: ScoredRow, deps: ScoringDeps) => Promise<readonly TrialScore[]>): Scorer {
  const start: Scorer["start"] = (deps) => ({
    score: async (row) => await score(row, deps),
    contents: () => Promise.resolve([]),
    end: () => Promise.resolve(),
  });
  return { name: "said", keys: ["said"], definition: {}, start };
}

test("an evaluation asks every case once, writes a row for each, and leaves no thread and no journal", async () => {
  const { url, runs, threads } = await countingServer();
  const { run, rows, path } = evaluations(url, 6);
  const { ended, events } = run({ trials: 2 });
  expect(await ended).toMatchObject({ cases: 6, trials: 12, unmeasured: 0, tokens: { input: 120, output: 60 } });
  expect(runs).toHaveLength(12);
  expect(rows().map(({ run_metadata: { case_id, repetition, outcome } }) => [case_id, repetition, outcome])).toEqual(
    Array.from({ length: 6 }, (_, at) => [0, 1].map((repetition) => [`c-${at}`, repetition, "answered"])).flat(),
  );
  expect([threads.size, existsSync(path("results.jsonl.journal"))]).toEqual([0, false]);
  expect(events.at(-1)).toMatchObject({ type: "ended", status: "complete" });
  expect(ofType(events, "progress").at(-1)?.progress).toMatchObject({ done: 12, trials: 12 });
});

test("the first trial of all cases comes before the second of any", async () => {
  const { url, runs } = await countingServer();
  await evaluations(url, 5).run({ trials: 2, concurrency: 1, maxTokens: 1e6 }).ended;
  expect(runs.map(({ metadata }) => metadata["trial"])).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
});

test("two equal evaluations of one workflow run share no thread", async () => {
  const { url, runs } = await countingServer();
  const { run, path } = evaluations(url, 3);
  const settings = { nonce: "workflow 7" };
  await Promise.all([run(settings).ended, run({ ...settings, resultsPath: path("others.jsonl") }).ended]);
  expect(new Set(runs.map(({ threadId }) => threadId)).size).toBe(6);
});

describe("results that an evaluation writes", () => {
  test("are held: another one ends before its first request, in the same process too, and leaves them alone", async () => {
    const server = await countingServer({ agent: () => FOREVER });
    const { run, rows, path } = evaluations(server.url, 2);
    const first = run({ concurrency: 1 });
    while (server.runs.length === 0) await sleep(1);
    const other = await countingServer();
    const second = evaluations(other.url, 2).run({ resultsPath: path("results.jsonl") });
    expect(await second.error).toMatchObject({
      code: "EVALUATION_HELD",
      message: expect.stringContaining(`process ${process.pid} on ${hostname()}`),
      advice: expect.stringContaining(path("results.jsonl.journal.lock")),
    });
    expect([other.front.requests, second.events.at(-1)]).toMatchObject([[], { type: "ended", status: "failed" }]);
    // It looks only, and writes nothing.
    await run({ dryRun: true }).ended;
    first.cancel.abort(new Error("Stop"));
    await first.error;
    expect([rows().length, existsSync(path("results.jsonl.journal.lock"))]).toEqual([2, false]);
  });

  test("are free again after an error", async () => {
    const server = await countingServer();
    const { run, path } = evaluations(server.url, 2);
    server.front.script({ path: /^\/ok$/ }, status(403), 1);
    expect(await run().error).toMatchObject({ code: "HTTP_STATUS" });
    expect(existsSync(path("results.jsonl.journal.lock"))).toBe(false);
    await run().ended;
  });
});

test("a dry run asks nothing, and says what it would", async () => {
  const { url, runs } = await countingServer();
  const { run, path } = evaluations(url, 4);
  const { ended, events } = run({ dryRun: true, trials: 3, expected: { tokens: 15, cost: undefined } });
  await ended;
  expect(ofType(events, "planned")[0]?.estimate).toEqual({ cases: 4, trials: 12, tokens: 180, cost: undefined });
  expect(events.at(-1)).toMatchObject({ type: "ended", status: "dry-run" });
  expect([runs.length, existsSync(path("results.jsonl"))]).toEqual([0, false]);
});

test("another revision than the one to evaluate is asked nothing", async () => {
  const { url, runs } = await countingServer({ revision: "r-9" });
  const { error, events } = evaluations(url, 2).run({ revisionId: "r-1" });
  expect(await error).toMatchObject({ code: "EVALUATION_REVISION", wanted: "r-1", served: "r-9" });
  expect([events.at(-1), runs.length]).toMatchObject([{ type: "ended", status: "failed" }, 0]);
});

test("an answer that is nested deeper than a file of results may be ends as one trial without a measurement", async () => {
  const deep = (depth: number) =>
    JSON.parse(`{"messages":[],"deep":${"[".repeat(depth)}"x"${"]".repeat(depth)}}`) as JsonObject;
  const { url, threads } = await countingServer({
    agent: (input) => (JSON.stringify(input).includes('q1"') ? deep(3_000) : answer),
  });
  const { run, rows } = evaluations(url, 3);
  await run({ keepState: true }).error;
  expect(outcomesOf(rows())).toEqual(["answered", "unverified", "answered"]);
  expect(threads.size).toBe(0);
});

test("a server that changes midway is told", async () => {
  const server = await countingServer();
  server.facts.agent = () => {
    server.facts.version = "0.17.0";
    return answer;
  };
  const { ended, events } = evaluations(server.url, 2).run();
  expect(await ended).toMatchObject({ first: { version: "0.16.7" }, last: { version: "0.17.0" } });
  expect(ofType(events, "server-changed")).toHaveLength(1);
});

test("a server that does not say at the end what it is now keeps nobody waiting", async () => {
  const server = await countingServer();
  server.facts.agent = () => {
    server.front.script({ path: /^\/info$/ }, { processed: true, act: () => FOREVER });
    return answer;
  };
  // All waits of the clock but this one are longer than the test.
  const alarm = (milliseconds: number, ring: () => void) =>
    systemClock.alarm(milliseconds === 5_000 ? 0 : milliseconds, ring);
  const clock = { ...systemClock, alarm };
  expect(await evaluations(server.url, 1).run({}, { clock }).ended).toMatchObject({ last: { version: "0.16.7" } });
});

test("answers whose results cannot be written are kept, also where no revision is told", async () => {
  const { url, runs } = await countingServer({ revision: "" });
  const { run, rows, path } = evaluations(url, 3);
  mkdirSync(path("results.jsonl"));
  expect(await run().error).toMatchObject({
    code: "EVALUATION_RESULTS",
    message: expect.stringContaining("(EISDIR)"),
    advice: expect.stringContaining("journal"),
  });
  rmdirSync(path("results.jsonl"));
  await run().ended;
  expect([runs.length, rows().length, existsSync(path("results.jsonl.journal"))]).toEqual([3, 3, false]);
});

test("an error of the agent is a measurement with a score of 0", async () => {
  const { url } = await countingServer({
    agent: (input) => {
      if (JSON.stringify(input).includes("q1")) throw new Error("No tool");
      return answer;
    },
  });
  const { run, rows } = evaluations(url, 3);
  expect(await run().ended).toMatchObject({ agentErrors: 1, unmeasured: 0, scores: [{ key: "said", count: 3 }] });
  expect(rows()[1]).toMatchObject({ evaluation_scores: [{ key: "said", score: 0 }] });
});

describe("trials without a measurement", () => {
  test("make the evaluation incomplete, but are asked again by the next one alone, as another attempt", async () => {
    const { url, runs, front, threads } = await countingServer();
    const { run, rows } = evaluations(url, 5);
    front.script({ path: /\/runs\/stream$/ }, resetBefore, 2);
    expect(await run().error).toMatchObject({ code: "EVALUATION_INCOMPLETE" });
    expect(outcomesOf(rows()).filter((outcome) => outcome === "unreachable")).toHaveLength(2);
    const second = run();
    await second.ended;
    expect(ofType(second.events, "resumed")).toEqual([{ type: "resumed", kept: 3, joined: 0, removed: 0 }]);
    expect([runs.length, threads.size]).toEqual([5, 0]);
    expect(
      rows()
        .map(({ run_metadata: { attempts } }) => attempts)
        .toSorted(),
    ).toEqual([1, 1, 1, 2, 2]);
  });

  test.each([
    ["at another address", { url: "http://other.example" }, {}],
    ["of another version", {}, { version: "0.17.0" }],
    ["that tells no revision, now or before", {}, {}, ""],
  ])("leave nothing to an evaluation of a server %s", async (_what, deps, facts, revision = "r-1") => {
    const server = await countingServer({ revision });
    const { run } = evaluations(server.url, 5);
    server.front.script({ path: /\/runs\/stream$/ }, resetBefore, 1);
    await run({ nonce: "workflow 7" }).error;
    expect(server.runs).toHaveLength(4);
    Object.assign(server.facts, facts);
    await run({ nonce: "workflow 7" }, deps).ended;
    expect(server.runs).toHaveLength(4 + 5);
  });

  test("are allowed as often as the request says", async () => {
    const { url, front } = await countingServer();
    front.script({ path: /\/runs\/stream$/ }, resetBefore, 2);
    expect(await evaluations(url, 5).run({ maxErrors: 2 }).ended).toMatchObject({ unmeasured: 2 });
  });

  test("are asked again after all others, as often as the request says", async () => {
    const { url, runs, front } = await countingServer();
    front.script({ path: /\/runs\/stream$/ }, resetBefore, 2);
    const { run, rows } = evaluations(url, 5);
    await run({ retryErrors: 1, concurrency: 2 }).ended;
    expect(runs.map(({ metadata }) => metadata["attempt"])).toEqual([1, 1, 1, 2, 2]);
    expect(outcomesOf(rows())).toEqual(Array.from({ length: 5 }, () => "answered"));
  });

  test("fail the evaluation where nobody was ever reached, after a bounded number", async () => {
    const { url, front } = await countingServer();
    front.script({ path: /\/runs\/stream$/ }, resetBefore, 1_000);
    const { run, path } = evaluations(url, 200);
    const { error, events } = run();
    expect(await error).toMatchObject({ code: "EVALUATION_UNREACHABLE" });
    expect(events.at(-1)).toMatchObject({ type: "ended", status: "failed", resultsPath: undefined });
    expect(front.count({ path: /\/runs\/stream$/ })).toBeLessThan(30);
    expect(existsSync(path("results.jsonl"))).toBe(false);
  });

  test.each([3, 200])("are asked once where the server rejects what %i runs are sent", async (cases) => {
    const { url, front } = await countingServer();
    front.script({ path: /\/runs\/stream$/ }, status(422, { body: { detail: "messages required" } }), 1_000);
    const { run, rows } = evaluations(url, cases);
    const facts = { code: "EVALUATION_INCOMPLETE", reasons: ["INPUT_REJECTED"] };
    expect(await run({ retryErrors: 2 }).error).toMatchObject(facts);
    expect(front.count({ path: /\/runs\/stream$/ })).toBeLessThan(30);
    expect(outcomesOf(rows())).toContain("unasked");
    expect(outcomesOf(rows())).not.toContain("unreachable");
    const asked = new Set(front.requests.filter(({ path }) => path.endsWith("/stream")).map(({ path }) => path));
    expect(asked.size).toBe(front.count({ path: /\/runs\/stream$/ }));
    front.reset();
    expect(await run().ended).toMatchObject({ unmeasured: 0 });
  });

  test("do not fail it where one alone says so", async () => {
    const { url, front } = await countingServer();
    front.script({ path: /\/runs\/stream$/ }, status(500), 1_000);
    expect(await evaluations(url, 1).run().error).toMatchObject({ code: "EVALUATION_INCOMPLETE" });
  });
});

describe("an answer whose scorer broke", () => {
  test("is scored again by the next evaluation, with its whole state, and is not asked again", async () => {
    const server = await countingServer();
    const { run, rows, path } = evaluations(server.url, 3);
    const seen: ScoredRow[] = [];
    let isBroken = true;
    const scorer = scorerBy((row) => {
      seen.push(row);
      if (isBroken && row.id.startsWith("c-1")) throw new Error("No model");
      return Promise.resolve([{ key: "said", score: 1 }]);
    });
    expect(await run({ scorers: [scorer] }).error).toMatchObject({ code: "EVALUATION_INCOMPLETE" });
    expect(rows()[1]).toMatchObject({ evaluation_scores: [{ key: "said", score: null, comment: "No model" }] });
    const first = seen.find(({ id }) => id.startsWith("c-1"));
    expect(first?.state).toMatchObject({ messages: [{ type: "ai" }] });
    isBroken = false;
    const { ended, events } = run({ scorers: [scorer] });
    expect(await ended).toMatchObject({ trials: 3, unmeasured: 0, tokens: { input: 30, output: 15 } });
    expect([server.runs.length, seen.length, seen.at(-1)]).toEqual([3, 4, first]);
    expect(ofType(events, "resumed")).toEqual([{ type: "resumed", kept: 3, joined: 0, removed: 0 }]);
    expect(rows()[1]).toMatchObject({ evaluation_scores: [{ key: "said", score: 1 }], run_metadata: { attempts: 1 } });
    expect([JSON.stringify(rows()).includes('"state"'), existsSync(path("results.jsonl.journal"))]).toEqual([
      false,
      false,
    ]);
  });

  test("is scored again also where the budget is spent, for that takes nothing", async () => {
    const server = await countingServer();
    const { run } = evaluations(server.url, 3);
    let isBroken = true;
    const scorer = scorerBy(() => {
      if (isBroken) throw new Error("No model");
      return Promise.resolve([{ key: "said", score: 1 }]);
    });
    const settings = { scorers: [scorer], maxTokens: 45, concurrency: 1 };
    expect(await run(settings).error).toMatchObject({ reasons: ["SCORER_BROKEN"] });
    isBroken = false;
    expect(await run(settings).ended).toMatchObject({ scores: [{ mean: 1, count: 3 }] });
    expect(server.runs).toHaveLength(3);
  });
});

describe("a budget", () => {
  test("begins no further run once it is spent", async () => {
    const { url, runs, threads } = await countingServer();
    const { run, rows } = evaluations(url, 10);
    const { error } = run({ maxTokens: 45, concurrency: 1 });
    expect(await error).toMatchObject({ code: "EVALUATION_OVER_BUDGET" });
    expect([runs.length, threads.size]).toEqual([3, 0]);
    expect(outcomesOf(rows()).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => "answered"),
      ...Array.from({ length: 7 }, () => "unasked"),
    ]);
  });

  test("that all trials kept to is none that was passed", async () => {
    const { url } = await countingServer();
    expect(await evaluations(url, 3).run({ maxTokens: 45, concurrency: 1 }).ended).toMatchObject({ unmeasured: 0 });
  });

  test("of cost counts by the prices", async () => {
    const { url, runs } = await countingServer();
    const prices = { model: { input: 1e5, output: 0 } };
    const { error } = evaluations(url, 5).run({ maxCost: 2, prices, concurrency: 1 });
    expect(await error).toMatchObject({ code: "EVALUATION_OVER_BUDGET" });
    expect(runs).toHaveLength(2);
  });

  test("is an error where an answer does not tell what it used, and names the case", async () => {
    const { url, runs } = await countingServer({ agent: () => answer });
    const { error } = evaluations(url, 5).run({ maxTokens: 1e6, concurrency: 1 });
    const [first] = [(await error, runs[0]?.metadata["case"])];
    expect(await error).toMatchObject({
      code: "EVALUATION_OVER_BUDGET",
      message: expect.stringContaining(JSON.stringify(first).slice(1, -1)),
    });
    expect(runs).toHaveLength(1);
  });

  test("counts the runs of an earlier evaluation that are asked again, of which nothing is known, with the mean", async () => {
    const server = await countingServer();
    const answering = server.facts.agent;
    server.facts.agent = async (input, each) =>
      /q[01]"/.test(JSON.stringify(input)) ? await answering(input, each) : await FOREVER;
    const { run } = evaluations(server.url, 4);
    const first = run();
    while (ofType(first.events, "trial").length < 2 || server.runs.length < 4) await sleep(5);
    first.cancel.abort(new Error("Stop"));
    await first.error;
    // Two answers took 15 tokens each, and so may the two that were cancelled.
    expect(await run({ maxTokens: 60 }).error).toMatchObject({
      code: "EVALUATION_OVER_BUDGET",
      message: expect.stringContaining("used 60 of 60 (tokens, with the mean for 2 runs that told nothing)"),
    });
    expect(server.runs).toHaveLength(4);
    server.facts.agent = answering;
    expect(await run({ maxTokens: 121 }).ended).toMatchObject({ unmeasured: 0, tokens: undefined });
  });

  test("is an error where many runs do not tell what they used, and none does", async () => {
    const { url, runs } = await countingServer({
      agent: () => {
        throw new Error("No model");
      },
    });
    const { error } = evaluations(url, 40).run({ maxTokens: 1e6, concurrency: 1 });
    expect(await error).toMatchObject({
      code: "EVALUATION_OVER_BUDGET",
      message: expect.stringContaining("not known"),
    });
    expect(runs).toHaveLength(10);
  });
});

describe("an evaluation that is stopped", () => {
  // Two cases are answered, all others never.
  const someAnswers: Agent = async (input) => (/q[01]"/.test(JSON.stringify(input)) ? answer : await FOREVER);

  test(
    "by a signal writes what there is within 5 s, leaves no thread, and goes on later",
    { tags: "slow" },
    async () => {
      const server = await countingServer({ agent: someAnswers });
      const { run, rows } = evaluations(server.url, 6);
      const first = run({ concurrency: 8 });
      while (ofType(first.events, "trial").length < 2 || server.runs.length < 6) await sleep(5);
      const begin = performance.now();
      first.cancel.abort(new Error("Stop"));
      expect(await first.error).toMatchObject({ code: "EVALUATION_CANCELLED" });
      expect(performance.now() - begin).toBeLessThan(4_500);
      expect(first.events.at(-1)).toMatchObject({ type: "ended", status: "cancelled" });
      expect(outcomesOf(rows())).toEqual(["answered", "answered", "cancelled", "cancelled", "cancelled", "cancelled"]);
      expect(server.threads.size).toBe(0);
      expect(server.runs.filter((each) => each.status === "running")).toEqual([]);
      server.facts.agent = () => answer;
      await run().ended;
      expect(server.runs).toHaveLength(10);
      expect(rows().map(({ run_metadata: { attempts } }) => attempts)).toEqual([1, 1, 2, 2, 2, 2]);
    },
  );

  test("while it joins what an earlier one began knows all of it, and the budget of the next counts it", async () => {
    const server = await countingServer({ agent: () => FOREVER });
    const answering = (await countingServer()).facts.agent;
    const { run, rows, path } = evaluations(server.url, 3);
    const nonce = "workflow 7";
    const first = run({ nonce });
    while (server.runs.length < 3) await sleep(1);
    // As if it were killed, and its machine gone.
    server.front.script({ path: /\/cancel$/ }, status(403), 1_000);
    first.cancel.abort(new Error("Stop"));
    await first.error;
    rmSync(path("results.jsonl.journal"));
    server.front.reset();
    const second = run({ nonce, concurrency: 1 });
    while (ofType(second.events, "resumed").length === 0) await sleep(1);
    second.cancel.abort(new Error("Stop"));
    await second.error;
    expect([outcomesOf(rows()), server.threads.size]).toEqual([["cancelled", "cancelled", "cancelled"], 0]);
    server.facts.agent = answering;
    expect(await run({ nonce, concurrency: 1, maxTokens: 60 }).error).toMatchObject({
      code: "EVALUATION_OVER_BUDGET",
      message: expect.stringContaining("used 60 of 60 (tokens, with the mean for 3 runs that told nothing)"),
    });
  });

  test("by its deadline is overdue", { tags: "slow" }, async () => {
    const server = await countingServer({ agent: someAnswers });
    const { run, rows } = evaluations(server.url, 8);
    expect(await run({ deadlineMilliseconds: 700, concurrency: 8 }).error).toMatchObject({
      code: "EVALUATION_OVERDUE",
    });
    const counts = Object.groupBy(outcomesOf(rows()), String);
    expect([counts["answered"]?.length, (counts["cancelled"]?.length ?? 0) + (counts["unasked"]?.length ?? 0)]).toEqual(
      [2, 6],
    );
    expect(server.threads.size).toBe(0);
  });

  test("by its deadline while its scorers work keeps the answers, and the next one scores them", async () => {
    const server = await countingServer();
    const { run, rows } = evaluations(server.url, 1);
    let scored: Promise<readonly TrialScore[]> = FOREVER;
    let passDeadline = (): void => undefined;
    const scorers = [
      scorerBy(() => {
        passDeadline();
        return scored;
      }),
    ];
    const alarm = (milliseconds: number, ring: () => void) => {
      if (milliseconds === 60_000) passDeadline = ring;
      // What is open is not waited for.
      return systemClock.alarm(milliseconds === 3_000 ? 0 : milliseconds, ring);
    };
    const overdue = { code: "EVALUATION_OVERDUE" };
    expect(await run({ scorers }, { clock: { ...systemClock, alarm } }).error).toMatchObject(overdue);
    // This one has nothing but the answer to score.
    expect(await run({ scorers }, { clock: { ...systemClock, alarm } }).error).toMatchObject(overdue);
    expect([outcomesOf(rows()), rows()[0]?.["evaluation_scores"], server.threads.size]).toMatchObject([
      ["answered"],
      [{ key: "said", score: null, comment: expect.stringContaining("ended") }],
      0,
    ]);
    scored = Promise.resolve([{ key: "said", score: 0.5 }]);
    const { ended, events } = run({ scorers });
    expect(await ended).toMatchObject({ unmeasured: 0, scores: [{ mean: 0.5, broken: 0 }] });
    expect(ofType(events, "resumed")).toEqual([{ type: "resumed", kept: 1, joined: 0, removed: 0 }]);
    expect(server.runs).toHaveLength(1);
  });

  test("while its scorers work is cancelled, and no scorer failed", async () => {
    const server = await countingServer();
    const { run } = evaluations(server.url, 1);
    let scores = 0;
    const scorer = scorerBy(async (_row, { signal }) => {
      scores += 1;
      if (scores > 1) return [{ key: "said", score: 1 }];
      await once(signal, "abort");
      throw new Error("Stopped");
    });
    const { error, cancel } = run({ scorers: [scorer] });
    while (scores === 0) await sleep(1);
    cancel.abort(new Error("Stop"));
    expect(await error).toMatchObject({ code: "EVALUATION_CANCELLED" });
    expect(await run({ scorers: [scorer] }).ended).toMatchObject({ scores: [{ mean: 1 }] });
    expect([server.runs.length, scores]).toEqual([1, 2]);
  });

  test("while it scores answers again hears it, also where scorers wait for nothing", async () => {
    const server = await countingServer();
    const { run } = evaluations(server.url, 40);
    await run({ scorers: [scorerBy(() => Promise.reject(new Error("Broke")))] }).error;
    let scores = 0;
    const scorer = scorerBy(() => {
      scores += 1;
      setImmediate(() => {
        second.cancel.abort(new Error("Stop"));
      });
      return Promise.resolve([{ key: "said", score: 1 }]);
    });
    const second = run({ scorers: [scorer] });
    expect(await second.error).toMatchObject({ code: "EVALUATION_CANCELLED" });
    expect(scores).toBeLessThan(40);
    expect(await run({ scorers: [scorer] }).ended).toMatchObject({ scores: [{ mean: 1, count: 40 }] });
    expect(server.runs).toHaveLength(40);
  });

  test("before its first run asks nothing", async () => {
    const server = await countingServer();
    const { run, path } = evaluations(server.url, 2);
    // Nobody answers.
    server.front.script({ path: /^\/ok$/ }, { processed: true, act: () => FOREVER });
    const { error, cancel, events } = run();
    while (server.front.requests.length === 0) await sleep(1);
    cancel.abort(new Error("Stop"));
    expect(await error).toMatchObject({ code: "EVALUATION_CANCELLED" });
    expect(events.at(-1)).toMatchObject({ type: "ended", status: "cancelled" });
    expect([existsSync(path("results.jsonl")), server.runs]).toEqual([false, []]);
  });
});

describe("a server that refuses to remove threads", () => {
  const removals = { method: "DELETE", path: /^\/threads\// } as const;
  const searches = { path: /^\/threads\/search$/ } as const;

  test("keeps no answer from being one, and the threads that are left are told", async () => {
    const server = await countingServer();
    server.front.script(removals, status(403), 1_000);
    const { ended, events } = evaluations(server.url, 3).run();
    expect(await ended).toMatchObject({ trials: 3, unmeasured: 0 });
    const told = { type: "threads-left", count: 3, reason: expect.stringContaining("403") };
    expect([ofType(events, "threads-left"), server.threads.size]).toEqual([[told], 3]);
  });

  test("once more at the end for one of them keeps the others from staying", async () => {
    const server = await countingServer();
    server.front.script(removals, status(403), 4);
    const { ended, events } = evaluations(server.url, 3).run();
    await ended;
    expect([ofType(events, "threads-left"), server.threads.size]).toMatchObject([[{ count: 1 }], 1]);
  });

  test("and then to search for them leaves what is known of them", async () => {
    const server = await countingServer();
    server.facts.agent = () => {
      server.front.script(searches, status(403), 1);
      return answer;
    };
    server.front.script(removals, status(403), 2);
    const { ended, events } = evaluations(server.url, 3).run({ concurrency: 1 });
    await ended;
    const told = { type: "threads-left", count: 2, reason: expect.stringContaining("threads/search returned 403") };
    expect([ofType(events, "threads-left"), server.threads.size]).toEqual([[told], 2]);
  });

  test("that an earlier evaluation left does not fail the next one, which removes them at its end", async () => {
    const server = await countingServer({ agent: () => FOREVER });
    const { run } = evaluations(server.url, 2);
    const first = run();
    while (server.runs.length < 2) await sleep(1);
    server.front.script(removals, status(403), 4);
    first.cancel.abort(new Error("Stop"));
    await first.error;
    expect([ofType(first.events, "threads-left"), server.threads.size]).toMatchObject([[{ count: 2 }], 2]);
    server.facts.agent = () => answer;
    server.front.reset();
    server.front.script(removals, status(403), 2);
    const second = run();
    expect(await second.ended).toMatchObject({ unmeasured: 0 });
    expect([ofType(second.events, "threads-left"), server.threads.size]).toEqual([[], 0]);
  });
});

test("of two attempts at one trial that were left the last one is joined, and the other removed", async () => {
  const server = await countingServer({ agent: () => FOREVER });
  const { run, rows } = evaluations(server.url, 1);
  const first = run();
  while (server.runs.length === 0) await sleep(1);
  first.cancel.abort(new Error("Stop"));
  await first.error;
  const [begun] = server.runs;
  if (!begun) throw new TypeError("nothing was asked");
  for (const attempt of [3, 2]) {
    const [id, metadata] = [`thread-${attempt}`, { ...begun.metadata, attempt }];
    const values = { messages: [{ type: "ai", content: `Answer ${attempt}` }] };
    server.threads.set(id, { metadata, values, error: "" });
    server.runs.push({ ...begun, id: `run-${attempt}`, threadId: id, metadata, status: "success" });
  }
  const second = run();
  await second.ended;
  expect(ofType(second.events, "resumed")).toEqual([{ type: "resumed", kept: 0, joined: 1, removed: 1 }]);
  expect(rows()).toMatchObject([{ actual_outputs: { output: "Answer 3" }, run_metadata: { attempts: 3 } }]);
  expect(server.runs).toHaveLength(3);
});

test("a search at the end that fails tells nothing where every thread was removed before", async () => {
  const server = await countingServer();
  server.facts.agent = () => {
    server.front.script({ path: /^\/threads\/search$/ }, status(403), 1);
    return answer;
  };
  const { ended, events } = evaluations(server.url, 1).run();
  await ended;
  expect([ofType(events, "threads-left"), server.threads.size]).toEqual([[], 0]);
});

test("what fails on this machine ends the evaluation: nothing more is asked, and no thread is left", async () => {
  const server = await countingServer();
  const { run } = evaluations(server.url, 60);
  const emit = (event: EvaluationEvent) => {
    if (event.type === "trial") throw new Error("The disk is full.");
  };
  expect(await run({ concurrency: 2 }, { emit }).error).toMatchObject({ message: "The disk is full." });
  expect(server.runs.length).toBeLessThan(10);
  expect(server.threads.size).toBe(0);
});

test("a trial that is traced is a run of ours, and the parent of the agent's", async () => {
  const server = await countingServer();
  const sent: Readonly<Record<string, unknown>>[] = [];
  const ingest = {
    post: (run: (typeof sent)[number]) => Promise.resolve(sent.push(run)),
    patch: (_id: string, run: (typeof sent)[number]) => Promise.resolve(sent.push(run)),
  };
  const session = { session_name: "evaluations" };
  // Only these two methods are called.
  const tracer = new Tracer({ ingest: ingest as unknown as RunIngest, clock: systemClock, session });
  const { run, rows } = evaluations(server.url, 2);
  await run({}, { tracer }).ended;
  expect(sent).toHaveLength(4);
  for (const { run_metadata: facts, actual_outputs: outputs } of rows()) {
    const asked = server.runs.find(({ metadata }) => metadata["case"] === facts["case_id"]);
    const traceId = textIn(facts["trace_id"]);
    expect(asked?.headers["traceparent"]).toContain(traceId.replaceAll("-", ""));
    expect(asked?.headers["baggage"]).toContain(traceId);
    const ended = sent.find((each) => each["trace_id"] === traceId && "outputs" in each);
    expect(ended?.["outputs"]).toEqual({ output: objectIn(outputs)["output"] });
  }
});

test("no secret stands in a row, an event or the journal, wherever the server echoes it", async () => {
  const apiKey = "lsv2_sk_0123456789abcdef";
  const server = await countingServer({
    agent: (_input, { headers }) => {
      const echoed = headers["x-api-key"] ?? "";
      if (server.runs.length % 2 === 0) throw new Error(`Bad key ${echoed} for https://user:pass@host`);
      return { messages: [{ type: "ai", content: `Answer ${echoed}` }], [echoed]: { deep: [[`<${echoed}>`]] } };
    },
  });
  const { run, path } = evaluations(server.url, 6);
  const journal = path("results.jsonl.journal");
  let kept = "";
  const events: EvaluationEvent[] = [];
  const { ended } = run(
    { keepState: true },
    {
      apiKey,
      emit: (event) => {
        events.push(event);
        if (existsSync(journal)) kept += readFileSync(journal, "utf8");
      },
    },
  );
  await ended;
  expect(server.runs.every(({ headers }) => headers["x-api-key"] === apiKey)).toBe(true);
  for (const text of [kept, readFileSync(path("results.jsonl"), "utf8"), JSON.stringify(events)]) {
    expect(text).toContain("***");
    expect(text).not.toContain(apiKey);
  }
});
