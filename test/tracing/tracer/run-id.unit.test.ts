import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RunIds } from "../../../src/tracing/tracer/run-id.ts";

// Until the year 2255 a number is exact to the microsecond.
const microseconds = fc.integer({ min: 0, max: 9_007_199_254_000 }).map((milliseconds) => milliseconds * 1_000 + 999);

describe("an id of a run", () => {
  test("is a UUID of version 7 that holds the milliseconds of the start", () => {
    const ids = new RunIds();
    fc.assert(
      fc.property(microseconds, (start) => {
        const id = ids.next(start);
        expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
        expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(Math.floor(start / 1_000));
      }),
    );
  });

  test("is unique, also after the pool was filled again", () => {
    const ids = new RunIds();
    const made = Array.from({ length: 2_000 }, () => ids.next(1_700_000_000_000_000));
    expect(new Set(made).size).toBe(made.length);
  });
});
