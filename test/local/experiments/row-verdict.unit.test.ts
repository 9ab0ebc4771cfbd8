import { describe, expect, test } from "vitest";
import {
  changeOf,
  Directions,
  scoreLabels,
  verdictOf,
  type RowMarks,
  type Verdict,
} from "../../../src/local/experiments/row-verdict.ts";

test.each([
  [1, 0, false, "worse"],
  [1, 0, true, "better"],
  [0, 1, false, "better"],
  [1, 1, true, "same"],
  [null, 0, false, "new"],
  [1, null, false, "lost"],
  [null, undefined, false, "same"],
])("from %j to %j, where a lower score is better: %j, is %s", (before, after, isLower, change) => {
  expect(changeOf(before, after, isLower)).toBe(change);
});

test.each<[string, RowMarks | undefined, RowMarks | undefined, Verdict]>([
  ["the same scores", marks({ a: 1 }), marks({ a: 1 }), "same"],
  ["one better, one worse", marks({ a: 0, b: 1 }), marks({ a: 1, b: 0 }), "worse"],
  ["one better", marks({ a: 0, b: 1 }), marks({ a: 1, b: 1 }), "better"],
  ["a score that is gone", marks({ a: 0 }), marks({}), "worse"],
  ["a score that is new", marks({}), marks({ a: 0 }), "same"],
  ["an error that is gone", marks({}, true), marks({}), "better"],
  ["an error that came", marks({ a: 0 }), marks({ a: 1 }, true), "worse"],
  ["a lower score where that is better", marks({ toxicity: 1 }), marks({ toxicity: 0 }), "better"],
  ["a row of the first alone", marks({}), undefined, "only-baseline"],
  ["a row of the second alone", undefined, marks({}), "only-compared"],
])("%s", (_what, one, other, verdict) => {
  expect(verdictOf(one, other, new Directions(["toxicity"]))).toBe(verdict);
});

describe("directions", () => {
  test("are read from the metadata of experiments, and hold for a repeated key", () => {
    const directions = Directions.of(['{"score_directions":{"toxicity":"lower","exact":"higher"}}', null, '{"a":1}']);
    expect(["toxicity", "toxicity (2)", "exact", "a"].map((label) => directions.isLower(label))).toEqual([
      ...[true, true],
      ...[false, false],
    ]);
  });

  test("that are none are passed over", () => {
    expect(Directions.of(['{"score_directions":["toxicity"]}', "{}"]).isLower("toxicity")).toBe(false);
  });
});

test("a repeated key has a number from its second use on", () => {
  expect(scoreLabels(["a", "b", "a", "a"])).toEqual(["a", "b", "a (2)", "a (3)"]);
});

function marks(scores: Readonly<Record<string, number>>, failed = false): RowMarks {
  return { failed, scores: Object.entries(scores) };
}
