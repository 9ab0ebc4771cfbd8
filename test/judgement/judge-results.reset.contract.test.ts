import { join } from "node:path";
import { expect, test } from "vitest";
import { readSnapshot } from "../../src/judgement/cases/snapshot-reader.ts";
import { snapshotText } from "../../src/judgement/cases/snapshot-writer.ts";
import { Gates } from "../../src/judgement/gates/gates.ts";
import type { JudgementRequest } from "../../src/judgement/judge-results.ts";
import { judge as judgeRows } from "../../src/judgement/judge-rows.ts";
import { ACCEPT_BY_RESET } from "../../src/judgement/judgement.ts";
import { casesRig } from "./cases/cases-rig.ts";

const rows = (metric: string, scores: readonly number[], name = "q") =>
  scores
    .map(
      (score, at) =>
        `${JSON.stringify({ id: `${name}${String(at)}`, inputs: { q: at }, outputs: "a", scores: { [metric]: score } })}\n`,
    )
    .join("");

/** A workspace, and runs on main one after another: each saves its snapshot if it is green. */
async function runsOnMain() {
  const rig = await casesRig();
  let day = 0;
  const run = async (text: string, gates: string, more: Partial<JudgementRequest> = {}) => {
    day += 1;
    const name = `run-${String(day)}.jsonl`;
    await rig.write({ [name]: text });
    const created = `2026-11-${String(day).padStart(2, "0")}T00:00:00Z`;
    const settings = { gates: Gates.parse(gates), onMissingBaseline: "fail" } as const;
    const of = { dataset: { name: "qa" }, created, run: String(day) };
    const judged = await rig.judge({ now: name, baseline: "baseline/*" }, { ...settings, run: of, ...more });
    const snapshot = `baseline/${String(day)}.snapshot.jsonl`;
    const isGreen = ["passed", "warned", "bootstrap", "none"].includes(judged.judgement.status);
    if (isGreen) rig.save(judged.results, snapshot);
    return {
      ...judged.judgement,
      ...judged,
      snapshot: () => readSnapshot({ path: join(rig.workspace, snapshot), name: snapshot }),
    };
  };
  return { ...rig, run };
}

const kindsOf = ({ gaps }: { readonly gaps: readonly { readonly kind: string }[] }) => gaps.map(({ kind }) => kind);
const ONES = Array.from({ length: 10 }, () => 1);

test("a wanted change has a way out: one run with `baseline: reset`, and the pool begins with it", async () => {
  const { run } = await runsOnMain();
  expect(await run(rows("correct", ONES), "correct >= 0.9", { onMissingBaseline: "bootstrap" })).toMatchObject({
    status: "passed",
  });
  const renamed = await run(rows("accuracy", ONES), "accuracy not regressed");
  expect(renamed.status).toBe("incomplete");
  expect(kindsOf(renamed)).toEqual(["lost-metric"]);
  expect(renamed.gaps[0]?.message).toBe(`A metric of the baseline is missing now: correct. ${ACCEPT_BY_RESET}`);
  expect(renamed.headline).toMatch(/, or accept the change by one run on the main branch with `baseline: reset`\.$/);
  const reset = await run(rows("accuracy", ONES), "accuracy not regressed", { isReset: true });
  expect(reset).toMatchObject({
    status: "bootstrap",
    baseline: undefined,
    headline:
      "Nothing was compared: this run starts a new baseline. Save the snapshot of this run as the baseline. Then remove `baseline: reset`.",
  });
  expect(reset.snapshot().run).toMatchObject({ isReset: true, allowed: {} });
  const after = await run(rows("accuracy", ONES), "accuracy not regressed");
  expect(after).toMatchObject({ status: "passed", warnings: [] });
  expect(after.baseline?.sources).toEqual(["baseline/3.snapshot.jsonl"]);
  expect(after.snapshot().run.isReset).toBe(false);
  expect((await run(rows("accuracy", ONES), "accuracy not regressed")).baseline?.sources).toEqual([
    "baseline/4.snapshot.jsonl",
    "baseline/3.snapshot.jsonl",
  ]);
});

test.each<[string, string, string, string]>([
  ["a new dataset", rows("correct", ONES, "new"), "correct not regressed", "nothing-shared"],
  [
    "a new scale",
    rows(
      "correct",
      ONES.map((_, at) => 40 + at / 2),
    ),
    "correct not regressed",
    "other-scale",
  ],
  ["fewer cases", rows("correct", ONES.slice(5)), "correct not regressed", "missing-cases"],
])("%s is accepted in the same way", async (_what, text, gates, kind) => {
  const { run } = await runsOnMain();
  await run(
    rows(
      "correct",
      ONES.map((_, at) => at / 10),
    ),
    "rows > 0",
  );
  const changed = await run(text, gates);
  expect([changed.status, ...kindsOf(changed)]).toEqual(["incomplete", kind]);
  expect(changed.gaps[0]?.message).toContain(ACCEPT_BY_RESET);
  expect(await run(text, gates, { isReset: true })).toMatchObject({ status: "bootstrap" });
  expect(await run(text, gates)).toMatchObject({ status: "passed" });
});

test("a run that starts a new baseline is red only by rules about the results themselves, and warns that nothing was compared", async () => {
  const { run, filesOf, workspace } = await runsOnMain();
  await run(rows("correct", ONES), "rows > 0");
  const anchor = { files: await filesOf(["baseline/*"]), format: undefined, mapping: undefined, workspace };
  const failing = rows(
    "correct",
    ONES.map(() => 0),
  );
  const isReset = true;
  const told = expect.stringMatching(
    /^Nothing was compared with a baseline, .* is for one run on the main branch/,
  ) as string;
  expect(await run(failing, "correct drop <= 0", { isReset })).toMatchObject({ status: "bootstrap", warnings: [told] });
  const broken = expect.stringMatching(/^Against the anchor baseline\/1\.snapshot\.jsonl: /) as string;
  expect(await run(failing, "correct drop <= 0", { isReset, anchor })).toMatchObject({
    status: "warned",
    headline: expect.stringMatching(/^Passed with 1 warning: Against the anchor .* Nothing was compared: /) as string,
    warnings: [told, broken],
  });
  const ofOther = { dataset: { name: "other" }, created: "2026-11-20T00:00:00Z", run: "20" };
  expect(await run(failing, "correct drop <= 0", { isReset, anchor, run: ofOther })).toMatchObject({
    status: "bootstrap",
    warnings: [told, expect.stringMatching(/dataset of the anchor .* The anchor is not compared\.$/) as string],
  });
  expect(await run(failing, "correct >= 0.9\ncorrect drop <= 0", { isReset })).toMatchObject({ status: "failed" });
});

test(
  "what a rule allowed to go need not come back, and what it did not allow is protected",
  { tags: "slow" },
  async () => {
    const { run } = await runsOnMain();
    const gates = "correct not regressed\nunmatched <= 2";
    await run(rows("correct", ONES), "rows > 0");
    const fewer = await run(rows("correct", ONES.slice(2)), gates);
    expect(fewer).toMatchObject({ status: "passed", now: { allowed: { unmatched: 2 } } });
    expect(fewer.snapshot().run.allowed).toEqual({ unmatched: 2 });
    expect(await run(rows("correct", ONES.slice(4)), gates)).toMatchObject({
      status: "passed",
      baseline: { cases: { length: 8 } },
    });
    const same = await run(rows("correct", ONES.slice(4)), gates);
    expect(same).toMatchObject({ status: "passed", baseline: { cases: { length: 6 } }, now: { allowed: {} } });
    expect(await run(rows("correct", ONES.slice(7)), gates)).toMatchObject({ status: "incomplete" });
  },
);

test("rows of a program can start a new baseline too", async () => {
  const given = (metric: string) => ({
    rows: ONES.map((score, at) => ({ id: String(at), inputs: { q: at }, outputs: "a", scores: { [metric]: score } })),
  });
  const first = await judgeRows({ results: given("correct"), gates: "rows > 0" });
  const accuracy = { results: given("accuracy"), gates: "accuracy not regressed", onMissingBaseline: "fail" } as const;
  expect((await judgeRows({ ...accuracy, baseline: first.results })).judgement.status).toBe("incomplete");
  const reset = await judgeRows({ ...accuracy, baseline: "reset" });
  expect(reset.judgement.status).toBe("bootstrap");
  expect(reset.judgement.warnings).toHaveLength(1);
  const zeros = given("accuracy").rows.map((row) => ({ ...row, scores: { accuracy: 0 } }));
  const lower = await judgeRows({
    ...accuracy,
    results: { rows: zeros },
    baseline: "reset",
    anchor: given("accuracy"),
  });
  expect(lower.judgement).toMatchObject({ status: "warned", anchor: [expect.stringMatching(/^Against the anchor /)] });
  expect(snapshotText(reset.results)).toContain('"reset":true');
  const after = await judgeRows({ ...accuracy, baseline: [first.results, reset.results] });
  expect(after.judgement).toMatchObject({ status: "passed", baseline: { runs: 1 } });
});
