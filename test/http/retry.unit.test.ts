import fc from "fast-check";
import { expect, test } from "vitest";
import { HttpStatusError } from "../../src/http/errors.ts";
import { askTwice, backoffMilliseconds, retry } from "../../src/http/retry.ts";
import { FastClock } from "../wire/clocks.ts";

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

test("work is tried again after each pause, until an attempt succeeds", async () => {
  const clock = new FastClock();
  const start = clock.now();
  const work = (attempt: number) => (attempt < 4 ? Promise.reject(new Error("not yet")) : Promise.resolve(attempt));
  expect(await retry(work, (_, attempt) => attempt * 1_000, { clock })).toBe(4);
  expect(clock.now() - start).toBe(6_000);
});

test("work that may not be tried again ends with the error that says so", async () => {
  const end = () => {
    throw new Error("final");
  };
  await expect(retry(() => Promise.reject(new Error("cause")), end, { clock: new FastClock() })).rejects.toThrow(
    "final",
  );
});

test.each([
  [404, 2],
  [410, 1],
])("after a %i a question is asked %i times", async (status, times) => {
  let asked = 0;
  const ask = () => {
    asked += 1;
    return Promise.reject(new HttpStatusError(status, [], { target: "GET /x" }));
  };
  await expect(askTwice(ask, [404], { clock: new FastClock() })).rejects.toMatchObject({ status });
  expect(asked).toBe(times);
});
