import { describe, expect, test } from "vitest";
import { dottedOrder } from "../../../src/contract/dotted-order.ts";
import { RunIds } from "../../../src/tracing/tracer/run-id.ts";
import { TraceClock } from "../../../src/tracing/tracer/trace-clock.ts";

describe("the starts of runs", () => {
  test("grow even if the clock stands still, is coarse, or is set back", () => {
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

  test("sort runs by their start, parents before children", () => {
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
