import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDuration, writeDuration } from "../../../action/inputs/duration.ts";
import { faults, read } from "./step.ts";

describe("a duration", () => {
  test.each([
    ["90s", 90_000],
    ["30m", 1_800_000],
    ["1.5h", 5_400_000],
    ["45", 45_000],
    ["0.25", 250],
    ["0s", 0],
  ])("written %s is %d ms", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  test.each(["", "soon", "-1s", "1e3", "10 m", "10min", "1h30m", "1d", ".5h", "5.", "0x10", "Infinity", "١s"])(
    "is not written %j",
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  test("that is written can be read again", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7 * 24 * 3_600_000 }), (milliseconds) => {
        expect(parseDuration(writeDuration(milliseconds))).toBe(milliseconds);
      }),
    );
  });

  test("becomes the request's milliseconds", async () => {
    const { request } = await read({ timeout: "1.5h", "poll-interval": "2" });
    expect(request).toMatchObject({ timeoutMilliseconds: 5_400_000, pollCapMilliseconds: 2000 });
  });

  test("that is none, zero or longer than any run is a fault with examples", async () => {
    expect(await faults({ timeout: "soon" })).toEqual([
      'timeout: "soon" is not a valid duration (examples: 90s, 30m, 1.5h)',
    ]);
    expect(await faults({ timeout: "0" })).toEqual(['timeout: "0" must be between 0.1s and 168h']);
    expect(await faults({ timeout: "169h" })).toEqual(['timeout: "169h" must be between 0.1s and 168h']);
    expect(await faults({ "poll-interval": "2h" })).toEqual(['poll-interval: "2h" must be between 0.1s and 1h']);
    expect(await faults({ timeout: "9".repeat(400) })).toHaveLength(1);
  });
});
