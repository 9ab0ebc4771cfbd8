import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDuration, writeDuration } from "../../src/text/duration.ts";
import { limitText, parseSize } from "../../src/text/bytes.ts";
import { faults, read } from "../front/options/step.ts";

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

describe("a size", () => {
  test.each([
    ["200MiB", 209_715_200],
    ["1GB", 1_000_000_000],
    ["1.5 GiB", 1_610_612_736],
    ["10kb", 10_000],
    ["10KiB", 10_240],
    ["12345", 12_345],
    ["12345B", 12_345],
    ["0.3B", 0],
  ])("written %s is %d bytes", (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  test.each(["", "big", "-1", "1e6", "200M", "200MiBs", "MiB", "9999999999GiB"])("is not written %j", (text) => {
    expect(parseSize(text)).toBeUndefined();
  });

  test("limits the archive", async () => {
    expect((await read({ "max-size": "1MB" })).request.source).toMatchObject({ maxBytes: 1_000_000 });
  });

  test.each(["big", "0", "0.5B"])("of %s is a fault with examples", async (text) => {
    expect(await faults({ "max-size": text })).toEqual([
      `max-size: "${text}" is not a valid size (examples: 200MiB, 1GB, 1048576)`,
    ]);
  });
});

describe("a limit", () => {
  test.each([
    ["200MiB", "200MiB"],
    ["1GB", "1GB"],
    ["1.5 GiB", "1.5GiB"],
    ["1500MB", "1.5GB"],
    ["1024KiB", "1MiB"],
    ["999", "999"],
    ["1048577", "1048577"],
  ])("of %s is repeated as %s", (text, repeated) => {
    expect(limitText(parseSize(text) ?? 0)).toBe(repeated);
  });

  test("that is repeated means what was written", () => {
    const unit = fc.constantFrom("", "kB", "MB", "GB", "KiB", "MiB", "GiB");
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), unit, (count, written) => {
        const bytes = parseSize(`${String(count / 8)}${written}`) ?? 0;
        expect(parseSize(limitText(bytes))).toBe(bytes);
      }),
    );
  });
});
