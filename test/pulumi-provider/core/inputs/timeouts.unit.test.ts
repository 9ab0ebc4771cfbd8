import { expect, test } from "vitest";
import { parseTimeout, timeoutMilliseconds } from "../../../../pulumi-provider/core/inputs/timeouts.ts";

test.each([
  ["90s", 90],
  ["10m", 600],
  ["1h30m", 5_400],
  ["1.5h", 5_400],
  ["500ms", 0.5],
  ["0s", undefined],
  ["", undefined],
  ["5", undefined],
  ["-5m", undefined],
  ["5 m", undefined],
])("%j of customTimeouts is %s seconds", (text, seconds) => {
  expect(parseTimeout(text)).toBe(seconds);
});

test("an operation waits as long as its resource's option says, then as the input, then half an hour", () => {
  const state = { timeoutSeconds: 7, customTimeouts: { create: "2m" } };
  expect(timeoutMilliseconds(state, "create")).toBe(120_000);
  expect(timeoutMilliseconds(state, "update")).toBe(7_000);
  expect(timeoutMilliseconds({}, "delete")).toBe(1_800_000);
});
