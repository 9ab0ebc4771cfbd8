import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { median } from "../../bench/rounds.ts";
import { DeployWaits, fixedWait } from "../../bench/simulated-waits.ts";
import { endOf, statusAt, statusWalk } from "../../bench/status-walk.ts";
import { Random } from "../../bench/text.ts";
import { REVISION_STATUSES } from "../../src/index.ts";

describe("a simulated walk", () => {
  const anyWalk = fc.tuple(fc.integer(), fc.integer({ min: 1, max: 1e7 }));

  test("goes through known statuses, each ending after the one before it", () => {
    fc.assert(
      fc.property(anyWalk, ([seed, milliseconds]) => {
        const walk = statusWalk(milliseconds, new Random(seed));
        let before = 0;
        for (const { status, end } of walk) {
          expect(REVISION_STATUSES).toContain(status);
          expect(end).toBeGreaterThan(before);
          expect([statusAt(walk, before), statusAt(walk, (before + end) / 2)]).toEqual([status, status]);
          before = end;
        }
        expect(statusAt(walk, endOf(walk))).toBe("DEPLOYED");
      }),
    );
  });

  test("takes as long as was asked, a tenth more or less", () => {
    fc.assert(
      fc.property(anyWalk, ([seed, milliseconds]) => {
        const share = endOf(statusWalk(milliseconds, new Random(seed))) / milliseconds;
        expect(share).toBeGreaterThan(0.899);
        expect(share).toBeLessThan(1.101);
      }),
    );
  });
});

test("looks at fixed times see the end with the first look after it", () => {
  const walk = [{ status: "BUILDING", end: 10_000 }];
  // The looks read the status at 0.05, 3.15, 6.25, 9.35 and 12.45 s; the last one answers at 12.5 s.
  expect(fixedWait(walk, 3_000)).toEqual({ requests: 5, delay: 2_500 });
});

// The median of the shortest is close to its bound: it needs more of them.
test.each([
  [20, 50],
  [30, 50],
  [40, 50],
  [60, 20],
  [300, 10],
])(
  "a deploy of about %d s asks less often than every 3 s, and knows its end within 5 % of the time or 2 s",
  { tags: "slow" },
  async (seconds, count) => {
    const random = new Random(seconds);
    const walks = Array.from({ length: count }, () => statusWalk(1000 * seconds, random));
    await using waits = await DeployWaits.start();
    const ours = await waits.run(walks, random);
    const sum = (counts: readonly { readonly requests: number }[]) =>
      counts.reduce((all, { requests }) => all + requests, 0);
    expect(ours).toHaveLength(count);
    expect(sum(ours)).toBeGreaterThan(3 * count);
    expect(sum(ours)).toBeLessThan(sum(walks.map((walk) => fixedWait(walk, 3_000))));
    expect(median(ours.map(({ delay }) => delay))).toBeLessThan(Math.max(2_000, 50 * seconds));
  },
);
