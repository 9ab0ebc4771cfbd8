import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { Run } from "../../../../src/contract/run.ts";
import { snapshotText } from "../../../../src/judgement/cases/snapshot-writer.ts";
import { startLocalService } from "../../../../src/local/index.ts";
import { countingServer } from "../../../evaluation/counting-server.ts";
import { setOf, trial } from "../../../judgement/cases/made-sets.ts";
import { happened } from "./step.ts";

const KEY = "key-of-the-trace";
const Page = z.object({ resources: z.array(Run) });

/** A local service that needs a key, and the inputs of a trace to it. */
async function tracing() {
  const service = await startLocalService({ apiKey: KEY });
  onTestFinished(() => service.close());
  const inputs = { "trace-session": "trials", "trace-url": service.url, "trace-api-key": KEY };
  const sent = async () => {
    const answer = await fetch(`${service.url}/runs?session=trials`, { headers: { "x-api-key": KEY } });
    return Page.parse(await answer.json()).resources;
  };
  return { service, inputs, sent };
}

test("each trial is a run in the project of the trace, without a secret, and the agent gets its headers", async () => {
  const { url, runs } = await countingServer();
  const { inputs, sent } = await tracing();
  const files = { "cases.jsonl": '{"id":"1","question":"Is hunter2 mine?"}\n{"id":"2","question":"Why?"}\n' };
  const events = await happened(
    { ...inputs, "agent-url": url, trials: "2", scorers: "said: { matches: /./ }" },
    { files, secrets: ["hunter2"] },
  );
  expect(events.slice(-2)).toMatchObject([
    { type: "ended", status: "complete" },
    { type: "traced", session: "trials", runs: 4 },
  ]);
  const traced = await sent();
  const Trial = z.object({ metadata: z.object({ case: z.string(), trial: z.number() }) });
  const asked = traced.map(({ extra }) => Trial.parse(extra).metadata);
  expect(asked.map((each) => `${each.case} ${String(each.trial)}`).sort()).toEqual(["1 0", "1 1", "2 0", "2 1"]);
  expect(traced.every((run) => run.name === "agent" && run.end_time !== undefined)).toBe(true);
  expect(JSON.stringify(traced)).toContain("Is *** mine?");
  expect(JSON.stringify(traced)).not.toContain("hunter2");
  const ids = traced.map(({ id }) => id.replaceAll("-", ""));
  expect(runs.map(({ headers }) => headers["traceparent"]?.split("-")[1]).sort()).toEqual(ids.sort());
});

test("a trace that is refused is one warning, and the evaluation as complete as before", async () => {
  const { url } = await countingServer();
  const { service, inputs } = await tracing();
  service.faults.add({
    times: Number.POSITIVE_INFINITY,
    match: { server: "service", path: /\/runs/ },
    do: { kind: "answer", status: 401 },
  });
  const events = await happened({ ...inputs, "agent-url": url, scorers: "said: { matches: /./ }" });
  expect(events.filter(({ type }) => type === "ended" || type === "warning")).toMatchObject([
    { type: "ended", status: "complete", error: undefined },
    { type: "warning", message: expect.stringMatching(/^The trace of this evaluation is incomplete: 1 run of 1 /) },
  ]);
});

test("the newest snapshot of the baseline says what to expect, and what it does not tell is unknown", async () => {
  const { url, runs } = await countingServer();
  const older = setOf([trial(1, { tokens: 1000, cost: 1 })], { created: "2026-11-01T00:00:00Z" });
  const newer = setOf([trial(1, { tokens: 10 }), trial(2, { tokens: 30 }), trial(3, { tone: 1 })], {
    created: "2026-11-02T00:00:00Z",
  });
  const files = { "baseline/a.snapshot.jsonl": snapshotText(newer), "baseline/b.snapshot.jsonl": snapshotText(older) };
  const planned = async (baseline: string) => {
    const events = await happened({ "agent-url": url, "dry-run": "true", trials: "3", baseline }, { files });
    return events.filter(({ type }) => type === "planned" || type === "warning");
  };
  expect(await planned("baseline/*.snapshot.jsonl")).toMatchObject([
    { type: "planned", estimate: { trials: 3, tokens: 60, cost: undefined } },
  ]);
  expect(await planned("none/*.snapshot.jsonl")).toMatchObject([{ estimate: { tokens: undefined, cost: undefined } }]);
  expect(await planned("cases.jsonl")).toMatchObject([
    { type: "warning", message: expect.stringMatching(/^What to expect is unknown: .*cases\.jsonl/) },
    { type: "planned", estimate: { tokens: undefined } },
  ]);
  expect(runs).toEqual([]);
});

test("where no answer has an output, a warning names the path", async () => {
  const { url } = await countingServer();
  const warned = async (output: string) => {
    const events = await happened({ "agent-url": url, output });
    return events.filter(({ type }) => type === "warning" || type === "ended");
  };
  expect(await warned("$.answer")).toMatchObject([
    { type: "warning", message: expect.stringContaining('No answer has anything at "$.answer"') },
    { type: "ended", status: "complete" },
  ]);
  expect(await warned("$.messages[-1]")).toMatchObject([{ type: "ended", status: "complete" }]);
});

test("where there are no scorers, a warning says so", async () => {
  const { url } = await countingServer();
  const files = { "evaluation.yaml": "dataset: cases.jsonl\n" };
  const warned = async (inputs: Parameters<typeof happened>[0]) =>
    (await happened({ "agent-url": url, ...inputs }, { files })).filter(({ type }) => type === "warning");
  expect(await warned({})).toMatchObject([{ message: "There are no scorers, so the answers get no scores." }]);
  expect(await warned({ scorers: "said: { matches: /./ }" })).toEqual([]);
});

const KEPT = `{"type":"experiment","experiment_metadata":{"evaluator_digest":"e1"}}
{"row_id":"1","inputs":{},"actual_outputs":{"output":"x"},"run_metadata":{"case_id":"1","repetition":0,"outcome":"answered"}}
`;

test("a scorer that breaks on kept answers makes the evaluation incomplete", async () => {
  const rescored = { rescore: "kept.jsonl", evaluation: "none", scorers: "it: { command: exit 3 }" };
  expect(await happened(rescored, { files: { "kept.jsonl": KEPT } })).toMatchObject([
    { type: "ended", status: "incomplete", error: { code: "EVALUATION_INCOMPLETE" }, summary: { trials: 1 } },
  ]);
});

// The report of a step tells an AbortError as a step that was cancelled.
test("kept answers whose scoring is cancelled end with the error of the signal", async () => {
  const rescored = { rescore: "kept.jsonl", evaluation: "none", scorers: "it: { command: cat > /dev/null }" };
  const cancelled = happened(rescored, { files: { "kept.jsonl": KEPT }, signal: AbortSignal.abort() });
  await expect(cancelled).rejects.toMatchObject({ name: "AbortError" });
});
