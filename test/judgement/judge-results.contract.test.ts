import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Gates } from "../../src/judgement/gates/gates.ts";
import { BaselineError, type JudgementRequest } from "../../src/judgement/judge-results.ts";
import { casesRig, NOW } from "./cases/cases-rig.ts";

const DAY = 24 * 3_600_000;

/** Twenty rows of which the first ones fail. */
function rows(failing: number, more: object = {}): string {
  const row = (at: number) => ({ id: `q-${String(at)}`, input: "a", correct: at >= failing, ...more });
  return Array.from({ length: 20 }, (_, at) => `${JSON.stringify(row(at))}\n`).join("");
}

async function runRig() {
  const rig = await casesRig();
  /** A snapshot of these rows. */
  const snapshot = async (name: string, failing: number, run: Partial<JudgementRequest["run"]> = {}) => {
    await rig.write({ [`${name}.jsonl`]: rows(failing) });
    const { results } = await rig.judge({ now: `${name}.jsonl` }, { run: { dataset: { name: "qa" }, ...run } });
    rig.save(results, `base/${name}.snapshot.jsonl`);
  };
  return { ...rig, snapshot };
}

test("results are judged against the pooled runs of a baseline", async () => {
  const { judge, snapshot } = await runRig();
  await snapshot("one", 1, { run: "1" });
  await snapshot("two", 1, { run: "2" });
  await snapshot("now", 12);
  const { judgement } = await judge({ now: "now.jsonl", baseline: "base/{one,two}.*" });
  expect(judgement).toMatchObject({ status: "failed", verdict: "regressed", baseline: { runs: 2, trials: 40 } });
  expect(judgement.counts).toMatchObject({ newlyFailing: 11 });
  expect(judgement.warnings).toEqual([]);
});

test("only the files of the results are reported as read, and warnings say which files they are about", async () => {
  const { judge, write, events } = await runRig();
  const declared = { scores: { correct: { score: 7, range: [0, 1] } } };
  await write({ "now.jsonl": rows(0), "before.jsonl": rows(0, { ...declared, correct: undefined }) });
  await judge({ now: "now.jsonl", baseline: "before.jsonl" }).catch(() => undefined);
  expect(events.flatMap((event) => (event.type === "file-read" ? [event.file.name] : []))).toEqual(["now.jsonl"]);
  expect(events.filter(({ type }) => type === "read")).toHaveLength(1);
  for (const event of events) if (event.type === "warning") expect(event.message).toMatch(/^Baseline: /);
});

test("a run is never its own baseline, and more runs than are pooled are no warning", { tags: "slow" }, async () => {
  const { judge, snapshot } = await runRig();
  await snapshot("now", 0, { run: "7" });
  const own = await judge({ now: "now.jsonl", baseline: "base/now.*" }, { run: { dataset: { name: "qa" }, run: "7" } });
  expect(own.judgement).toMatchObject({ status: "bootstrap", baseline: undefined });
  expect(own.judgement.warnings).toEqual([
    expect.stringContaining("it is a snapshot of the workflow run that is judged"),
  ]);
  for (const id of ["1", "2", "3"]) await snapshot(`n${id}`, 0, { run: id, created: `2026-11-0${id}T00:00:00Z` });
  const { judgement } = await judge({ now: "now.jsonl", baseline: "base/n?.*" }, { baselineKeep: 2 });
  expect(judgement.baseline?.runs).toBe(2);
  expect(judgement.warnings).toEqual([]);
});

test("another dataset is an error, and another evaluator where that is not allowed", async () => {
  const { judge, snapshot, write } = await runRig();
  await snapshot("before", 0, { evaluator: "judge-1" });
  await write({ "now.jsonl": rows(0) });
  const other = judge({ now: "now.jsonl", baseline: "base/*" }, { run: { dataset: { name: "sales" } } });
  await expect(other).rejects.toThrow(BaselineError);
  await expect(other).rejects.toMatchObject({ code: "BASELINE", reasons: ["DATASET_DIFFERS"] });
  const run = { dataset: { name: "qa" }, evaluator: "judge-2" };
  const changed = judge({ now: "now.jsonl", baseline: "base/*" }, { run });
  await expect(changed).rejects.toMatchObject({ reasons: ["EVALUATOR_DIFFERS"] });
  const { judgement } = await judge({ now: "now.jsonl", baseline: "base/*" }, { run, onEvaluatorChange: "warn" });
  expect(judgement.warnings).toEqual([
    "The evaluator is not that of the baseline: `evaluator: judge-1 → judge-2`. That alone may change the scores.",
  ]);
});

test("a run that names no dataset shares no case with a baseline that names one, and the gap says so", async () => {
  const { judge, snapshot, write } = await runRig();
  await snapshot("before", 0);
  await write({ "now.jsonl": rows(0) });
  const { judgement } = await judge({ now: "now.jsonl", baseline: "base/*" }, { run: {} });
  expect(judgement).toMatchObject({
    status: "incomplete",
    gaps: [
      {
        message: expect.stringMatching(
          /^The results and the baseline share no case: the baseline is of the dataset "qa", and this run names none\./,
        ) as string,
      },
    ],
  });
});

test("an old baseline and another concurrency are warnings", async () => {
  const { judge, snapshot, write } = await runRig();
  const created = new Date(NOW.getTime() - 12 * DAY).toISOString();
  await snapshot("before", 0, { created, concurrency: 4 });
  await write({ "now.jsonl": rows(0) });
  const run = { dataset: { name: "qa" }, concurrency: 8 };
  const { judgement } = await judge({ now: "now.jsonl", baseline: "base/*" }, { run, baselineMaxAge: 7 * DAY });
  expect(judgement.warnings).toEqual([
    "The baseline is 12 days old, which is more than 7 days.",
    expect.stringContaining("4 cases at once, and this run with 8"),
  ]);
});

test("a baseline whose files state no time has no age, which an age at most warns of", async () => {
  const { judge, write } = await runRig();
  await write({ "now.jsonl": rows(0), "before.jsonl": rows(0) });
  const files = { now: "now.jsonl", baseline: "before.jsonl" };
  const { judgement } = await judge(files, { baselineMaxAge: 7 * DAY });
  expect(judgement.baseline).toMatchObject({ isCreatedUnsure: true });
  expect(judgement.warnings).toEqual([
    "The files of the baseline state no time, so the baseline may be older than 7 days.",
  ]);
  expect((await judge(files)).judgement.warnings).toEqual([]);
});

test("a metric that has no score now is said to have none, where all cases are still there", async () => {
  const { judge, write } = await runRig();
  await write({ "now.jsonl": rows(0, { correct: null, tone: 1 }), "before.jsonl": rows(0) });
  const { judgement } = await judge({ now: "now.jsonl", baseline: "before.jsonl" });
  expect(judgement).toMatchObject({ status: "incomplete", rules: [{ found: "correct has no score" }] });
});

test("a rule that does not hold against the anchor is a warning, and one about the results alone is none", async () => {
  const { judge, snapshot } = await runRig();
  await snapshot("release", 1);
  await snapshot("now", 12);
  const gates = Gates.parse("correct not regressed\ncorrect >= 0.9");
  const { judgement } = await judge({ now: "now.jsonl", anchor: "base/release.*" }, { gates });
  expect(judgement.baseline).toBeUndefined();
  expect(judgement.warnings).toEqual([
    expect.stringMatching(/^Against the anchor base\/release\.snapshot\.jsonl: correct −55\.0 pp/),
  ]);
});

test("without a baseline that must be there, rules that need one fail", async () => {
  const { judge, write } = await runRig();
  await write({ "now.jsonl": rows(0) });
  const { judgement } = await judge({ now: "now.jsonl", baseline: "none/*" }, { onMissingBaseline: "fail" });
  expect(judgement).toMatchObject({
    status: "failed",
    headline: expect.stringMatching(/^Failed: there is no baseline/) as string,
  });
});

test("an anchor of another dataset is refused, and a broken one makes the status warned", async () => {
  const { judge, snapshot, write } = await runRig();
  await snapshot("release", 0, { evaluator: "judge-1" });
  await write({ "now.jsonl": rows(12) });
  const gates = Gates.parse("correct not regressed");
  const other = judge({ now: "now.jsonl", anchor: "base/*" }, { run: { dataset: { name: "sales" } }, gates });
  await expect(other).rejects.toMatchObject({ code: "BASELINE", reasons: ["DATASET_DIFFERS"] });
  await write({ "before.jsonl": rows(12) });
  const { judgement } = await judge({ now: "now.jsonl", baseline: "before.jsonl", anchor: "base/*" }, { gates });
  expect(judgement).toMatchObject({
    status: "warned",
    anchor: [expect.stringMatching(/^Against the anchor /) as string],
  });
  expect(judgement.headline).toMatch(/^Passed with 1 warning: Against the anchor /);
  // With another evaluator its numbers say nothing about the change.
  const run = { dataset: { name: "qa" }, evaluator: "judge-2" };
  const changed = await judge({ now: "now.jsonl", baseline: "before.jsonl", anchor: "base/*" }, { gates, run });
  expect(changed.judgement.status).toBe("passed");
  expect(changed.judgement.warnings).toContain(
    "The evaluator is not that of the anchor: `evaluator: judge-1 → judge-2`. The anchor is not compared.",
  );
});

test("results of two workflow runs are incomplete, with a baseline and without one", { tags: "slow" }, async () => {
  const { judge, snapshot, write } = await runRig();
  await snapshot("a", 0, { run: "6" });
  await write({ "before.jsonl": rows(0) });
  await snapshot("b", 0, { run: "7" });
  for (const baseline of [undefined, "before.jsonl"] as const) {
    const files = { now: "base/*", ...(baseline === undefined ? {} : { baseline }) };
    const { judgement } = await judge(files, { filesAre: "trials" });
    expect(judgement.status).toBe("incomplete");
    expect(judgement.gaps).toContainEqual(expect.objectContaining({ kind: "other-run" }));
    const allowed = await judge(files, { filesAre: "trials", onRunChange: "warn" });
    expect(allowed.judgement.gaps).not.toContainEqual(expect.objectContaining({ kind: "other-run" }));
    expect(allowed.judgement.warnings.join()).not.toContain("on-run-change");
  }
});

test.each([
  ["of the reading before", (text: string) => text.replace('"readings":{"jsonl":2}', '"readings":{"jsonl":1}')],
  ["that states no reading", (text: string) => text.replace('"readings":{"jsonl":2},', "")],
])("a baseline %s is left out with one warning, and the judgement is not red", async (_what, older) => {
  const { judge, snapshot, workspace } = await runRig();
  await snapshot("one", 1, { run: "1" });
  await snapshot("two", 1, { run: "2" });
  for (const name of ["one", "two"]) {
    const path = join(workspace, `base/${name}.snapshot.jsonl`);
    const text = readFileSync(path, "utf8");
    expect(older(text)).not.toBe(text);
    writeFileSync(path, older(text));
  }
  await snapshot("now", 12);
  const { judgement } = await judge({ now: "now.jsonl", baseline: "base/{one,two}.*" }, { onMissingBaseline: "fail" });
  expect(judgement).toMatchObject({ status: "bootstrap", baseline: undefined });
  expect(judgement.warnings.filter((warning) => warning.includes("another version of this step"))).toEqual([
    expect.stringMatching(
      /^base\/(?:one|two)\.snapshot\.jsonl, base\/(?:one|two)\.snapshot\.jsonl are left out of the baseline/,
    ),
  ]);
});
