import { expect, test } from "vitest";
import { ExactNumber, type JsonValue } from "../../../src/files/json/value.ts";
import { readNanoseconds, readRunTime } from "../../../src/trace-files/runs/run-time.ts";

test.each<[JsonValue, string | undefined]>([
  ["2026-05-04T10:00:00.123+02:00", "2026-05-04T10:00:00.123+02:00"],
  ["2026-05-04 10:00:00", "2026-05-04T10:00:00Z"],
  [1_777_888_800, "2026-05-04T10:00:00Z"],
  [1_777_888_800_123, "2026-05-04T10:00:00.123Z"],
  ["1969-12-31T23:59:59Z", undefined],
  ["yesterday", undefined],
  [true, undefined],
])("the time %j is sent as %j", (value, text) => {
  expect(readRunTime(value)?.text).toBe(text);
});

test.each<[JsonValue | undefined, number | undefined]>([
  ["1777888800123456789", 1_777_888_800_123_456],
  [new ExactNumber("1777888800123456789"), 1_777_888_800_123_456],
  [1_000, 1],
  ["18446744073709551615", 18_446_744_073_709_552],
  ["18446744073709551616", undefined],
  ["0", undefined],
  ["-1", undefined],
  ["1e9", undefined],
  ["9".repeat(1_000_000), undefined],
  [undefined, undefined],
])("the nanoseconds %j are %j microseconds", (value, microseconds) => {
  expect(readNanoseconds(value)?.microseconds).toBe(microseconds);
});
