import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TrialOutcome } from "../../src/contract/trial-outcome.ts";
import { readDataset, type EvaluationCase } from "../../src/scoring/dataset.ts";
import type { ScoredRow, ScoringDeps, TrialScore } from "../../src/scoring/scorer.ts";
import type { Asked } from "../../src/scoring/trial.ts";
import { headerOf, scoreResults, writeResults } from "../../src/scoring/results.ts";
import { rowOf, scoredRowOf, withoutState, withScores } from "../../src/scoring/row.ts";
import { Summary } from "../../src/scoring/summary.ts";
import { readScorers } from "../../src/scoring/scorers.ts";
import { type JsonObject, type JsonValue, objectIn } from "../../src/files/json/value.ts";
import { parsePath } from "../../src/files/json/path.ts";
import { readEvaluation } from "../../src/experiments/reading/evaluation.ts";
import type { TakenRow } from "../../src/experiments/reading/row-reader.ts";
import { DataFileError } from "../../src/files/json/errors.ts";
import { systemClock } from "../../src/http/clock.ts";
import { temporaryFolder, temporaryTree } from "../source/temporary-tree.ts";
import { DEPS, scoring } from "./scoring.ts";

const REQUEST = {
  dataset: {
    name: "support",
    file: { path: "", name: "" },
    input: undefined,
    filter: [],
    limit: undefined,
    shard: undefined,
  },
  output: parsePath("$.messages[-1].content") ?? { text: "", steps: [] },
  prices: { large: { input: 1, output: 2 } },
};
const CASE: EvaluationCase = {
  id: "a",
  digest: "d",
  row: { id: "a", question: "Why?", answer: "Because", metadata: { lang: "de" } },
  inputs: { question: "Why?" },
  expected: { answer: "Because" },
  turns: [{ messages: [] }],
  cluster: "refunds",
};
const MESSAGE = {
  ...{ type: "ai", id: "m1", content: "Because", tool_calls: [{ name: "look", args: { id: 1 }, id: "c" }] },
  ...{ response_metadata: { model_name: "large" }, usage_metadata: { input_tokens: 10, output_tokens: 5 } },
};
const ANSWER: Asked = {
  ...{ outcome: "answered", error: "", isUnverified: false, inFlight: 2, traceId: "" },
  state: { messages: [{ type: "human", id: "m0", content: "Why?" }, MESSAGE] },
  startedAt: new Date("2026-11-27T10:00:00.000Z"),
  endedAt: new Date("2026-11-27T10:00:02.500Z"),
  ...{ queuedMilliseconds: 500, runMilliseconds: 2000, firstTokenMilliseconds: undefined },
  ...{ runId: "run-1", threadId: "thread-1" },
};

function failed(outcome: TrialOutcome, error: string, more: Partial<Asked> = {}): Asked {
  const none = { state: undefined, queuedMilliseconds: undefined, runMilliseconds: undefined };
  return { ...ANSWER, ...none, outcome, error, runId: "", threadId: "", ...more };
}

function row(answer: Asked = ANSWER, { id = "a", repetition = 0 } = {}): JsonObject {
  return rowOf({ case: { ...CASE, id }, repetition, attempt: 1 }, answer, REQUEST, "rev-1");
}

describe("a row", () => {
  test("has what the format asks for, in one order", () => {
    const scored = withScores(row(), [{ key: "correct", score: 1, comment: "equal" }]);
    expect(JSON.stringify(withoutState(scored), null, 1)).toMatchInlineSnapshot(`
      "{
       "row_id": "a",
       "inputs": {
        "question": "Why?"
       },
       "expected_outputs": {
        "answer": "Because"
       },
       "actual_outputs": {
        "output": "Because",
        "tool_calls": [
         {
          "name": "look",
          "args": {
           "id": 1
          }
         }
        ]
       },
       "start_time": "2026-11-27T10:00:00.000Z",
       "end_time": "2026-11-27T10:00:02.500Z",
       "run_metadata": {
        "case_id": "a",
        "repetition": 0,
        "outcome": "answered",
        "attempts": 1,
        "in_flight": 2,
        "queued_ms": 500,
        "run_ms": 2000,
        "run_id": "run-1",
        "thread_id": "thread-1",
        "revision_id": "rev-1",
        "usage": {
         "large": {
          "input": 10,
          "output": 5
         }
        },
        "cost": 0.00002,
        "cluster": "refunds",
        "dataset_row": {
         "id": "a",
         "metadata": {
          "lang": "de"
         }
        }
       },
       "evaluation_scores": [
        {
         "key": "correct",
         "score": 1,
         "comment": "equal"
        }
       ]
      }"
    `);
  });

  test("of a trial without a measurement has its error and no answer, and no times where nothing was asked", () => {
    const unreachable = row(failed("unreachable", "connect ECONNREFUSED"));
    expect(unreachable).not.toHaveProperty("actual_outputs");
    expect(unreachable).toMatchObject({ error: "connect ECONNREFUSED", start_time: "2026-11-27T10:00:00.000Z" });
    expect(unreachable["run_metadata"]).toEqual({
      ...{ case_id: "a", repetition: 0, outcome: "unreachable", attempts: 1, in_flight: 2, revision_id: "rev-1" },
      ...{ cluster: "refunds", dataset_row: { id: "a", metadata: { lang: "de" } } },
    });
    const unasked = row(failed("unasked", ""));
    expect(Object.keys(unasked)).toEqual(["row_id", "inputs", "expected_outputs", "run_metadata"]);
  });

  test("of an answer without what is looked for has no output, and that is not null", () => {
    const none = row({ ...ANSWER, state: { messages: [{ content: "Why?" }, { type: "ai" }] } });
    expect(withoutState(none)["actual_outputs"]).toEqual({ tool_calls: [] });
    expect(row({ ...ANSWER, state: { messages: [{ content: null }] } })["actual_outputs"]).toMatchObject({
      output: null,
    });
  });

  test("says where an answer was not verified, and costs nothing that is not known", () => {
    const { run_metadata: facts } = row({ ...ANSWER, isUnverified: true, state: {} });
    expect(facts).toMatchObject({ unverified: true });
    expect(facts).not.toHaveProperty("usage");
    expect(facts).not.toHaveProperty("cost");
  });
});

describe("scorers see", () => {
  test("the answer, the whole state and what it took", () => {
    expect(scoredRowOf(row())).toEqual({
      ...{ id: "a 0", output: "Because", state: ANSWER.state, runMilliseconds: 2000, tokens: 15, cost: 20e-6 },
      row: CASE.row,
      toolCalls: [{ name: "look", args: { id: 1 } }],
    });
  });

  test.each<readonly [string, JsonObject]>([
    ["columns", { id: 7, question: "Why?", facts: ["x"], answer: { text: "y" }, metadata: { cluster: "c" } }],
    ["an answer that is null", { id: "a", question: "Why?", answer: null }],
    ["turns", { id: "a", turns: ["Hello", "Now?"], expected: "x" }],
    ["a text as input", { input: "Why?", output: "Because" }],
    ["names of properties", JSON.parse('{"id":"a","__proto__":{"q":1},"constructor":"c"}') as JsonObject],
  ])(
    "the row of a dataset with %s as it stands there, also when the results are all that is left",
    async (_what, given) => {
      const path = join(temporaryTree({ "cases.json": JSON.stringify([given]) }), "cases.json");
      const { cases } = await readDataset({ ...REQUEST.dataset, file: { path, name: "cases.json" } });
      const [asked] = cases;
      if (!asked) throw new TypeError("no case");
      const kept = rowOf({ case: asked, repetition: 0, attempt: 1 }, ANSWER, REQUEST, "");
      const seen = scoredRowOf(JSON.parse(JSON.stringify(withoutState(kept))) as JsonObject);
      expect(seen.row).toMatchObject(given);
      if (!("answer" in given)) expect(seen.row).toEqual(given);
    },
  );
});

describe("scores", () => {
  const by = (onAgentError: "missing" | "zero") =>
    scoring({ correct: { equals: "$.answer" }, quick: { "latency-below": "4s" } }, {}, onAgentError);

  test("are made of answers, are 0 for an error of the agent, and are none for what is no measurement", async () => {
    expect(await by("zero").scoresOf(row())).toMatchObject([
      { key: "correct", score: 1 },
      { key: "quick", score: 1 },
    ]);
    const broke = row(failed("agent-error", "ValueError"));
    const zeros = ["correct", "quick"].map((key) => ({ key, score: 0 }));
    expect(await by("zero").scoresOf(broke)).toEqual(zeros);
    expect(await by("missing").scoresOf(broke)).toEqual([]);
    const others = ["interrupted", "empty", "timeout", "cancelled", "unverified", "unreachable", "unasked"] as const;
    for (const outcome of others) expect(await by("zero").scoresOf(row(failed(outcome, "x"))), outcome).toEqual([]);
  });

  test("that are missing say why, and which of them broke; new ones take the place of all before", () => {
    const missing: readonly TrialScore[] = [
      { key: "price", missing: "no expectation", isBroken: false },
      { key: "helpful", missing: "exit 1", isBroken: true },
    ];
    const scored = withScores(row(), missing);
    expect(scored).toMatchObject({
      run_metadata: { broken_scores: ["helpful"] },
      evaluation_scores: [
        { key: "price", score: null, comment: "no expectation" },
        { key: "helpful", score: null, comment: "exit 1" },
      ],
    });
    expect(withScores(scored, [])).toEqual(row());
  });
});

describe("the summary", () => {
  test("of rows has counts, means, and one error of each kind", () => {
    const summary = new Summary();
    summary.add(withScores(row(), [{ key: "correct", score: 1 }]));
    summary.add(withScores(row({ ...ANSWER, runMilliseconds: 100 }, { id: "b" }), [{ key: "correct", score: 0 }]));
    summary.add(withScores(row(ANSWER, { repetition: 1 }), [{ key: "correct", missing: "none", isBroken: false }]));
    summary.add(
      withScores(row(ANSWER, { id: "b", repetition: 1 }), [{ key: "correct", missing: "crash", isBroken: true }]),
    );
    summary.add(row(failed("timeout", "120 s", { runId: "" }), { id: "c" }));
    summary.add(row(failed("timeout", "121 s"), { id: "d" }));
    summary.add(row(failed("agent-error", "ValueError"), { id: "e" }));
    expect(summary.get()).toEqual({
      ...{ cases: 5, trials: 7, agentErrors: 1, unmeasured: 2 },
      errors: [
        { outcome: "timeout", count: 2, caseId: "c", error: "120 s" },
        { outcome: "agent-error", count: 1, caseId: "e", error: "ValueError" },
      ],
      scores: [{ key: "correct", mean: 0.5, count: 2, missing: 2, broken: 1, reason: "crash" }],
      tokens: { input: 40, output: 20 },
      cost: 80e-6,
      latency: { p50: 2000, p95: 2000 },
    });
  });

  test("knows no sum with an unknown part, and nothing of no rows", () => {
    const summary = new Summary();
    expect(summary.get()).toMatchObject({
      cases: 0,
      tokens: undefined,
      cost: undefined,
      latency: undefined,
      scores: [],
    });
    summary.add(row());
    summary.add(row(failed("timeout", "120 s", { runId: "run-2" }), { id: "b" }));
    expect(summary.get()).toMatchObject({ tokens: undefined, cost: undefined });
  });

  test("does not know what a trial took that was asked again", () => {
    const summary = new Summary();
    const once = row();
    summary.add(once);
    expect(summary.get().tokens).toBeDefined();
    summary.add({ ...once, run_metadata: { ...objectIn(once["run_metadata"]), attempts: 2 } });
    expect(summary.get()).toMatchObject({ tokens: undefined, cost: undefined });
  });
});

const SERVER = { version: "0.16.7", revisionId: "rev-1", workers: 4 };

/** Writes results of these trials, and gives their path. */
function written(rows: readonly JsonObject[], last = SERVER): string {
  const summary = new Summary();
  for (const each of rows) summary.add(each);
  const whole = { ...summary.get(), first: SERVER, last };
  const path = join(temporaryFolder(), "results.jsonl");
  const dataset = { ...REQUEST.dataset, shard: { index: 2, count: 5 } };
  writeResults(
    path,
    headerOf({ dataset, concurrency: 8 }, whole, { graph: "agent", evaluatorDigest: "e1" }),
    rows.map(withoutState),
  );
  return path;
}

/** What the other steps read. */
async function rowsIn(path: string) {
  const rows: TakenRow[] = [];
  const files = {
    files: [{ path, name: basename(path) }],
    format: undefined,
    mapping: undefined,
    workspace: "/nowhere",
  };
  const evaluation = await readEvaluation(
    { ...files, dataset: undefined, takesVerbatim: false, filesAre: "shards" },
    { spoolDirectory: undefined, clock: systemClock, signal: new AbortController().signal, emit: () => undefined },
    (taken) => rows.push(taken),
  );
  evaluation.faults.throwIfAny();
  return { rows, evaluation };
}

describe("results", () => {
  const UUID = "6F8466EB-ee5d-4be0-aa9a-9e3517345700";
  const trials = ["a", "b", UUID].flatMap((id) => [0, 1, 2].map((repetition) => row(ANSWER, { id, repetition })));
  const scored = trials.map((each) => withScores(each, [{ key: "correct", score: 1 }]));

  test("are rows of an upload that say who was asked, and by what they were scored", async () => {
    const { evaluation } = await rowsIn(written(scored, { ...SERVER, revisionId: "rev-2" }));
    expect(evaluation.files).toMatchObject([{ format: "native-jsonl", rows: 9 }]);
    expect(evaluation.run.first("datasetName")).toBe("support");
    expect(evaluation.run.metadata).toEqual({
      ...{ graph: "agent", server_version: "0.16.7", revision_id: "rev-1" },
      ...{ server_version_last: "0.16.7", revision_id_last: "rev-2", cases: 3, trials: 9, asked: 9, concurrency: 8 },
      shard: "2/5",
      ...{ evaluator_digest: "e1", score_ranges: { correct: { min: 0, max: 1 } } },
    });
  });

  test("of two evaluations pair case by case and trial by trial", async () => {
    const [one, other] = [await rowsIn(written(scored)), await rowsIn(written(scored.toReversed()))];
    const keysOf = ({ rows }: typeof one) => rows.map(({ caseKey }) => caseKey).toSorted();
    expect(new Set(keysOf(one)).size).toBe(3);
    expect(keysOf(one)).toEqual(keysOf(other));
    expect(one.rows.map(({ source }) => source.metadata?.["repetition"])).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
  });

  test("can be read where nobody could be asked", async () => {
    for (const outcome of ["unreachable", "unasked"] as const) {
      const { evaluation, rows } = await rowsIn(
        written([row(failed(outcome, "x")), row(failed(outcome, "x"), { id: "b" })]),
      );
      expect(evaluation.files).toMatchObject([{ format: "native-jsonl", rows: 2 }]);
      expect(rows.map(({ source }) => source.metadata?.["outcome"])).toEqual([outcome, outcome]);
    }
  });

  test("are scored again with all else as it was, byte by byte", async () => {
    const definitions = {
      correct: { equals: "$.question" },
      price: { number: "$.price" },
      state: { equals: "$.question", of: "$.messages" },
    };
    const { scorers } = readScorers(definitions);
    const state: JsonValue = { messages: [{ content: "Why?" }] };
    const broke = withScores(row(failed("agent-error", "ValueError"), { id: "c" }), [{ key: "old", score: 0 }]);
    const others = [row({ ...ANSWER, state }, { id: "b" }), broke, row(failed("timeout", "x"), { id: "d" })];
    const path = written([...scored, ...others], { ...SERVER, revisionId: "rev-2" });
    const before = readFileSync(path, "utf8").split("\n");
    const by = { scorers, onAgentError: "zero" as const };
    const summary = await scoreResults({ path, name: "results.jsonl" }, by, DEPS);
    expect(summary).toMatchObject({ trials: 12, first: { version: "0.16.7" }, last: { revisionId: "rev-2" } });
    expect(summary.scores).toMatchObject([
      { key: "correct", count: 11, mean: 1 / 11, missing: 0 },
      { key: "price", count: 1, missing: 10, broken: 0 },
      { key: "state", count: 1, missing: 10, broken: 0, reason: "the final state was not kept" },
    ]);
    const after = readFileSync(path, "utf8").split("\n");
    const bare = (line: string) => line.replace(/(?:,"evaluation_scores":.*|"evaluator_digest":.*|)\}$/, "");
    expect(after.map(bare)).toEqual(before.map(bare));
    expect(JSON.parse(after[0] ?? "")).toMatchObject({
      experiment_metadata: {
        evaluator_digest: await scoring(definitions).digest(),
        score_ranges: { price: { min: 0, max: 1 } },
      },
    });
    const once = readFileSync(path);
    await scoreResults({ path, name: "results.jsonl" }, by, DEPS);
    expect(readFileSync(path)).toEqual(once);
  });

  /** Twenty answers, and a scorer that ends those that wait, the last one first, once `isTime` says so. */
  function twenty(isTime: (waiting: number, id: string) => boolean) {
    const path = written(Array.from({ length: 20 }, (_, at) => row(ANSWER, { id: String(at) })));
    const waiting: (() => void)[] = [];
    const score = async ({ id }: ScoredRow) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (isTime(waiting.length, id)) for (const end of waiting.splice(0).toReversed()) end();
      });
      return [{ key: "at", score: Number.parseInt(id, 10) / 20 }];
    };
    const started = { score, contents: async () => Promise.resolve([]), end: async () => Promise.resolve() };
    const scorer = { name: "at", keys: ["at"], definition: {}, start: () => started };
    const by = { scorers: [scorer], onAgentError: "zero" as const };
    const again = async (deps: Partial<ScoringDeps>) =>
      scoreResults({ path, name: "results.jsonl" }, by, { ...DEPS, ...deps });
    return { path, again };
  }

  test("are scored again several rows at once, and stay in their order", async () => {
    const { path, again } = twenty((waiting, id) => waiting === 8 || id === "19 0");
    await again({});
    const scores = readFileSync(path, "utf8").matchAll(/"key":"at","score":([\d.]+)/g);
    expect([...scores].map(([, score]) => Number(score) * 20)).toEqual(Array.from({ length: 20 }, (_, at) => at));
  });

  test("are scored again by one at a time: another one ends at once, and the results are free after it", async () => {
    const { again } = twenty((waiting, id) => waiting === 8 || id === "19 0");
    const first = again({});
    await expect(again({})).rejects.toMatchObject({ code: "EVALUATION_HELD" });
    await first;
    await again({});
  });

  test("stay as they were where scoring them again is cancelled", async () => {
    const cancel = new AbortController();
    const { path, again } = twenty((waiting) => {
      if (waiting === 8) cancel.abort();
      return cancel.signal.aborted;
    });
    const before = readFileSync(path);
    await expect(again({ signal: cancel.signal })).rejects.toThrow("aborted");
    expect(readFileSync(path)).toEqual(before);
  });

  test("stay as they were where scorers that wait for nothing are cancelled", async () => {
    const cancel = new AbortController();
    const { path, again } = twenty(() => {
      setImmediate(() => {
        cancel.abort();
      });
      return true;
    });
    const before = readFileSync(path);
    await expect(again({ signal: cancel.signal })).rejects.toThrow("aborted");
    expect(readFileSync(path)).toEqual(before);
  });

  test.each([
    ["an empty file", ""],
    ["results of another tool", '{"type":"experiment","experiment_name":"x"}\n'],
    ["rows without a first line", '{"row_id":"a","run_metadata":{"outcome":"answered"}}\n'],
    [
      "a row that nobody asked",
      '{"type":"experiment","experiment_metadata":{"evaluator_digest":"e"}}\n{"row_id":"a"}\n',
    ],
  ])("are not scored again from %s, which stays", async (_what, text) => {
    const path = join(temporaryFolder(), "results.jsonl");
    writeFileSync(path, text);
    const by = { scorers: [], onAgentError: "zero" as const };
    await expect(scoreResults({ path, name: "results.jsonl" }, by, DEPS)).rejects.toThrow(DataFileError);
    expect(readFileSync(path, "utf8")).toBe(text);
  });
});
