import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csv } from "../../../../src/experiments/formats/csv.ts";
import { unitOf } from "../../../../src/experiments/formats/table/time-unit.ts";
import { propertyRuns } from "../../../property-runs.ts";
import { mappingOf, readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const NOW = Date.UTC(2026, 4, 4, 12);
const WARNING =
  "results.any: the column `latency` is taken as seconds, but looks like milliseconds: if so, rename it to `latency_ms`, or map it with `latency_ms`.";
const MILLISECONDS =
  "results.any: the column `latency` has no unit, and is taken as milliseconds: as seconds it does not fit the times of the rows.";
const AT = "2026-05-04T10:00:00Z";

async function read(header: string, lines: readonly string[], mapping?: string) {
  const options = mapping === undefined ? {} : { mapping: await mappingOf(mapping) };
  const { rows, warnings } = await readAll(csv, storedFile(`${[header, ...lines].join("\n")}\n`), options);
  return { milliseconds: rows.map(({ times }) => times?.milliseconds), warnings };
}

describe("a latency without a unit", () => {
  test.each([
    ["whole milliseconds", ["321", "2849", "1527"]],
    ["milliseconds with decimals", ["320.71", "2849.04", "1527.2"]],
    ["milliseconds of which one was cached", ["321", "85", "1200"]],
    ["milliseconds of which most took no time", ["0", "0", "0", "321", "1200"]],
  ])("is warned of by its median: %s", async (_what, latencies) => {
    const lines = latencies.map((latency, at) => `q${String(at)},1,${latency}`);
    const { milliseconds, warnings } = await read("input,exact,latency", lines);
    expect(warnings).toEqual([WARNING]);
    expect(milliseconds).toEqual(latencies.map((latency) => Number(latency) * 1_000));
    const mapping = "inputs: input\nscores:\n  exact: exact\nlatency: latency";
    expect((await read("input,exact,latency", lines, mapping)).warnings).toEqual([WARNING]);
  });

  test.each([
    ["seconds", ["1.2", "0.4", "3"]],
    ["seconds of which one is long", ["1.2", "0.4", "900"]],
    ["nothing", ["0", "0", "0"]],
  ])("is read without a word: %s", async (_what, latencies) => {
    const { warnings } = await read(
      "input,exact,latency",
      latencies.map((latency, at) => `q${String(at)},1,${latency}`),
    );
    expect(warnings).toEqual([]);
  });

  test("is milliseconds where the rows would have lasted far longer than from their starts to their ends", async () => {
    const { milliseconds, warnings } = await read("input,exact,start_time,end_time,latency", [
      `a,1,${AT},2026-05-04T10:00:01Z,950`,
      `b,1,${AT},2026-05-04T10:00:02Z,1900`,
      `c,1,${AT},,40`,
    ]);
    expect(warnings).toContain(MILLISECONDS);
    expect(milliseconds).toEqual([950, 1900, 40]);
  });
});

describe("the unit", () => {
  const rows = (latencies: readonly number[], starts: readonly number[] = []) =>
    latencies.map((latency, at) => ({ latency, start: starts[at], end: undefined }));

  test("is milliseconds where rows would end after they are read", () => {
    const starts = [NOW - 600_000, NOW - 500_000, NOW - 400_000];
    expect(unitOf(rows([1_200, 2_000, 950], starts), NOW)).toBe("milliseconds");
    expect(unitOf(rows([1.2, 2, 0.9], starts), NOW)).toBe("seconds");
    expect(unitOf(rows([1_200, 2_000, 950], starts), undefined)).toBe("unsure");
  });

  test("is seconds where each row begins after the one before is done", () => {
    const startsOf = (gap: number) => [9, 8, 7].map((count) => NOW - count * gap);
    expect(unitOf(rows([300, 400, 350], startsOf(400_000)), NOW)).toBe("seconds");
    // Once an hour or a day, an answer of 350 ms fits as well.
    expect(unitOf(rows([300, 400, 350], startsOf(3_600_000)), NOW)).toBe("unsure");
    expect(unitOf(rows([300, 400, 350], startsOf(86_400_000)), NOW)).toBe("unsure");
  });

  test("is never taken for the other one without a word, whatever the latencies are", () => {
    const second = fc.double({ min: 0.2, max: 60, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(second, { minLength: 1, maxLength: 30 }),
        fc.boolean(),
        fc.nat(5),
        (seconds, isStarted, cached) => {
          const starts = isStarted ? seconds.map((_, at) => NOW - (seconds.length - at) * 61_000) : [];
          const some = seconds.map((one, at) => (at < Math.min(cached, Math.floor(seconds.length / 3)) ? 0.001 : one));
          expect(unitOf(rows(some, starts), NOW)).toBe("seconds");
          const milliseconds = some.map((one) => one * 1_000);
          expect(unitOf(rows(milliseconds, starts), NOW)).not.toBe("seconds");
        },
      ),
      { numRuns: propertyRuns(1) },
    );
  });
});
