import { expect, test } from "vitest";
import { Silence } from "../../src/http/silence.ts";
import { TimeLimit } from "../../src/http/time-limit.ts";
import { SimulatedClock } from "../wire/clocks.ts";

function silence() {
  const clock = new SimulatedClock();
  return { clock, silence: new Silence(clock, 45_000) };
}

test("a silence begins with the first request without a response, and another request does not prolong it", () => {
  const { clock, silence: quiet } = silence();
  clock.pass(600_000);
  expect(quiet.isOver()).toBe(false);
  quiet.begin();
  clock.pass(30_000);
  quiet.begin();
  expect(quiet.left()).toBe(15_000);
  expect(quiet.isOver()).toBe(false);
  clock.pass(10_000);
  expect(quiet.isOver()).toBe(true);
});

test("a response ends it, and bytes that move begin it anew", () => {
  const { clock, silence: quiet } = silence();
  quiet.begin();
  clock.pass(44_000);
  quiet.restart();
  expect(quiet.left()).toBe(45_000);
  clock.pass(44_000);
  quiet.end();
  clock.pass(600_000);
  expect(quiet.isOver()).toBe(false);
});

test("a time limit is over when its silence is, and neither of them counts for the other between requests", () => {
  const { clock, silence: quiet } = silence();
  const limit = new TimeLimit(clock, 1_800_000, quiet).begin();
  expect(limit.left()).toBe(1_800_000);
  quiet.begin();
  expect(limit.left()).toBe(45_000);
  clock.pass(45_000);
  expect(limit.isOver()).toBe(true);
  expect(limit.withAtLeast(60_000).isOver()).toBe(true);
  quiet.end();
  expect(limit.left()).toBe(1_755_000);
  expect(limit.early(0.5).left()).toBe(877_500);
});
