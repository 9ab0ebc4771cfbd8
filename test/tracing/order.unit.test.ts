import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dottedOrder, parseDottedOrder } from "../../src/contract/dotted-order.ts";
import { RunIds } from "../../src/tracing/tracer/run-id.ts";
import { TraceClock } from "../../src/tracing/tracer/trace-clock.ts";

const ID = "0193a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b";
// Until the year 2255 a number is exact to the microsecond.
const microseconds = fc.integer({ min: 0, max: 9_007_199_254_000 }).map((milliseconds) => milliseconds * 1_000 + 999);

describe("a dotted order", () => {
  test("is the start with microseconds and the id, after that of the parent", () => {
    const startMicroseconds = Date.UTC(2024, 0, 2, 1, 4, 5, 678) * 1_000 + 901;
    expect(dottedOrder({ startMicroseconds, id: ID })).toBe(`20240102T010405678901Z${ID}`);
    expect(dottedOrder({ startMicroseconds, id: ID, parent: "P" })).toBe(`P.20240102T010405678901Z${ID}`);
  });

  test("reads back as it was written", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(microseconds, fc.uuid()), { minLength: 1, maxLength: 8 }), (runs) => {
        const places = runs.map(([startMicroseconds, id]) => ({ startMicroseconds, id }));
        const text = places.reduce<string | undefined>((parent, place) => dottedOrder({ ...place, parent }), undefined);
        expect(parseDottedOrder(text ?? "")).toEqual(places);
      }),
    );
  });

  test.each([
    ["nothing", ""],
    ["nine digits of a second", `20240102T010405678901234Z${ID}`],
    ["no zone", `20240102T010405678901${ID}`],
    ["a day that no month has", `20240231T010405678901Z${ID}`],
    ["an hour that no day has", `20240102T250405678901Z${ID}`],
    ["an id that is none", "20240102T010405678901Zabc"],
    ["an empty segment", `20240102T010405678901Z${ID}.`],
  ])("that has %s is none", (_, text) => {
    expect(parseDottedOrder(text)).toBeUndefined();
  });
});

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

  test("is never the same twice, beyond one filling of the pool", () => {
    const ids = new RunIds();
    const made = Array.from({ length: 2_000 }, () => ids.next(1_700_000_000_000_000));
    expect(new Set(made).size).toBe(made.length);
  });
});

describe("the starts of runs", () => {
  test("grow by themselves where the clock stands still, is coarse, or is set back", () => {
    let wall = 1_700_000_000_000;
    let now = 5;
    const clock = new TraceClock({ date: () => new Date(wall), now: () => now });
    const starts = Array.from({ length: 3_000 }, () => clock.next());
    expect(starts[0]).toBe(1_700_000_000_000_000);
    wall -= 60_000;
    now += 1;
    starts.push(clock.next(), clock.next());
    expect(starts.every((start, index) => index === 0 || start > (starts[index - 1] ?? 0))).toBe(true);
    expect(clock.now()).toBeGreaterThanOrEqual(starts.at(-1) ?? 0);
  });

  test("sort runs as they were begun, parents before their children", () => {
    const clock = new TraceClock({ date: () => new Date(1_700_000_000_000), now: () => 0 });
    const ids = new RunIds();
    const next = (parent?: string) => {
      const startMicroseconds = clock.next();
      return dottedOrder({ startMicroseconds, id: ids.next(startMicroseconds), parent });
    };
    const root = next();
    const children = Array.from({ length: 1_500 }, () => next(root));
    const all = [root, ...children];
    expect(all.toSorted()).toEqual(all);
  });
});
