import { expect, test } from "vitest";
import { carriedOut, makeStep, summaryOf } from "./step.ts";

const row = (at: number, more: object) =>
  JSON.stringify({
    ...{ id: `q-${String(at)}`, inputs: { at }, outputs: { a: 1 } },
    ...{ start_time: "2026-11-20T10:00:00Z", end_time: "2026-11-20T10:00:45Z" },
    ...more,
  });

const lines = (more: object) => Array.from({ length: 20 }, (_, at) => row(at, more)).join("\n");
const scored = (scores: Readonly<Record<string, number>>) => ({
  evaluation_scores: Object.entries(scores).map(([key, score]) => ({ key, score })),
});

async function judgedStep(gates: string, more: object, inputs: Readonly<Record<string, string>> = {}) {
  const { env } = await makeStep(
    { gates, "dataset-name": "qa", baseline: "none-*.jsonl", ...inputs },
    { files: { "results.jsonl": lines(more) } },
  );
  const facts = await carriedOut(env);
  return { facts, judgement: facts.judged?.judgement };
}

test("a measured time of 45 s breaks its limit, although a score has its name", async () => {
  const { judgement, facts } = await judgedStep(
    'p95(latency) <= 3s\n"latency" <= 3',
    scored({ latency: 2, correct: 1 }),
  );
  expect(judgement).toMatchObject({ status: "failed", rules: [{ holds: false }, { holds: true }] });
  const summary = summaryOf(facts);
  expect(summary).toContain("as measured");
  expect(summary).toContain("lower (measured)");
  expect(summary).toContain("lower (name)");
});

test("a name that may mean both is an error of the rules until the input says which", async () => {
  const more = scored({ contradiction: 1, correct: 1 });
  await expect(judgedStep("contradiction not regressed", more)).rejects.toMatchObject({ code: "GATES" });
  const { judgement, facts } = await judgedStep("contradiction not regressed", more, {
    directions: "contradiction: lower",
  });
  expect(judgement).toMatchObject({ status: "bootstrap" });
  expect(summaryOf(facts)).toContain("lower (given)");
});

test("a range that no metric bears is an error of the input, and a value outside one of the results", async () => {
  const given = (ranges: string) => judgedStep("correct >= 0.5", scored({ correct: 1 }), { ranges });
  await expect(given("corect = 0..1")).rejects.toThrow("is not a metric; did you mean `correct`?");
  await expect(given("correct = 0..0.5")).rejects.toThrow("has 1 for `correct`, outside of its range 0 to 0.5");
  expect((await given("correct = 0..1")).judgement?.status).toBe("passed");
});

test("a direction that turns around what is measured is an error of the input", async () => {
  const given = judgedStep("correct >= 0.5", scored({ correct: 1 }), { directions: "latency: higher" });
  await expect(given).rejects.toThrow("is measured, and less of it is better");
});
