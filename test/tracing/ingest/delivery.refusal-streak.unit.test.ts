import { expect, test } from "vitest";
import { HttpStatusError } from "../../../src/http/errors.ts";
import { RefusalStreak } from "../../../src/tracing/ingest/delivery.ts";

const PAUSE = 60_000;
const refusal = (detail: string, status = 422) => new HttpStatusError(status, [detail], { target: "POST /runs" });

/** A streak of so many refusals, `detail` saying what the service says of each. */
function streakOf(count: number, detail: (at: number) => string = () => "wrong", streak = new RefusalStreak(PAUSE)) {
  for (let at = 0; at < count; at += 1) streak.add(refusal(detail(at)), 0);
  return streak;
}

test.each<[string, number, (at: number) => string]>([
  ["for one reason are 20", 20, () => "session is full"],
  [
    "are equal but for ids, times and numbers",
    20,
    (at) => `run 01a${String(at)}-b at 2026-01-01T00:00:${String(at)}Z: no`,
  ],
  ["for different reasons are 200", 200, (at) => (at % 2 === 0 ? "no" : "yes")],
])("refusals after which a service is given up that has stored nothing: %s", (_what, most, detail) => {
  expect(streakOf(most - 1, detail).givenUp(0)).toBeUndefined();
  const error = streakOf(most, detail).givenUp(0);
  expect(error).toMatchObject({ code: "RUNS_REFUSED", cause: { status: 422 } });
  expect(error?.message).toContain(`${String(most)} runs in a row and stored none`);
});

test("a service that has stored runs is given up after 200 rejections in a row", () => {
  const streak = new RefusalStreak(PAUSE);
  streak.end();
  expect(streakOf(199, undefined, streak).givenUp(0)).toBeUndefined();
  expect(streakOf(1, undefined, streak).givenUp(0)?.message).toMatch(/200 runs in a row, so the rest/);
});

test("a stored run ends a streak", () => {
  const streak = streakOf(19);
  streak.end();
  expect(streakOf(19, undefined, streak).givenUp(0)).toBeUndefined();
});

test("a service that was given up is tried by one caller after each pause, until it stores something", () => {
  const streak = streakOf(20);
  expect(streak.givenUp(PAUSE - 1)).toBeDefined();
  expect(streak.givenUp(PAUSE)).toBeUndefined();
  expect(streak.givenUp(PAUSE)).toBeDefined();
  expect(streak.givenUp(2 * PAUSE)).toBeUndefined();
  streak.end();
  expect(streak.givenUp(2 * PAUSE)).toBeUndefined();
});
