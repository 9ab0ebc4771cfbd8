import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { retryAfterMilliseconds, sentAt } from "../../src/http/retry.ts";
import { anyText } from "../wire/any-text.ts";

const NOW = new Date("1994-11-06T08:49:00Z");

describe("seconds", () => {
  test("any whole number of seconds is read", () => {
    fc.assert(
      fc.property(fc.nat(10 ** 9), (seconds) => {
        expect(retryAfterMilliseconds(String(seconds), NOW)).toBe(seconds * 1000);
      }),
    );
  });

  test.each([
    ["120", 120_000],
    [" 7 ", 7_000],
    ["007", 7_000],
    ["0", 0],
    ["9".repeat(400), Number.MAX_SAFE_INTEGER],
  ])("%j is read", (text, milliseconds) => {
    expect(retryAfterMilliseconds(text, NOW)).toBe(milliseconds);
  });
});

describe("dates", () => {
  test.each([
    ["IMF-fixdate", "Sun, 06 Nov 1994 08:49:37 GMT"],
    ["RFC 850", "Sunday, 06-Nov-94 08:49:37 GMT"],
    ["asctime", "Sun Nov  6 08:49:37 1994"],
  ])("the form %s is read", (_form, text) => {
    expect(retryAfterMilliseconds(text, NOW)).toBe(37_000);
  });

  test("a date in the past asks for no pause", () => {
    expect(retryAfterMilliseconds("Sun, 06 Nov 1994 08:48:59 GMT", NOW)).toBe(0);
  });

  test("a leap second counts as the second before it", () => {
    expect(retryAfterMilliseconds("Sun, 06 Nov 1994 08:49:60 GMT", NOW)).toBe(59_000);
  });

  test("a year of two digits that would be more than 50 years ahead is in the past", () => {
    const now = new Date("2026-06-01T00:00:00Z");
    expect(retryAfterMilliseconds("Sunday, 06-Nov-94 08:49:37 GMT", now)).toBe(0);
    expect(retryAfterMilliseconds("Monday, 01-Jun-26 00:01:00 GMT", now)).toBe(60_000);
  });

  test("what Date writes is read back to the second", () => {
    const dates = fc.date({ min: new Date("1994-11-06T09:00:00Z"), max: new Date("2094-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(dates, (date) => {
        const seconds = Math.floor(date.getTime() / 1000) * 1000;
        expect(retryAfterMilliseconds(date.toUTCString(), NOW)).toBe(seconds - NOW.getTime());
      }),
    );
  });
});

describe("anything else", () => {
  test.each([
    undefined,
    "",
    "-1",
    "+1",
    "1.5",
    "1e3",
    "0x2",
    "٣",
    "soon",
    "1 2",
    "Sun, 32 Nov 1994 08:49:37 GMT",
    "Sun, 31 Feb 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:60:00 GMT",
    "Sun, 06 Nov 1994 08:49:37 CET",
    "Sun, 06 nov 1994 08:49:37 GMT",
    "1994-11-06T08:49:37Z",
  ])("%j is no Retry-After", (text) => {
    expect(retryAfterMilliseconds(text, NOW)).toBeUndefined();
  });

  test("any text whatever is a whole number of milliseconds from 0 on, or nothing", () => {
    const near = fc.stringMatching(/^[A-Z][a-z]{2}, \d{2} (Nov|Feb|Abc) \d{4} \d{2}:\d{2}:\d{2} GMT$/);
    fc.assert(
      fc.property(fc.oneof(anyText, near, fc.string({ unit: "grapheme" })), (text) => {
        const milliseconds = retryAfterMilliseconds(text, NOW);
        expect(milliseconds === undefined || (Number.isSafeInteger(milliseconds) && milliseconds >= 0)).toBe(true);
      }),
    );
  });
});

describe("the clock of the server", () => {
  test("is what its dates are of, however far this machine's is off", () => {
    const headers = { date: "Sun, 06 Nov 1994 03:12:07 GMT", "retry-after": "Sun, 06 Nov 1994 03:12:10 GMT" };
    expect(retryAfterMilliseconds(headers["retry-after"], sentAt(headers, NOW))).toBe(3_000);
  });

  test.each([{}, { date: "" }, { date: "0" }, { date: "Sun, 06 Nov 1994" }])(
    "is taken to be ours where it says %j",
    (headers) => {
      expect(sentAt(headers, NOW)).toBe(NOW);
    },
  );
});
