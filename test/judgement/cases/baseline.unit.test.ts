import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RunOfCases } from "../../../src/judgement/cases/case-set.ts";
import { digestOf } from "../../../src/judgement/cases/case-table.ts";
import { ageOf, pooledBaseline, type SourcedRun } from "../../../src/judgement/cases/baseline.ts";
import { differencesOf } from "../../../src/judgement/cases/agreement.ts";
import { plain } from "./cases-rig.ts";
import { keyOf, RUN, setOf, trial, trials } from "./made-sets.ts";

type Row = readonly unknown[];
const byKey = ([one]: Row, [other]: Row) => (String(one) < String(other) ? -1 : 1);

const CHOICE = { keep: 5, judged: {} };

function runOf(
  name: string,
  day: number,
  of = [trial(1, { accuracy: 1 })],
  more: Partial<RunOfCases> = {},
): SourcedRun {
  const created = `2026-11-${String(day).padStart(2, "0")}T00:00:00Z`;
  return { set: setOf(of, { run: name, created, ...more }), sources: [`${name}.snapshot.jsonl`] };
}

function pooled(...[runs, choice]: Parameters<typeof pooledBaseline>) {
  const { baseline, left } = pooledBaseline(runs, choice);
  return { baseline, left: left.map(({ sources, reason }) => [sources.join(), reason]) };
}

test("one run is its own pool", () => {
  const only = runOf("a", 1);
  const { baseline, left } = pooled([only], CHOICE);
  expect(baseline?.cases).toBe(only.set.cases);
  expect(baseline?.runs).toEqual([only.set]);
  expect(baseline?.sources).toEqual(["a.snapshot.jsonl"]);
  expect(left).toEqual([]);
});

test("no run is no baseline", () => {
  expect(pooled([], CHOICE)).toEqual({ baseline: undefined, left: [] });
});

test("the trials of all runs are joined by case where inputs and expected outputs are those of its newest run", () => {
  const changed = { digest: digestOf("other") };
  const { baseline } = pooled(
    [
      runOf("old", 1, [trial(1, { accuracy: 0 }), trial(2, { accuracy: 0 }, changed), trial(3, { accuracy: 1 })]),
      runOf("new", 3, [trial(1, { accuracy: 1 }), trial(2, { accuracy: 1 })]),
      runOf("mid", 2, [trial(1, { accuracy: 0.5, tone: 1 })]),
    ],
    CHOICE,
  );
  if (baseline === undefined) throw new Error("there is no baseline");
  const [no, values] = [
    Number.NaN,
    [...baseline.cases].map((one) => [one.key, one.trials.map((each) => [...each.values])]),
  ];
  expect(Object.fromEntries(values)).toEqual({
    ...{
      [keyOf(1)]: [
        [0, no],
        [0.5, 1],
        [1, no],
      ],
      [keyOf(2)]: [[1, no]],
      [keyOf(3)]: [[1, no]],
    },
  });
  expect([...baseline.metrics]).toMatchObject([
    ["accuracy", { kind: "bounded", low: 0, high: 1, direction: "higher" }],
    ["tone", { kind: "binary", low: 0, high: 1, direction: "higher" }],
  ]);
  expect(baseline.runs.map(({ run }) => run.run)).toEqual(["new", "mid", "old"]);
  expect(baseline.run.run).toBe("new");
});

test("the newest runs are kept, and the others said", () => {
  const runs = [3, 1, 4, 2].map((day) => runOf(`r${String(day)}`, day));
  const { baseline, left } = pooled(runs, { ...CHOICE, keep: 2 });
  expect(baseline?.sources).toEqual(["r4.snapshot.jsonl", "r3.snapshot.jsonl"]);
  expect(left).toEqual([
    ["r2.snapshot.jsonl", "too-old"],
    ["r1.snapshot.jsonl", "too-old"],
  ]);
});

test("a run is never its own baseline", () => {
  const { baseline, left } = pooled([runOf("a", 1), runOf("b", 2)], { ...CHOICE, judged: { run: "b" } });
  expect(baseline?.run.run).toBe("a");
  expect(left).toEqual([["b.snapshot.jsonl", "same-run"]]);
  expect(pooled([runOf("b", 2)], { ...CHOICE, judged: { run: "b" } }).baseline).toBeUndefined();
  const ofCommit = runOf("b", 2, undefined, { commit: "aaa" });
  expect(pooled([ofCommit], { ...CHOICE, judged: { run: "b", commit: "aaa" } }).baseline).toBeUndefined();
  // Another commit that the same workflow run evaluates.
  expect(pooled([ofCommit], { ...CHOICE, judged: { run: "b", commit: "bbb" } }).baseline?.run.run).toBe("b");
});

test("runs of another evaluator or dataset than the newest are not pooled with it", () => {
  const { baseline, left } = pooled(
    [
      runOf("new", 9, undefined, { evaluator: "e2" }),
      runOf("judged otherwise", 8, undefined, { evaluator: "e1" }),
      runOf("of other cases", 7, undefined, { evaluator: "e2", dataset: { name: "other" } }),
      runOf("that does not say", 6),
    ],
    CHOICE,
  );
  expect(baseline?.runs).toHaveLength(2);
  expect(left).toEqual([
    ["judged otherwise.snapshot.jsonl", "evaluator"],
    ["of other cases.snapshot.jsonl", "dataset"],
  ]);
});

test("a run that did not end makes the pool one that is not complete", () => {
  const { baseline } = pooled([runOf("a", 2), runOf("b", 1, undefined, { isComplete: false })], CHOICE);
  expect(baseline?.run.isComplete).toBe(false);
});

test("a pool does not depend on the order of its runs, and holds every trial of equal cases", { tags: "slow" }, () => {
  const day = fc.integer({ min: 1, max: 4 });
  fc.assert(
    fc.property(fc.array(fc.tuple(day, trials), { minLength: 1, maxLength: 4 }), (given) => {
      const runs = given.map(([created, of], at) => runOf(`r${String(at)}`, created, [...of]));
      const [one, other] = [runs, runs.toReversed()].map((each) => pooledBaseline(each, CHOICE).baseline);
      if (one === undefined || other === undefined) throw new Error("there is no baseline");
      expect(plain(other)).toEqual(plain(one));
      expect(other.sources).toEqual(one.sources);
      const count = (all: readonly (typeof one)[]) =>
        all.flatMap(({ cases }) => [...cases].flatMap((each) => each.trials)).length;
      expect(count([one])).toBeLessThanOrEqual(count(runs.map(({ set }) => set as typeof one)));
      const newest = new Map(one.runs.toReversed().flatMap(({ cases }) => [...cases].map((each) => [each.key, each])));
      expect(Array.from(one.cases, ({ key, digest, metadata }) => [key, digest, metadata])).toEqual(
        Array.from(newest.values(), ({ key, digest, metadata }) => [key, digest, metadata]).toSorted(byKey),
      );
    }),
  );
});

describe("what two runs have that makes them hard to compare", () => {
  const run = (more: Partial<RunOfCases>): RunOfCases => ({ ...RUN, ...more });

  test.each<[string, RunOfCases, RunOfCases, readonly string[]]>([
    ["nothing", run({}), run({}), []],
    ["another name", run({}), run({ dataset: { name: "b" } }), ["dataset"]],
    ["another id", run({ dataset: { id: "1", name: "a" } }), run({ dataset: { id: "2", name: "a" } }), ["dataset"]],
    [
      "another name of the same id",
      run({ dataset: { id: "1", name: "a" } }),
      run({ dataset: { id: "1", name: "b" } }),
      [],
    ],
    ["a dataset that one does not state", run({}), run({ dataset: {} }), []],
    ["another evaluator", run({ evaluator: "a" }), run({ evaluator: "b" }), ["evaluator"]],
    ["an evaluator that one does not state", run({ evaluator: "a" }), run({}), ["unstated"]],
    ["a name that every object has", run({ evaluator: { constructor: "a" } }), run({ evaluator: {} }), ["unstated"]],
    ["such a name in the baseline", run({ evaluator: {} }), run({ evaluator: { toString: "a" } }), ["unstated"]],
  ])("%s", (_what, now, baseline, kinds) => {
    expect(differencesOf(now, baseline).map(({ kind }) => kind)).toEqual(kinds);
  });

  test("both sides are named", () => {
    const [difference] = differencesOf(run({ dataset: { name: "b" } }), run({ dataset: { name: "a" } }));
    expect(difference?.message).toBe('the dataset of the baseline is "a", but that of this run is "b"');
  });
});

test("the age of a run", () => {
  expect(ageOf(RUN, new Date("2026-11-20T00:01:00Z"))).toBe(60_000);
});
