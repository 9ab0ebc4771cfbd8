import { expect, test } from "vitest";
import { judgeFailure } from "../../front/steps/judge/report/failure.ts";
import { ResultsError } from "../../src/experiments/reading/result-faults.ts";
import { parseWhere } from "../../src/judgement/gates/where.ts";
import { judge } from "../../src/judgement/judge-rows.ts";
import { casesRig } from "./cases/cases-rig.ts";

/** Ten questions with each model; those of `good` are right. */
function table(models: readonly string[], good: string): string {
  const lines = models.flatMap((model) =>
    Array.from(
      { length: 10 },
      (_, at) => `c${String(at)},${model},question ${String(at)},x,${String(Number(model === good))}`,
    ),
  );
  return ["case_id,model,question,answer,correct", ...lines, ""].join("\n");
}

async function rigOf(files: Readonly<Record<string, string>>) {
  const rig = await casesRig();
  await rig.write(files);
  const judgeFiles = async (now: string, where?: string, baseline?: string) => {
    const wanted = where === undefined ? undefined : parseWhere(where);
    if (wanted?.ok === false) throw new Error(wanted.fault);
    const files = baseline === undefined ? { now } : { now, baseline };
    return await rig.judge(files, { where: wanted?.where, onMissingBaseline: "fail" });
  };
  return { ...rig, judgeFiles };
}

const NOW = table(["a", "b"], "a");

test("rows of two models are refused, and those of one are judged", async () => {
  const { judgeFiles } = await rigOf({ "now.csv": NOW });
  await expect(judgeFiles("now.csv")).rejects.toMatchObject({
    reasons: ["CASES_OF_SEVERAL"],
    axis: { column: "model" },
  });
  for (const [model, mean] of [
    ["a", 1],
    ["b", 0],
  ] as const) {
    const { judgement, results } = await judgeFiles("now.csv", `[model = ${model}]`);
    expect(judgement.now).toMatchObject({ cases: 10, trials: 10, where: `[model = ${model}]` });
    const at = [...results.metrics.keys()].indexOf("correct");
    expect([...results.cases].map(({ trials }) => trials[0]?.values[at])).toEqual(
      Array.from({ length: 10 }, () => mean),
    );
  }
});

test("rows of two judges and two metrics are refused until one value of each is chosen, by the lines of the errors", async () => {
  const lines = Array.from({ length: 6 }, (_, at) =>
    ["x", "y"].flatMap((judge) => ["tone", "truth"].map((metric) => `question ${String(at)},${judge},${metric},1`)),
  );
  const { judgeFiles } = await rigOf({ "now.csv": ["question,judge,metric,correct", ...lines.flat(), ""].join("\n") });
  const lineOf = async (where?: string) => {
    const error: unknown = await judgeFiles("now.csv", where).catch((thrown: unknown) => thrown);
    if (!(error instanceof ResultsError)) throw new Error("The rows were judged.");
    expect(error.reasons).toEqual([where === undefined ? "CASES_CROSSED" : "CASES_OF_SEVERAL"]);
    return /^\s*where: "(.*)"$/.exec(judgeFailure(error).paste[0] ?? "")?.[1];
  };
  const first = await lineOf();
  expect(first).toBe("[judge = x]");
  const second = await lineOf(first);
  expect(second).toBe("[judge = x, metric = tone]");
  expect((await judgeFiles("now.csv", second)).judgement.now).toMatchObject({ cases: 6, trials: 6 });
});

test.each([
  ["[modle = a]", "no row has a column `modle`"],
  ["[model = A]", "no row has `A` in `model`; its values are `a`, `b`"],
  ["[model = a, case_id = d]", "no row has `d` in `case_id`"],
])("%s is an error: %s", async (where, message) => {
  const { judgeFiles } = await rigOf({ "now.csv": NOW });
  const error: unknown = await judgeFiles("now.csv", where).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ResultsError);
  expect((error as ResultsError).message).toContain(message);
});

test(
  "result files of the baseline are chosen from in the same way, and left out where they cannot be told apart",
  { tags: "slow" },
  async () => {
    const { judgeFiles } = await rigOf({
      "now.csv": NOW,
      "before.csv": table(["b", "a"], "b"),
      "one.csv": table(["a"], "a"),
      "other.csv": table(["c"], "c"),
      "of-neither.csv": table(["a"], "a")
        .replaceAll(/^([^,]+),[^,]+,/gm, "$1,")
        .replace("answer", "reply"),
      "unnamed.csv": table(["a"], "a")
        .replace("answer", "reply text long")
        .replaceAll(/question (\d),x,/g, "question $1,the long reply to number $1 of all,"),
    });
    const { judgement } = await judgeFiles("now.csv", "[model = a]", "before.csv");
    expect(judgement.metrics.find(({ metric }) => metric === "correct")?.comparison?.change).toBe(1);
    for (const [now, where, baseline] of [
      ["now.csv", "[model = a]", "other.csv"],
      ["one.csv", undefined, "before.csv"],
      ["now.csv", "[model = a, answer = x]", "of-neither.csv"],
      ["one.csv", undefined, "unnamed.csv"],
    ] as const) {
      const { judgement: alone } = await judgeFiles(now, where, baseline);
      expect(alone).toMatchObject({ status: "bootstrap", baseline: undefined });
      expect(alone.warnings).toEqual([expect.stringContaining(`${baseline} is left out of the baseline:`)]);
    }
  },
);

test("a snapshot says of which rows it is, and is no baseline of others", async () => {
  const { judgeFiles, save } = await rigOf({ "now.csv": NOW, "one.csv": table(["a"], "a") });
  for (const model of ["a", "b"]) {
    const { results } = await judgeFiles("now.csv", `[model = ${model}]`);
    save(results, `${model}.snapshot.jsonl`);
  }
  const { judgement, baseline } = await judgeFiles("now.csv", "[model = a]", "*.snapshot.jsonl");
  expect(baseline?.sources).toEqual(["a.snapshot.jsonl"]);
  expect(judgement.warnings).toContain(
    "b.snapshot.jsonl is left out of the baseline: it is of `[model = b]`, and `[model = a]` are judged.",
  );
  const { judgement: all } = await judgeFiles("one.csv", undefined, "a.snapshot.jsonl");
  expect(all.status).toBe("bootstrap");
  const { judgement: again } = await judgeFiles("a.snapshot.jsonl", "[model = a]");
  expect(again.now.where).toBe("[model = a]");
  await expect(judgeFiles("a.snapshot.jsonl", "[model = b]")).rejects.toThrow(
    "it is a snapshot of the rows `[model = a]`",
  );
});

test("rows of a program are chosen by their metadata", async () => {
  const rows = ["a", "b"].flatMap((model) =>
    [1, 2, 3].map((at) => ({
      id: at,
      inputs: `q${String(at)}`,
      scores: { correct: model === "a" },
      metadata: { model },
    })),
  );
  await expect(judge({ results: { rows } })).rejects.toMatchObject({ reasons: ["CASES_OF_SEVERAL"] });
  const { judgement } = await judge({ results: { rows }, where: "[model = b]", gates: "correct >= 0.5" });
  expect(judgement).toMatchObject({ status: "failed", now: { cases: 3 } });
  await expect(judge({ results: { rows }, where: "[model" })).rejects.toThrow("`where` lacks `=`");
});
