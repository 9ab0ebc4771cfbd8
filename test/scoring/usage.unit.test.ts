import { expect, test } from "vitest";
import { costOf, tokensIn } from "../../src/scoring/usage.ts";
import { tokensOf } from "../../src/files/token-usage.ts";

const USAGE = {
  large: { input: 1_000_000, output: 500_000, cache_read: 400_000, reasoning: 1 },
  small: { input: 10, output: 5 },
};
const PRICES = { large: { input: 2, output: 8, cached: 0.5 }, small: { input: 1, output: 1 } };

test("sums the tokens of all models, as a judgement does", () => {
  expect(tokensIn(USAGE)).toEqual({ input: 1_000_010, output: 500_005 });
  expect(tokensOf(USAGE)).toBe(1_500_015);
  expect(tokensOf({ large: { input: 1, output: 2 }, small: {} })).toBeUndefined();
});

test("counts what was cached at its own price, and at that of the input where it has none", () => {
  expect(costOf(USAGE, PRICES)).toBeCloseTo(0.6 * 2 + 0.4 * 0.5 + 0.5 * 8 + 15e-6, 10);
  expect(costOf({ large: USAGE.large }, { large: { input: 2, output: 8 } })).toBeCloseTo(6, 10);
});

test("knows no cost without tokens, and without the price of a model", () => {
  expect(costOf(undefined, PRICES)).toBeUndefined();
  expect(costOf(USAGE, { large: PRICES.large })).toBeUndefined();
  expect(costOf({ constructor: { input: 1, output: 1 } }, PRICES)).toBeUndefined();
});
