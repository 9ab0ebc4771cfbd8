import { expect, test } from "vitest";
import { compare, type PairedScores } from "../../src/statistics/comparison.ts";
import { levelOf } from "../../src/statistics/level.ts";
import { release } from "../../src/statistics/release.ts";

const CASES = 10_000;

const scores = (turn: number) => Float64Array.from({ length: CASES }, (_, at) => ((at * turn) % 1009) / 1009);

test("only large arrays are freed, and nothing that is not there or is a list", () => {
  const [large, other, small, list] = [scores(7), scores(11), new Float64Array(10), [1, 2, 3]];
  release(large, undefined, small, list, other, large);
  expect([large.length, other.length, small.length, list.length]).toEqual([0, 0, 10, 3]);
});

test.for<[string, Partial<PairedScores>]>([
  ["shares", {}],
  ["shares in order", { baseline: scores(0), current: scores(7).sort() }],
  ["marks", { kind: { kind: "unbounded" }, direction: "lower" }],
  ["times", { kind: { kind: "positive" }, baseline: scores(7).map((one) => one + 1), current: scores(11).fill(2) }],
  ["yes or no", { kind: { kind: "binary" }, baseline: scores(7).map(Math.round), current: scores(11).map(Math.round) }],
  ["clusters", { clusters: Array.from({ length: CASES }, (_, at) => String(at % 100)) }],
  ["clusters of one case", { clusters: Array.from({ length: CASES }, (_, at) => String(at)) }],
  ["several rows of a case", { rows: { current: { values: scores(13), counts: scores(0).fill(1) } } }],
])("a comparison of many cases frees nothing that it was given: %s", ([, some]) => {
  const given: PairedScores = {
    ...{ baseline: scores(7), current: scores(11), kind: { kind: "bounded", low: 0, high: 1 }, direction: "higher" },
    ...{ trials: "single", ...some },
  };
  const before = structuredClone(given);
  const first = compare(given);
  expect(given).toEqual(before);
  expect(compare(given)).toEqual(first);
  expect(levelOf(given.current, given.kind, given.clusters, given.rows?.current)).toEqual(first?.current);
  expect(given).toEqual(before);
});
