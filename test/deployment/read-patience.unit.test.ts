import { describe, expect, test } from "vitest";
import { OUTAGE_MILLISECONDS, READ_LAG_MILLISECONDS, ReadPatience } from "../../src/deployment/read-patience.ts";
import {
  AddressError,
  HttpStatusError,
  InvalidResponseError,
  NetworkError,
  TimeoutError,
} from "../../src/http/errors.ts";
import { SimulatedClock } from "../wire/clocks.ts";

const target = "GET https://control.example/v2/deployments/d-1/revisions/r-1";
const status = (code: number, ...details: readonly string[]) => new HttpStatusError(code, details, { target });
const DOWN = [
  ["503", status(503)],
  ["429", status(429)],
  ["a cut line", new NetworkError("ECONNRESET", "the connection was cut", { target, mayHaveBeenProcessed: true })],
  ["a stall", new TimeoutError(25, { target, mayHaveBeenProcessed: true })],
  ["half of a response", new InvalidResponseError("not JSON", { target })],
] as const;

/** How long a failure is tolerated that comes every second, milliseconds; infinity for more than an hour. */
function toleranceOf(error: Error, { hasRead = true } = {}): number {
  const clock = new SimulatedClock();
  const patience = new ReadPatience(clock, { ids: ["d-1", "R-1"], hasRead });
  for (; clock.now() < 3_600_000; clock.pass(1_000)) if (!patience.tolerates(error)) return clock.now();
  return Number.POSITIVE_INFINITY;
}

test.each(DOWN)("%s is an outage, which may take more than five minutes", (_name, error) => {
  expect(OUTAGE_MILLISECONDS).toBeGreaterThan(300_000);
  expect(toleranceOf(error)).toBe(OUTAGE_MILLISECONDS);
  expect(toleranceOf(error, { hasRead: false })).toBe(OUTAGE_MILLISECONDS);
});

test("a 404 that names what is read says that it was deleted, after the time of a lag", () => {
  expect(toleranceOf(status(404, "Revision r-1 not found."))).toBe(READ_LAG_MILLISECONDS);
});

test("a 404 that names nothing comes from a gateway, if the thing was there before", () => {
  expect(toleranceOf(status(404, "Not Found"))).toBe(OUTAGE_MILLISECONDS);
  expect(toleranceOf(status(404, "Not Found"), { hasRead: false })).toBe(READ_LAG_MILLISECONDS);
});

test.each([401, 403])("%i is final where no read was allowed, and may pass where one was", (code) => {
  expect(toleranceOf(status(code), { hasRead: false })).toBe(0);
  expect(toleranceOf(status(code))).toBe(READ_LAG_MILLISECONDS);
});

test.each([status(400), status(422), new AddressError("bad"), new Error("bug")])("%s is final", (error) => {
  expect(toleranceOf(error)).toBe(0);
});

describe("the time", () => {
  const missing = status(404, "Revision r-1 not found.");

  test("starts again after a read that succeeds", () => {
    const clock = new SimulatedClock();
    const patience = new ReadPatience(clock, { ids: [], hasRead: true });
    for (let outage = 0; outage < 3; outage += 1) {
      expect(patience.tolerates(status(503))).toBe(true);
      clock.pass(OUTAGE_MILLISECONDS - 1);
      expect(patience.tolerates(status(503))).toBe(true);
      patience.end();
      clock.pass(1_000);
    }
  });

  test("of a 404 starts with it, and not with the outage before it", () => {
    const clock = new SimulatedClock();
    const patience = new ReadPatience(clock, { ids: ["r-1"], hasRead: true });
    expect(patience.tolerates(status(503))).toBe(true);
    clock.pass(200_000);
    expect(patience.tolerates(missing)).toBe(true);
    clock.pass(READ_LAG_MILLISECONDS - 1);
    expect(patience.tolerates(missing)).toBe(true);
    clock.pass(1);
    expect(patience.tolerates(missing)).toBe(false);
  });

  test("ends also where kinds of failure alternate", () => {
    const clock = new SimulatedClock();
    const patience = new ReadPatience(clock, { ids: ["r-1"], hasRead: true });
    const errors = [status(503), missing, status(403)];
    let looks = 0;
    while (patience.tolerates(errors[looks % 3])) {
      looks += 1;
      clock.pass(10_000);
    }
    expect(clock.now()).toBe(OUTAGE_MILLISECONDS);
  });
});
