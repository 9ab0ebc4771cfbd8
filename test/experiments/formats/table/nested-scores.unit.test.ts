import { describe, expect, test } from "vitest";
import { nestedScores, scoreValueOf } from "../../../../src/experiments/formats/table/nested-scores.ts";

describe("an object of scores", () => {
  test("has numbers, verdicts, categories, and why", () => {
    const value = {
      exact: 1,
      ok: "passed",
      judged: { score: 0.5, reason: "half", label: "so-so" },
      tone: { label: "kind", explanation: "polite" },
      none: { score: null },
    };
    expect(nestedScores(value)).toEqual({
      scores: [
        { key: "exact", value: 1 },
        { key: "ok", value: true },
        { key: "judged", value: 0.5, more: { value: "so-so" }, comment: "half" },
        { key: "tone", value: null, more: { value: "kind" }, comment: "polite" },
        { key: "none", value: null },
      ],
      rest: undefined,
    });
  });

  test("in which other things are measured keeps them apart", () => {
    const value = { exact: 1, total_tokens: 12, note: "x", details: { a: 1 } };
    const { scores, rest } = nestedScores(value, true);
    expect(scores).toEqual([{ key: "exact", value: 1 }]);
    expect(rest).toEqual({ total_tokens: 12, note: "x", details: { a: 1 } });
  });

  test("takes a text with digits as it is: a number may be written in another way", () => {
    expect(nestedScores({ exact: { score: "0,5" } }).scores).toEqual([{ key: "exact", value: "0,5" }]);
  });
});

test("a list of scores has those with a name, and the rest stays", () => {
  expect(
    nestedScores([{ name: "a", score: 1 }, { metric: "b", value: true }, { score: 1 }, { name: "", score: 1 }, 7]),
  ).toEqual({
    scores: [
      { key: "a", value: 1 },
      { key: "b", value: true },
    ],
    rest: [{ score: 1 }, { name: "", score: 1 }, 7],
  });
  expect(nestedScores("x")).toEqual({ scores: [], rest: "x" });
});

test("the value of an object of a score is its first that is there", () => {
  expect([
    scoreValueOf({ score: null, value: 2 }),
    scoreValueOf({ score: null }),
    scoreValueOf({ a: 1 }),
    scoreValueOf(3),
  ]).toEqual([...[2, null], ...[{ a: 1 }, 3]]);
});

test("what has no number is not scored", () => {
  const { scores } = nestedScores({ zero: 0, not: false, text: "x", missing: null }, true);
  expect(scores.map(({ key }) => key)).toEqual(["zero", "not"]);
});
