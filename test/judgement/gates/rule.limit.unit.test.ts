import { expect, test } from "vitest";
import { meets } from "../../../src/judgement/gates/rule.ts";

test.each([
  [0.899_999_999_999_999_9, ">=", 0.9, true],
  [0.9, ">", 0.9, false],
  [0.900_000_001, ">", 0.9, true],
  [1 / 3 + 1 / 3 + 1 / 3, "=", 1, true],
  [0.02 + 1e-12, "<=", 0.02, true],
  [0.02, "<", 0.02, false],
  [1e10 + 1, "=", 1e10, true],
  [1e10 + 100, "=", 1e10, false],
  [Infinity, "<=", 1e300, false],
  [0, ">=", 0, true],
] as const)("%d %s %d: %s", (value, operator, bound, isMet) => {
  expect(meets(value, operator, bound)).toBe(isMet);
});
