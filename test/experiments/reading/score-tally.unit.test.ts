import fc from "fast-check";
import { expect, test } from "vitest";
import { ScoreTally, type RowScore } from "../../../src/experiments/reading/score-tally.ts";

const score = (key: string, number: number | undefined): RowScore => ({ key, number });
const word = (key: string): RowScore => ({ key, number: undefined, feedback: { value: "good" } });

test("a key that a row has twice counts once, with its mean, and is noticed", () => {
  const tally = new ScoreTally();
  expect(tally.addRow([score("a", 1), score("a", 0), score("b", 1)])).toBe(true);
  expect(tally.addRow([score("a", 1), score("b", undefined)])).toBe(false);
  expect([...tally.summaries]).toEqual([
    ["a", { n: 2, mean: 0.75 }],
    ["b", { n: 1, mean: 1 }],
  ]);
});

test("rows without a number or a word of a key that others have are missing", () => {
  const tally = new ScoreTally();
  tally.addRow([score("a", 1), word("b")]);
  tally.addRow([word("a")]);
  tally.addRow([word("a"), score("a", 0)]);
  tally.addRow([]);
  expect(tally.missing).toBe(1);
  expect([...tally.words]).toEqual([
    ["a", 1],
    ["b", 1],
  ]);
});

test("a mean is that of the exact sum, whatever the order of the rows", () => {
  const number = fc.oneof(fc.double({ min: -1e15, max: 1e15, noNaN: true }), fc.constantFrom(1e15, -1e15, 0.1));
  fc.assert(
    fc.property(fc.array(number, { minLength: 1 }), (numbers) => {
      const mean = (list: readonly number[]) => {
        const tally = new ScoreTally();
        for (const each of list) tally.addRow([score("a", each)]);
        return tally.summaries.get("a")?.mean ?? NaN;
      };
      expect(mean(numbers.toReversed())).toBeCloseTo(mean(numbers), 1);
    }),
  );
});

test("small numbers are not lost beside large ones", () => {
  const tally = new ScoreTally();
  for (const number of [1, 1e100, 1, -1e100]) tally.addRow([score("a", number)]);
  expect(tally.summaries.get("a")?.mean).toBe(0.5);
});
