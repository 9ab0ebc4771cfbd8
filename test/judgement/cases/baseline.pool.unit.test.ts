import { describe, expect, test } from "vitest";
import { leftWarnings, pooledBaseline, type SourcedRun } from "../../../src/judgement/cases/baseline.ts";
import type { Baseline, RunOfCases } from "../../../src/judgement/cases/case-set.ts";
import type { NewTrial } from "../../../src/judgement/cases/case-table.ts";
import { keyOf, setOf, trial } from "./made-sets.ts";

const all = [1, 2, 3, 4];
const scored = (...numbers: readonly number[]) => numbers.map((number) => trial(number, { accuracy: 1 }));

type Runs = readonly (readonly [trials: readonly NewTrial[], run: Partial<RunOfCases>])[];

/** Runs by day, the first the oldest. */
function poolOf(...given: Runs) {
  const runs = given.map(([of, more], at): SourcedRun => {
    const created = `2026-11-${String(at + 1).padStart(2, "0")}T00:00:00Z`;
    return { set: setOf(of, { created, run: String(at), ...more }), sources: [`${String(at)}.snapshot.jsonl`] };
  });
  return pooledBaseline(runs, { keep: 5, judged: { readings: { csv: 1 } } });
}

const numbersIn = (baseline: Baseline | undefined) =>
  all.filter((number) => [...(baseline?.cases ?? [])].some(({ key }) => key === keyOf(number)));

const UNMATCHED = { allowed: { unmatched: 1 } };
const ENDED_NOT = { isComplete: false };

test.each<[string, Runs, readonly number[]]>([
  [
    "where the newest run is partial",
    [
      [scored(1, 2, 3), {}],
      [scored(1), {}],
    ],
    [1, 2, 3],
  ],
  [
    "where a run says that it allowed nothing",
    [
      [scored(1, 2), {}],
      [scored(1), { allowed: {} }],
    ],
    [1, 2],
  ],
  [
    "unless a newer run allowed it to go",
    [
      [scored(1, 2), {}],
      [scored(1), UNMATCHED],
    ],
    [1],
  ],
  [
    "where more of them are gone than a newer run allowed",
    [
      [scored(1, 2, 3), {}],
      [scored(1), UNMATCHED],
    ],
    [1, 2, 3],
  ],
  [
    "unless newer runs allowed one each",
    [
      [scored(1, 2, 3), {}],
      [scored(1, 2), UNMATCHED],
      [scored(1), UNMATCHED],
    ],
    [1],
  ],
  [
    "unless a newer run did, and another followed",
    [
      [scored(1, 2), {}],
      [scored(1), UNMATCHED],
      [scored(1), {}],
    ],
    [1],
  ],
  [
    "where it came back",
    [
      [scored(1, 2), {}],
      [scored(1), UNMATCHED],
      [scored(1, 2), {}],
      [scored(1), {}],
    ],
    [1, 2],
  ],
  [
    "where an older run allowed others to go",
    [
      [scored(1, 3), UNMATCHED],
      [scored(1), {}],
    ],
    [1, 3],
  ],
  [
    "by another counter",
    [
      [scored(1, 2), {}],
      [scored(1), { allowed: { missing_scores: 1 } }],
    ],
    [1, 2],
  ],
  [
    "but for one of a run that did not end",
    [
      [scored(1, 2), ENDED_NOT],
      [scored(1), {}],
    ],
    [1],
  ],
  [
    "and those of a newest run that did not end",
    [
      [scored(1), {}],
      [scored(2), ENDED_NOT],
    ],
    [1, 2],
  ],
])("a case of any run of the pool is protected %s", (_what, runs, numbers) => {
  expect(numbersIn(poolOf(...runs).baseline)).toEqual(numbers);
});

describe("a score of any run of the pool is protected", () => {
  const whole = [trial(1, { accuracy: 1, tone: 0.5 }), trial(2, { accuracy: 1, tone: 0.5 })];
  const part = [trial(1, { accuracy: 1 }), trial(2, { accuracy: 1, tone: 0.5 })];
  const valuesOf = (baseline: Baseline | undefined) =>
    [...(baseline?.cases ?? [])].find(({ key }) => key === keyOf(1))?.trials.map(({ values }) => [...values]);

  test("where the newest run lacks it, in one case or in all", () => {
    expect(valuesOf(poolOf([whole, {}], [part, {}]).baseline)).toEqual([
      [1, 0.5],
      [1, Number.NaN],
    ]);
    const { baseline } = poolOf([whole, {}], [scored(1, 2), {}]);
    expect([...(baseline?.metrics.keys() ?? [])]).toEqual(["accuracy", "tone"]);
  });

  test("unless a newer run allowed it to go", () => {
    expect(valuesOf(poolOf([whole, {}], [part, { allowed: { missing_scores: 1 } }]).baseline)).toEqual([
      [1, Number.NaN],
      [1, Number.NaN],
    ]);
    const { baseline } = poolOf([whole, {}], [scored(1, 2), { allowed: { missing_scores: 2 } }]);
    expect([...(baseline?.metrics.keys() ?? [])]).toEqual(["accuracy"]);
  });

  test("where more of them are gone than a newer run allowed", () => {
    const { baseline } = poolOf([whole, {}], [scored(1, 2), { allowed: { missing_scores: 1 } }]);
    expect([...(baseline?.metrics.keys() ?? [])]).toEqual(["accuracy", "tone"]);
  });
});

test("a pool says of a case what its newest run says", () => {
  const [german, french] = ["de", "fr"].map((language) => [trial(1, { accuracy: 1 }, { metadata: { language } })]);
  const { baseline } = poolOf([german ?? [], {}], [french ?? [], {}]);
  expect(Array.from(baseline?.cases ?? [], ({ metadata, trials }) => [metadata, trials.length])).toEqual([
    [{ language: "fr" }, 2],
  ]);
});

test("a run that starts a new baseline closes the pool to older ones, which is no reason to warn", () => {
  const { baseline, left } = poolOf([scored(1, 2), {}], [scored(3), { isReset: true }], [scored(3, 4), {}]);
  expect(numbersIn(baseline)).toEqual([3, 4]);
  expect(baseline?.runs.map(({ run }) => run.run)).toEqual(["2", "1"]);
  expect(left.map(({ sources, reason }) => [...sources, reason])).toEqual([["0.snapshot.jsonl", "reset"]]);
  expect(leftWarnings(left)).toEqual([]);
});

describe("a run that starts a new baseline closes the pool", () => {
  const created = "2026-11-22T00:00:00Z";
  const runOf = (number: number, run: Partial<RunOfCases>): SourcedRun => {
    return { set: setOf(scored(number), { created, run: String(number), ...run }), sources: [String(number)] };
  };
  const judgedAt = new Date("2026-11-23T00:00:00Z");
  const poolAt = (...runs: readonly SourcedRun[]) =>
    numbersIn(pooledBaseline(runs, { keep: 5, judged: {}, judgedAt }).baseline);

  test("to one of the same time, whatever their commits", () => {
    for (const [reset, before] of [
      ["a", "b"],
      ["b", "a"],
    ]) {
      expect(poolAt(runOf(1, { commit: before }), runOf(2, { commit: reset, isReset: true }))).toEqual([2]);
    }
  });

  test("to one from the future, which counts as the oldest", () => {
    const future = { created: "2027-11-22T00:00:00Z" };
    expect(poolAt(runOf(1, future), runOf(2, { isReset: true }))).toEqual([2]);
    const { baseline } = pooledBaseline([runOf(1, future), runOf(2, {})], { keep: 1, judged: {}, judgedAt });
    expect(numbersIn(baseline)).toEqual([2]);
    expect(poolAt(runOf(1, future))).toEqual([1]);
  });
});

test("a run of another reading is left out with one warning, and one that states none is of the first", () => {
  const { baseline, left } = poolOf(
    [scored(1), { readings: { csv: 2 } }],
    [scored(2), { readings: { csv: 1 } }],
    [scored(3), {}],
    [scored(4), { readings: { unheard: 1, csv: 7 } }],
  );
  expect(numbersIn(baseline)).toEqual([2, 3]);
  expect(leftWarnings(left)).toEqual([
    "3.snapshot.jsonl, 0.snapshot.jsonl are left out of the baseline: another version of this step read its files, and made cases of them in another way.",
  ]);
});
