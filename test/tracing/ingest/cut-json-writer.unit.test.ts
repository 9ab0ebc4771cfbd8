import fc from "fast-check";
import { expect, test } from "vitest";
import { cutJson } from "../../../src/tracing/client/any-json.ts";
import { CutJsonWriter } from "../../../src/tracing/ingest/cut-json-writer.ts";
import { propertyRuns } from "../../property-runs.ts";

const CONTROLS = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code));
const UNITS = [
  ...CONTROLS,
  '"',
  "\\",
  "/",
  " ",
  "\x7f",
  "\x80",
  "!",
  "#",
  "[",
  "]",
  "é",
  "\u2028",
  "\uffff",
  "€",
  "😀",
];

function written(writer: CutJsonWriter, value: unknown): string {
  const cut = cutJson(value);
  if (typeof cut === "string") throw new Error("It was not cut");
  return writer.write(cut).toString("utf8");
}

test.each([0, 1, 2, 3])("each character is written as by JSON.stringify, %i bytes behind others", (before) => {
  const writer = new CutJsonWriter();
  for (const unit of UNITS) {
    for (const after of [0, 1, 2, 3]) {
      const text = `${"a".repeat(4096 + before)}${unit}${"b".repeat(after)}${unit}${unit}`;
      expect(written(writer, { text })).toBe(JSON.stringify({ text }));
    }
  }
});

test("values are written as by JSON.stringify, one after the other", () => {
  const writer = new CutJsonWriter();
  const text = fc
    .record({ units: fc.array(fc.constantFrom(...UNITS, "a", "word "), { minLength: 1 }), times: fc.nat(3_000) })
    .map(({ units, times }) => units.join("").repeat(times).slice(0, 100_000).toWellFormed());
  const long = text.map((each) => each.padEnd(4096, "-"));
  fc.assert(
    fc.property(fc.array(fc.oneof(text, fc.jsonValue())), long, (others, one) => {
      const value = { others, one, more: [{ one }] };
      expect(written(writer, value) === JSON.stringify(value)).toBe(true);
    }),
    { numRuns: propertyRuns(1) },
  );
});

test("what one value needs beyond a usual one is not kept", () => {
  const writer = new CutJsonWriter();
  const many = Array.from({ length: 200 }, (_, at) => `${String(at)}\0`.repeat(3_000));
  expect(written(writer, many) === JSON.stringify(many)).toBe(true);
  expect(writer.kept).toBeLessThan(2 * 1024 * 1024);
});
