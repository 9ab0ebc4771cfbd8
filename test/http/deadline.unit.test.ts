import { expect, test } from "vitest";
import { Deadline } from "../../src/http/deadline.ts";
import { TimeoutError } from "../../src/http/errors.ts";
import { SimulatedClock } from "../wire/clocks.ts";

function of(deadlineMilliseconds?: number, signal = new AbortController().signal) {
  const clock = new SimulatedClock();
  return {
    clock,
    deadline: new Deadline(clock, signal, { attemptMilliseconds: 7, deadlineMilliseconds }),
  };
}

test("each request may take what is left, and never less than a millisecond", () => {
  const { clock, deadline } = of(100);
  clock.pass(40);
  expect(deadline.callOptions).toEqual({ attemptMilliseconds: 7, deadlineMilliseconds: 60 });
  clock.pass(500);
  expect(deadline.callOptions.deadlineMilliseconds).toBe(1);
});

test("the time is over at its end, and that of a caller who says nothing after two minutes", () => {
  const { clock, deadline } = of();
  clock.pass(119_999);
  deadline.check("GET /x");
  clock.pass(1);
  expect(() => {
    deadline.check("GET /x");
  }).toThrow(TimeoutError);
});

test("a pause that would reach the end is not begun", async () => {
  const { clock, deadline } = of(100);
  expect(await deadline.pause(99)).toBe(true);
  expect(await deadline.pause(1)).toBe(false);
  expect(clock.sleeps).toEqual([99]);
});

test("a pause ends with the signal", async () => {
  await expect(of(100, AbortSignal.abort(new Error("stop"))).deadline.pause(10)).rejects.toThrow("stop");
});
