import { link, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JudgementRequest } from "../../src/judgement/judge-results.ts";
import { casesRig } from "./cases/cases-rig.ts";

const ROWS = Array.from(
  { length: 20 },
  (_, at) => `${JSON.stringify({ id: `q-${String(at)}`, input: "a", correct: true })}\n`,
).join("");

/** A workspace with `now.jsonl` under several names, and an equal file. */
async function linkedRig() {
  const rig = await casesRig();
  await rig.write({ "now.jsonl": ROWS, "equal.jsonl": ROWS });
  await link(join(rig.workspace, "now.jsonl"), join(rig.workspace, "hard.jsonl"));
  await symlink("now.jsonl", join(rig.workspace, "soft.jsonl"));
  const judge = async (now: string, baseline: string, run: Partial<JudgementRequest["run"]> = {}) =>
    await rig.judge({ now, baseline }, { run: { dataset: { name: "qa" }, ...run } });
  return { ...rig, judge };
}

describe("a file that is both results and baseline", () => {
  test.each(["now.jsonl", "hard.jsonl", "soft.jsonl", "{now,equal}.jsonl"])(
    "makes the judgement incomplete, as %s",
    async (baseline) => {
      const { judge } = await linkedRig();
      const { judgement } = await judge("now.jsonl", baseline);
      expect(judgement).toMatchObject({ status: "incomplete", verdict: "incomplete" });
      expect(judgement.gaps.map(({ kind }) => kind)).toEqual(["same-file"]);
      expect(judgement.headline).toMatch(
        /^Incomplete: (now|hard|soft)\.jsonl is both results and baseline, and shows no change against itself: choose an earlier run as the baseline\./,
      );
    },
  );

  test("is another one where only the content is equal: that is unchanged", async () => {
    const { judge } = await linkedRig();
    const { judgement } = await judge("now.jsonl", "equal.jsonl");
    expect(judgement).toMatchObject({ status: "passed", verdict: "unchanged", gaps: [] });
  });

  test("is left out where it is the snapshot of this run", async () => {
    const { judge, save } = await linkedRig();
    const { results } = await judge("now.jsonl", "equal.jsonl", { run: "7" });
    save(results, "now.snapshot.jsonl");
    const { judgement } = await judge("now.snapshot.jsonl", "now.snapshot.jsonl", { run: "7" });
    expect(judgement).toMatchObject({ status: "bootstrap", gaps: [], baseline: undefined });
    expect(judgement.warnings.join()).toContain("is left out of the baseline");
  });
});
