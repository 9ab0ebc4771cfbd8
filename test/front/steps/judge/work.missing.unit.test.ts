import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { carriedOut, makeStep } from "./step.ts";

/** Rows of a table; the last ones as they are given. */
function csv(rows: number, last: readonly string[]): string {
  const lines = Array.from({ length: rows - last.length }, (_, at) => `q${String(at)},what ${String(at)},1,1,`);
  return ["id,question,accuracy,exact,error", ...lines, ...last].join("\n");
}

const judge = async (content: string, inputs: Readonly<Record<string, string>> = {}) => {
  const made = await makeStep(
    { results: "results.csv", gates: "accuracy >= 0.9", ...inputs },
    { files: { "results.csv": content } },
  );
  return { facts: await carriedOut(made.env), workspace: made.workspace };
};

describe("the step", () => {
  test("is incomplete for 95 of 100 rows without a score, and says how to allow it", async () => {
    const { facts } = await judge(
      csv(
        100,
        Array.from({ length: 95 }, (_, at) => `r${String(at)},why ${String(at)},N/A,1,`),
      ),
    );
    expect(facts.judged?.judgement).toMatchObject({ status: "incomplete", verdict: "incomplete" });
    expect(facts.judged?.judgement.headline).toContain(
      "accuracy is between 0.05 and 1, as 95 of 100 scores are missing: `accuracy >= 0.9` is open until they are there, or `missing_scores <= 95` allows it",
    );
  });

  test("does not miss an empty cell beside other scores", async () => {
    const { facts } = await judge(
      csv(
        100,
        Array.from({ length: 8 }, (_, at) => `r${String(at)},why ${String(at)},,1,`),
      ),
    );
    expect(facts.judged?.judgement.status).toBe("passed");
    expect(facts.judged?.judgement.rules[0]?.found).toContain("on 92 of 100 cases");
  });

  test("says at its end that a run is no baseline, writes it into the snapshot, and leaves that out later", async () => {
    const failed = csv(
      100,
      Array.from({ length: 8 }, (_, at) => `r${String(at)},why ${String(at)},,,away`),
    );
    const { facts, workspace } = await judge(failed, { gates: "accuracy >= 0.5", snapshot: "out/a.snapshot.jsonl" });
    const reason = "8 of 100 rows have an error, and no rule allows that";
    expect(facts.judged?.judgement.warnings).toContain(
      `This run is no baseline for later runs: ${reason}. Its snapshot says so, and later runs leave it out.`,
    );
    const snapshot = readFileSync(join(workspace, "out/a.snapshot.jsonl"), "utf8");
    expect(JSON.parse(snapshot.split("\n")[0] ?? "")).toMatchObject({ not_baseline: [reason] });
    const made = await makeStep(
      { results: "results.csv", gates: "accuracy not regressed", baseline: "a.snapshot.jsonl" },
      { files: { "results.csv": csv(100, []), "a.snapshot.jsonl": snapshot } },
    );
    const { judged } = await carriedOut(made.env);
    expect(judged?.judgement).toMatchObject({ status: "bootstrap", baseline: undefined });
    expect(judged?.judgement.warnings).toEqual([`a.snapshot.jsonl is left out of the baseline: ${reason}.`]);
  });
});
