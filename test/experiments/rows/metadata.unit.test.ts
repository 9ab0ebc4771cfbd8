import { describe, expect, test } from "vitest";
import { writeJsonValue } from "../../../src/files/json/value.ts";
import { parseMetadata } from "../../../src/experiments/rows/metadata.ts";

describe("metadata", () => {
  test("is a YAML mapping of any shape", () => {
    const reading = parseMetadata("model: small\ntemperature: 0.2\ntools: [search, run]\nprompt: { version: 7 }");
    expect(reading).toEqual({
      ok: true,
      value: { model: "small", temperature: 0.2, tools: ["search", "run"], prompt: { version: 7 } },
    });
  });

  test("keeps the digits of large numbers, and dates as they are written", () => {
    const reading = parseMetadata("build: 12345678901234567890\nreleased: 2026-08-28\n__proto__: 1");
    if (!reading.ok) expect.fail(reading.faults.join());
    expect(writeJsonValue(reading.value)).toBe('{"build":12345678901234567890,"released":"2026-08-28","__proto__":1}');
  });

  test.each(["", "# nothing yet", "null"])("is empty for %j", (text) => {
    expect(parseMetadata(text)).toEqual({ ok: true, value: {} });
  });

  test.each(["small", "- a", "[a]", "42", "true", "12345678901234567890"])("is not %j", (text) => {
    expect(parseMetadata(text)).toEqual({ ok: false, faults: ["must be lines such as `model: small`"] });
  });

  test("holds nothing that JSON cannot", () => {
    expect(parseMetadata("loss: { train: .nan, test: .inf }")).toEqual({
      ok: false,
      faults: ["`loss.train` is no number that JSON can hold", "`loss.test` is no number that JSON can hold"],
    });
  });
});
