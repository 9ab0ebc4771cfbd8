import fc from "fast-check";
import { expect, test } from "vitest";
import { MEASURES } from "../../../src/judgement/cases/case-set.ts";
import { isQuotedScore, scoreKey, scoreName } from "../../../src/judgement/cases/metric-key.ts";

test.each([
  ["latency", '"latency"'],
  ["cost", '"cost"'],
  ["tokens", '"tokens"'],
  ['"latency"', '""latency""'],
  ["Latency", "Latency"],
  ["latency_ms", "latency_ms"],
  ['"latency', '"latency'],
  ['"tone"', '"tone"'],
  ["constructor", "constructor"],
  ["", ""],
])("the score %j has the key %j", (name, key) => {
  expect(scoreKey(name)).toBe(key);
  expect(scoreName(key)).toBe(name);
});

test("no score has the key of a measure, or that of another score", () => {
  const quotes = fc.nat(3).map((count) => '"'.repeat(count));
  const near = fc
    .tuple(quotes, fc.constantFrom(...MEASURES, "tone", "errors"), quotes)
    .map(([before, name, after]) => `${before}${name}${after}`);
  const name = fc.oneof(near, fc.string());
  fc.assert(
    fc.property(name, name, (one, other) => {
      expect(MEASURES.has(scoreKey(one))).toBe(false);
      expect(scoreName(scoreKey(one))).toBe(one);
      expect(isQuotedScore(scoreKey(one))).toBe(scoreKey(one) !== one);
      expect(scoreKey(one) === scoreKey(other)).toBe(one === other);
    }),
  );
});
