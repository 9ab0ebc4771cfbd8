import fc from "fast-check";
import { expect, test } from "vitest";
import { backoffMilliseconds } from "../../src/http/backoff.ts";

const attempts = fc.integer({ min: 1, max: 5_000 });
const chances = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const hints = fc.option(fc.nat(10 ** 9), { nil: undefined });

test("a pause is never longer than 8 s unless the server asks for more", () => {
  fc.assert(
    fc.property(attempts, chances, (attempt, chance) => {
      const pause = backoffMilliseconds(attempt, undefined, () => chance);
      expect(pause).toBeGreaterThanOrEqual(0);
      expect(pause).toBeLessThanOrEqual(8_000);
    }),
  );
});

test("a pause is never shorter than what the server asks for", () => {
  fc.assert(
    fc.property(attempts, chances, hints, (attempt, chance, hint) => {
      expect(backoffMilliseconds(attempt, hint, () => chance)).toBeGreaterThanOrEqual(hint ?? 0);
    }),
  );
});

test("the ceiling doubles with each attempt up to 8 s", () => {
  const ceilings = [1, 2, 3, 4, 5, 6, 7, 2_000].map((attempt) => backoffMilliseconds(attempt, undefined, () => 1));
  expect(ceilings).toEqual([400, 800, 1_600, 3_200, 6_400, 8_000, 8_000, 8_000]);
});

test("the jitter is full: a pause may be next to nothing", () => {
  expect(backoffMilliseconds(4, undefined, () => 0)).toBe(0);
});
