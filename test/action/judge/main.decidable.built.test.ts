import { link } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { jobFolders } from "../../dist/job-folders.ts";
import { errorsOf, warningsOf } from "../../dist/upload-step.ts";
import { runAction } from "../../runner/runner.ts";

const JUDGE_YML = join(import.meta.dirname, "../../../action/judge/action.yml");

/** Rows with these scores by name. */
const rows = (scores: readonly Readonly<Record<string, boolean | number>>[]) =>
  scores.map((each, at) => `${JSON.stringify({ id: `q-${String(at)}`, input: "a", scores: each })}\n`).join("");
const repeat = <Value>(value: Value, times: number) => new Array<Value>(times).fill(value);
const passing = (times: number, name = "correct") => repeat({ [name]: true }, times);
const failing = (times: number, name = "correct") => repeat({ [name]: false }, times);

/** The built step, on results and a baseline of these rows. */
async function judgeStep(now: string, before: string | undefined, gates: string, more: object = {}) {
  const folders = await jobFolders();
  await folders.write({
    "now.jsonl": now,
    ...(before === undefined ? {} : { "before.jsonl": before }),
    "empty.gates": "# later\n",
  });
  await link(join(folders.workspace, "now.jsonl"), join(folders.workspace, "linked.jsonl"));
  const result = await runAction({
    actionYml: JUDGE_YML,
    workspace: folders.workspace,
    temp: folders.temp,
    secrets: [],
    inputs: {
      results: "now.jsonl",
      "dataset-name": "support",
      gates,
      baseline: before === undefined ? "none" : "before.jsonl",
      ...more,
    },
    env: { GITHUB_RUN_ID: "7" },
  });
  const { exitCode, outputs } = result;
  const [errors, warnings] = [errorsOf(result).join("\n"), warningsOf(result).join("\n")];
  return {
    exitCode,
    status: outputs.get("gate-status"),
    verdict: outputs.get("verdict"),
    errors,
    warnings,
    log: result.log.join("\n"),
  };
}

describe("the built step is never green for a rule that could not be red", () => {
  const ten = Array.from({ length: 10 }, (_, at) => `m${String(at)}`);
  const tenScores = (passed: boolean) => repeat(Object.fromEntries(ten.map((name) => [name, passed])), 8);

  test.each([
    [
      "5 of 5 cases fail",
      rows(failing(5)),
      rows(passing(5)),
      "correct not regressed",
      "5 of the 5 cases that can get worse did",
    ],
    [
      "8 of 8 fail on ten scores",
      rows(tenScores(false)),
      rows(tenScores(true)),
      ten.map((name) => `${name} not regressed`).join("\n"),
      "it needs at least 9",
    ],
  ])("where %s", async (_, now, before, gates, why) => {
    const step = await judgeStep(now, before, gates);
    expect(step).toMatchObject({ exitCode: 1, status: "incomplete", verdict: "incomplete" });
    expect(step.errors).toContain(why);
    expect(step.log).not.toMatch(/chance alone/);
  });

  test("and warns where fewer than half of 5 fail", async () => {
    const step = await judgeStep(rows([...failing(2), ...passing(3)]), rows(passing(5)), "correct not regressed");
    expect(step).toMatchObject({ exitCode: 0, status: "passed" });
    expect(step.warnings).toContain("could not have been broken with 5 cases");
  });

  test("beside 19 rules that only warn: 9 of 40 newly failing are harm", async () => {
    const others = Array.from({ length: 19 }, (_, at) => `o${String(at)}`);
    const of = (fallen: number) =>
      rows(
        Array.from({ length: 40 }, (_, at) => ({
          correct: at >= fallen,
          ...Object.fromEntries(others.map((name) => [name, true])),
        })),
      );
    const gates = ["correct not regressed", ...others.map((name) => `warn: ${name} not regressed`)].join("\n");
    expect(await judgeStep(of(9), of(0), gates)).toMatchObject({ exitCode: 1, status: "failed", verdict: "regressed" });
  });
});

test("the built step refuses rules that no result can break, and a file without a rule", async () => {
  const gates =
    "correct drop <= 2\nerror_rate <= 100%\nunmatched >= 0\nmissing_scores >= 0\ncorrect not worse by 100%\nrows > 0";
  const step = await judgeStep(rows(passing(20)), rows(passing(20)), gates);
  expect(step.exitCode).toBe(1);
  expect(step.log.match(/gates line \d/g)).toEqual([1, 2, 3, 4, 5].map((line) => `gates line ${String(line)}`));
  const empty = await judgeStep(rows(passing(20)), undefined, "empty.gates");
  expect(empty.exitCode).toBe(1);
  expect(empty.errors).toContain('"empty.gates" contains no rule');
});

test.each(["now.jsonl", "linked.jsonl"])("the built step compares no file with itself: %s", async (baseline) => {
  const step = await judgeStep(rows(passing(20)), undefined, "correct not regressed", { baseline });
  expect(step).toMatchObject({ exitCode: 1, status: "incomplete" });
  expect(step.errors).toContain(`${baseline} is both results and baseline`);
});

test("the built step sees 99 cases fall beside a case of any size", async () => {
  const scores = (value: number) => rows([...repeat({ points: value }, 99), { points: 2 ** 63 }]);
  const step = await judgeStep(scores(20), scores(95), "points not regressed");
  expect(step).toMatchObject({ exitCode: 1, status: "failed", verdict: "regressed" });
});
