import { describe, expect, test } from "vitest";
import { TimeLimit } from "../../src/http/time-limit.ts";
import { SimulatedClock } from "../wire/clocks.ts";

function of(milliseconds: number) {
  const clock = new SimulatedClock();
  return { clock, limit: new TimeLimit(clock, milliseconds) };
}

test("the time begins with the first request, and with no other", () => {
  const { clock, limit } = of(10_000);
  clock.pass(60_000);
  expect(limit.left()).toBe(10_000);
  limit.begin();
  clock.pass(4_000);
  limit.begin();
  expect(limit.left()).toBe(6_000);
  clock.pass(5_999);
  expect(limit.isOver()).toBe(false);
  clock.pass(1);
  expect(limit.isOver()).toBe(true);
});

test("work on this machine does not count, nor does it if it fails", async () => {
  const { clock, limit } = of(10_000);
  limit.begin();
  await limit.without(() => clock.sleep(300_000));
  const failed = limit.without(async () => {
    await clock.sleep(300_000);
    throw new Error("disk full");
  });
  await expect(failed).rejects.toThrow("disk full");
  expect(limit.left()).toBe(10_000);
});

describe("a transfer", () => {
  test("takes no time while its bytes move, and all of it once they stall", async () => {
    const { clock, limit } = of(10_000);
    limit.begin();
    let bytes = 0;
    await limit.whileMoving(
      () => bytes,
      async () => {
        for (let second = 0; second < 600; second += 1) {
          clock.pass(1_000);
          bytes += 1;
          expect(limit.isOver()).toBe(false);
        }
        clock.pass(9_999);
        expect(limit.isOver()).toBe(false);
        expect(limit.nextLook()).toBe(1);
        clock.pass(1);
        expect(limit.isOver()).toBe(true);
      },
    );
  });

  test("of a line on which a chunk takes several looks takes no time up to its last byte", async () => {
    const { clock, limit } = of(10_000);
    limit.begin();
    let bytes = 0;
    await limit.whileMoving(
      () => bytes,
      async () => {
        for (let chunk = 0; chunk < 100; chunk += 1) {
          for (let look = 0; look < 9; look += 1) {
            clock.pass(1_000);
            expect(limit.isOver()).toBe(false);
          }
          bytes += 262_144;
        }
      },
    );
    expect(limit.left()).toBe(10_000);
  });

  test("is looked at every second, and what is none at the end only", async () => {
    const { limit } = of(10_000);
    limit.begin();
    expect(limit.nextLook()).toBe(10_000);
    await limit.whileMoving(
      () => 0,
      async () => {
        expect(limit.nextLook()).toBe(1_000);
      },
    );
  });
});

test("a part of the limit ends earlier, or not before a last read, and is called by the same number", () => {
  const { clock, limit } = of(10_000);
  limit.begin();
  clock.pass(2_000);
  const early = limit.early(0.75);
  expect(early.left()).toBe(6_000);
  expect(limit.withAtLeast(5_000).left()).toBe(8_000);
  clock.pass(7_000);
  expect(early.isOver()).toBe(true);
  expect(limit.isOver()).toBe(false);
  expect(limit.withAtLeast(5_000).left()).toBe(5_000);
  expect(early.milliseconds).toBe(10_000);
});

test("polling ends so that the last look has time for its response", () => {
  expect(of(60_000).limit.begin().forLooks()).toBe(59_000);
  expect(of(300).limit.begin().forLooks()).toBe(270);
  const { clock, limit } = of(10);
  limit.begin();
  clock.pass(20);
  expect(limit.forLooks()).toBe(0);
});
