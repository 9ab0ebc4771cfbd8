import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextPause } from "../../src/http/poll.ts";
import { pauses, start, transient } from "./poll-rig.ts";

describe("the rhythm", () => {
  test("the first look is at once, and what is done then needs no other", async () => {
    const { trace, result } = start(["done"]);
    expect(await result).toEqual({ done: true, value: "done", elapsedMilliseconds: 0 });
    expect(trace.looks).toEqual([0]);
    expect(trace.clock.sleeps).toEqual([]);
  });

  test("pauses grow from 200 ms to the cap", async () => {
    const { trace, result } = start(["building"], () => ({ timeoutMilliseconds: 600_000 }));
    await result;
    const seen = pauses(trace);
    expect(seen.slice(0, 4)).toEqual([200, 2_000, 3_300, 3_300]);
    for (const [index, pause] of seen.slice(1, -1).entries())
      expect(pause).toBeGreaterThanOrEqual((seen[index] ?? 0) - 1e-6);
    expect(Math.max(...seen)).toBe(10_000);
    expect(seen.filter((pause) => pause === 10_000).length).toBeGreaterThan(20);
  });

  test("a change leaves the pauses as they are", async () => {
    const steady = start([...Array<string>(60).fill("building"), "done"]);
    const restless = start([...Array.from({ length: 60 }, (_, look) => `step ${look}`), "done"]);
    await Promise.all([steady.result, restless.result]);
    expect(restless.trace.changes).toHaveLength(61);
    expect(restless.trace.looks).toEqual(steady.trace.looks);
  });

  test("a cap below the first pause holds from the first pause on", async () => {
    const { trace, result } = start(["building"], () => ({ capMilliseconds: 100, timeoutMilliseconds: 2_000 }));
    await result;
    expect(Math.max(...pauses(trace))).toBeCloseTo(100);
  });

  test("jitter moves a pause by a tenth at most", async () => {
    for (const [random, pause] of [
      [0, 180],
      [1, 220],
    ] as const) {
      const { trace, result } = start(["building", "done"], () => ({ random: () => random }));
      await result;
      expect(trace.looks[1]).toBeCloseTo(pause);
    }
  });

  test("half a pause is less than 2 s or 5 % of the wait", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e8, noNaN: true }), (elapsed) => {
        // After any number of pauses; a tenth more by the jitter.
        for (let pause = nextPause(0, elapsed, Infinity), count = 0; count < 5; count += 1) {
          expect((pause * 1.1) / 2).toBeLessThan(Math.max(2_000, 0.05 * elapsed));
          pause = nextPause(pause, elapsed, Infinity);
        }
      }),
    );
  });

  test("no pause is longer than the cap or shorter than the least of cap and 200 ms", () => {
    const numbers = fc.double({ min: 0, max: 1e7, noNaN: true });
    fc.assert(
      fc.property(numbers, numbers, fc.double({ min: 1, max: 1e6, noNaN: true }), (previous, unchanged, cap) => {
        const pause = nextPause(previous < 200 ? 0 : previous, unchanged, cap);
        expect(pause).toBeLessThanOrEqual(cap);
        expect(pause).toBeGreaterThanOrEqual(Math.min(cap, 200));
      }),
    );
  });
});

describe("the heartbeat", () => {
  test.each([
    ["short", 1_000],
    ["usual", 10_000],
    ["longer than 30 s", 120_000],
  ])("comes every 30 s when the pauses are %s", async (_how, capMilliseconds) => {
    const { trace, result } = start(["building"], () => ({ capMilliseconds, timeoutMilliseconds: 300_000 }));
    await result;
    const gaps = trace.beats.map((at, index) => at - (trace.beats[index - 1] ?? 0));
    expect(trace.beats.length).toBeGreaterThanOrEqual(9);
    for (const gap of gaps) {
      expect(gap).toBeGreaterThanOrEqual(30_000 - 1);
      expect(gap).toBeLessThan(31_200);
    }
  });

  test("does not add looks", async () => {
    const { trace, result } = start(["building"], () => ({ capMilliseconds: 600_000, timeoutMilliseconds: 3_600_000 }));
    await result;
    expect(trace.beats.length).toBeGreaterThan(100);
    expect(trace.looks.length).toBeLessThan(trace.beats.length);
  });

  test("waits 30 s after a change", async () => {
    const script = [...Array<string>(9).fill("building"), ...Array<string>(12).fill("deploying"), "done"];
    const { trace, result } = start(script);
    await result;
    const changedAt = trace.changes[1]?.[1] ?? 0;
    const next = trace.beats.find((at) => at > changedAt) ?? 0;
    expect(changedAt).toBeGreaterThan(20_000);
    expect(next - changedAt).toBeGreaterThanOrEqual(30_000 - 1);
  });

  test("comes also while nothing could be seen yet", async () => {
    const seen: unknown[] = [];
    const { result } = start([...Array<Error>(12).fill(transient), "done"], () => ({
      onHeartbeat: (value) => seen.push(value),
      tolerated: 12,
    }));
    await result;
    expect(seen).toEqual([undefined]);
  });
});
