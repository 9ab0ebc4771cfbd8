import { describe, expect, test } from "vitest";
import { judge as judgeRows } from "../../src/judgement/judge-rows.ts";

const rows = (scorers: readonly string[], key = "scorer") =>
  scorers.map((scorer, at) => ({
    ...{ id: `q${String(at)}`, inputs: { q: at }, outputs: "a", scores: { correct: 1 } },
    metadata: { [key]: scorer },
  }));
const many = (given: Readonly<Record<string, number>>) =>
  Object.entries(given).flatMap(([name, count]) => Array.from({ length: count }, () => name));
const GATES = "correct not regressed";

describe("what rows state of their evaluator", () => {
  const judged = async (before: readonly string[], now: readonly string[], key = "scorer") => {
    const [results, baseline] = [{ rows: rows(now, key) }, { rows: rows(before, key) }];
    return (await judgeRows({ results, baseline, gates: GATES })).judgement;
  };

  test("is told where a new kind of cases has its own, and is compared", async () => {
    const before = many({ exact: 20, llm: 20 });
    const { status, warnings } = await judged(before, [...before, "regex", "regex"]);
    expect(status).toBe("passed");
    expect(warnings).toEqual([
      'The rows do not state the same evaluators as those of the baseline: `scorer: ["exact","llm"] → ["exact","llm","regex"]`. That alone may change the scores.',
    ]);
    expect((await judged(many({ exact: 40 }), many({ exact: 40, llm: 4 }))).status).toBe("passed");
  });

  test.each([
    ["all of one", many({ llm: 40 }), many({ exact: 40 })],
    ["one of two", many({ exact: 20, llm: 20 }), many({ exact: 20, regex: 20 })],
  ])("is another evaluator where it replaces %s", async (_, before, now) => {
    await expect(judged(before, now)).rejects.toThrow(/evaluator is not that of the baseline: `scorer: /);
    await expect(judged(before, now, "judge_model")).rejects.toThrow(/`judge_model: /);
  });
});

test.each([
  ["names and a digest", "judge_model", "evaluator_digest"],
  ["a digest and names", "evaluator_digest", "judge_model"],
  ["two names", "scorer", "judge_model"],
])("what only one side states is a warning: %s", async (_, before, now) => {
  const run = (key: string) => ({ rows: rows(many({ "7f": 20 }), key) });
  const { judgement } = await judgeRows({ results: run(now), baseline: run(before), gates: GATES });
  expect(judgement.status).toBe("passed");
  expect(judgement.warnings).toEqual([
    `The baseline does not state \`${now}\` of its evaluator, which the other side states.`,
    `This run does not state \`${before}\` of its evaluator, which the other side states.`,
  ]);
});
