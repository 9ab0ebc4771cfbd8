import fc from "fast-check";
import { expect, test } from "vitest";
import { written } from "../../../src/judgement/cases/metric-key.ts";
import { parseRanges } from "../../../src/judgement/gates/range-lines.ts";

const rangesOf = (text: string) => {
  const read = parseRanges(text);
  return read.ok ? Object.fromEntries(read.ranges) : read.faults;
};

test.each([
  ["stars = 1..5", { stars: { low: 1, high: 5 } }],
  ["stars: 1..5", { stars: { low: 1, high: 5 } }],
  ["  stars=1 .. 5  ", { stars: { low: 1, high: 5 } }],
  ['"Answer Relevancy": 0..1', { "Answer Relevancy": { low: 0, high: 1 } }],
  ["Answer Relevancy = 0..1", { "Answer Relevancy": { low: 0, high: 1 } }],
  ["'it''s'= -1..1", { "it's": { low: -1, high: 1 } }],
  [String.raw`"a \"b\" = c": 0..1`, { 'a "b" = c': { low: 0, high: 1 } }],
  ["a:b = 0..1", { "a:b": { low: 0, high: 1 } }],
  ["reward = -50..100", { reward: { low: -50, high: 100 } }],
  ["loss = 0.5..1.5e3", { loss: { low: 0.5, high: 1500 } }],
  ["latency = 0s..30s", { latency: { low: 0, high: 30_000 } }],
  ["latency = 0..30000", { latency: { low: 0, high: 30_000 } }],
  ["# marks\nstars = 1..5 # of five\n\ntone = 0..1", { stars: { low: 1, high: 5 }, tone: { low: 0, high: 1 } }],
  ['latency = 0..9\n"latency" = 0..5', { latency: { low: 0, high: 9 }, '"latency"': { low: 0, high: 5 } }],
  ["'tokens': 0..5", { '"tokens"': { low: 0, high: 5 } }],
  ['"#1": 0..1', { "#1": { low: 0, high: 1 } }],
  ["stars = 1..5\r\ntone: 0..1", { stars: { low: 1, high: 5 }, tone: { low: 0, high: 1 } }],
  ["", {}],
])("%j", (text, ranges) => {
  expect(rangesOf(text)).toEqual(ranges);
});

test("all lines that are wrong are reported at once, each with its number", () => {
  const text = [
    "stars = 1..5",
    "stars: 0..10",
    "tone",
    "tone = 5..1",
    "tone = 1..1",
    "tone = 0..Infinity",
    "tone = 0..1e999",
    "tone = ..1",
    "tone = 0..",
    "tone = 0-1",
    "tone =",
    "= 0..1",
    '"tone = 0..1',
    "tone = NaN..1",
    "tone = 0..100%",
    "tone = 0s..3s",
    "tone = 0...5",
  ].join("\n");
  expect(rangesOf(text)).toEqual(
    [
      '"stars: 0..10" is the second range of `stars`',
      '"tone" must be a name and its range, as in `stars = 1..5`',
      '"tone = 5..1" has a low end that is not below its high end',
      '"tone = 1..1" has a low end that is not below its high end',
      '"tone = 0..Infinity" has "Infinity" for an end, which is not a finite number',
      '"tone = 0..1e999" has "1e999" for an end, which is not a finite number',
      '"tone = ..1" has a range without one of its ends',
      '"tone = 0.." has a range without one of its ends',
      '"tone = 0-1" has no `..` between the low and the high end of its range',
      '"tone =" has no range behind its name',
      '"= 0..1" has no name before its range',
      String.raw`"\"tone = 0..1" has a name without its closing quote`,
      '"tone = NaN..1" has "NaN" for an end, which is not a finite number',
      '"tone = 0..100%" has "100%" for an end: write the number alone',
      '"tone = 0s..3s" has a unit of time: write the number alone, in the unit of `tone`',
      '"tone = 0...5" has three dots between the ends of its range: write two',
    ].map((fault, at) => `line ${String(at + 2)}: ${fault}`),
  );
});

test("what is written is read again, whatever the name", () => {
  const name = fc
    .oneof(fc.constantFrom("'tis", "latency", '"cost"', "a: b"), fc.string({ minLength: 1 }))
    .filter((text) => !/[\r\n]/.test(text));
  const end = fc.integer({ min: -1000, max: 1000 });
  fc.assert(
    fc.property(name, end, fc.integer({ min: 1, max: 1000 }), fc.constantFrom("=", ":"), (key, low, width, sign) => {
      const line = `${written(key)} ${sign} ${String(low)}..${String(low + width)}`;
      expect(rangesOf(line)).toEqual(Object.fromEntries([[key, { low, high: low + width }]]));
    }),
  );
});

test("no text is more than ranges or faults", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", '"', "'", "=", ":", ".", "1", "-", " ", "\n", "#", "\\") }),
      (text) => {
        const read = parseRanges(text);
        if (!read.ok) expect(read.faults.length).toBeGreaterThan(0);
        else for (const { low, high } of read.ranges.values()) expect(low).toBeLessThan(high);
      },
    ),
  );
});
