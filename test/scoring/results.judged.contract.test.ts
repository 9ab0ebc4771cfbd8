import { join } from "node:path";
import { expect, test } from "vitest";
import { TRIAL_OUTCOMES, type TrialOutcome } from "../../src/contract/trial-outcome.ts";
import type { Asked } from "../../src/scoring/trial.ts";
import type { EvaluationCase } from "../../src/scoring/dataset.ts";
import { headerOf, writeResults } from "../../src/scoring/results.ts";
import { rowOf, withScores } from "../../src/scoring/row.ts";
import { Summary } from "../../src/scoring/summary.ts";
import { parsePath } from "../../src/files/json/path.ts";
import { Gates } from "../../src/judgement/gates/gates.ts";
import { casesRig } from "../judgement/cases/cases-rig.ts";

const OUTPUT = parsePath("$.answer") ?? expect.fail("no path");
const DATASET = { name: "qa", file: { path: "", name: "" }, input: undefined, filter: [], limit: undefined };
const SERVER = { version: "0.16.7", revisionId: "rev-1", workers: 4 };

function caseOf(at: number): EvaluationCase {
  const [inputs, expected, language] = [{ question: at }, { answer: at }, at % 2 === 0 ? "de" : "en"];
  const row = { id: `q-${String(at)}`, ...inputs, ...expected, metadata: { language } };
  return { id: row.id, digest: "", row, inputs, expected, turns: [inputs], cluster: `doc-${String(at)}` };
}

function answerOf(at: number, outcome: TrialOutcome): Asked {
  const isAnswered = outcome === "answered";
  return {
    ...{ outcome, state: isAnswered ? { answer: at } : undefined, error: isAnswered ? "" : `no: ${outcome}` },
    ...{ isUnverified: false, startedAt: new Date("2026-11-20T10:00:00Z"), endedAt: new Date("2026-11-20T10:00:09Z") },
    ...{ queuedMilliseconds: 8_000, runMilliseconds: 1_000, firstTokenMilliseconds: 40 },
    ...{ runId: `run-${String(at)}`, threadId: `thread-${String(at)}`, inFlight: 1 + (at % 8), traceId: "" },
  };
}

/** The results of these outcomes, one a case, in each of two trials. */
function write(path: string, outcomes: readonly TrialOutcome[], version: string): void {
  const summary = new Summary();
  const rows = outcomes.flatMap((outcome, at) =>
    [0, 1].map((repetition) => {
      const trial = { case: caseOf(at), repetition, attempt: 1 };
      const row = rowOf(trial, answerOf(at, outcome), { dataset: DATASET, output: OUTPUT, prices: {} }, "rev-1");
      const score = { answered: 1, "agent-error": 0 };
      return withScores(row, outcome in score ? [{ key: "correct", score: outcome === "answered" ? 1 : 0 }] : []);
    }),
  );
  for (const row of rows) summary.add(row);
  const server = { ...SERVER, version };
  const header = headerOf(
    { dataset: { ...DATASET, shard: { index: 1, count: 1 } }, concurrency: 8 },
    { ...summary.get(), first: server, last: server },
    { graph: "agent", evaluatorDigest: "e1" },
  );
  writeResults(path, header, rows);
}

const answered = (count: number) => Array.from({ length: count }, (): TrialOutcome => "answered");

test("what an evaluation writes is what judge reads: outcomes, latencies, parts, server and shard", async () => {
  const { judge, workspace } = await casesRig();
  write(join(workspace, "base.jsonl"), answered(20), "0.16.6");
  write(join(workspace, "now.jsonl"), [...TRIAL_OUTCOMES, ...answered(11)], "0.16.7");
  const gates = Gates.parse("correct [language = de] >= 0.5\ncorrect not regressed\np95(latency) <= 1s\nerrors = 2");
  const { judgement } = await judge(
    { now: "now.jsonl", baseline: "base.jsonl" },
    { run: {}, gates, cluster: "cluster" },
  );
  expect(judgement.status).toBe("incomplete");
  expect(judgement.gaps.map(({ kind }) => kind)).toEqual(["unmeasured"]);
  expect(judgement.now).toMatchObject({
    trials: 40,
    errors: 2,
    concurrency: 8,
    shards: ["1/1"],
    evaluatorDigest: "e1",
  });
  const unmeasured = TRIAL_OUTCOMES.filter((outcome) => outcome !== "answered" && outcome !== "agent-error");
  expect(judgement.now.unmeasured).toEqual(unmeasured.toSorted().map((outcome) => ({ outcome, count: 2 })));
  expect(judgement.rules.map(({ holds }) => holds)).toEqual([true, true, true, true]);
  expect(judgement.warnings).toContainEqual(
    expect.stringMatching(/^The agent server of the baseline is "0\.16\.6", but/),
  );
});
