import { tmpdir } from "node:os";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RowTimesTable, type RowTimes } from "../../../src/experiments/rows/times.ts";
import { placeRows, TIME_POLICIES, type WindowRequest } from "../../../src/experiments/sending/window.ts";

const NONE: RowTimes = { start: undefined, end: undefined, latency: undefined };

/** Places rows, and answers the window, the rows as [start, end] and the faults as `row: message`. */
function place(rows: readonly Partial<RowTimes>[], request: Partial<WindowRequest> = {}) {
  const table = new RowTimesTable(tmpdir());
  for (const row of rows) table.add({ ...NONE, ...row });
  const faults: string[] = [];
  const { window, outsiders } = placeRows(table, {
    start: undefined,
    end: undefined,
    policy: "strict",
    now: 1_000n,
    fault: (row, message) => {
      faults.push(`${String(row)}: ${message}`);
    },
    ...request,
  });
  const placed = rows.map((_, row) => [table.get(row).start, table.get(row).end]);
  return { window: [window.start, window.end], placed, faults, outsiders };
}

test.each(TIME_POLICIES)(
  "rows outside of a given window are counted with the policy %s, made-up times are not",
  (policy) => {
    const rows = [{ start: 1n, end: 2n }, { start: 5n, end: 6n }, { start: 8n, end: 30n }, { latency: 90n }];
    expect(place(rows, { start: 3n, end: 20n, policy }).outsiders).toBe(2);
    expect(place(rows, { policy }).outsiders).toBe(0);
  },
);

describe("a window that nobody gave", () => {
  test("is from the first start to the last end", () => {
    const { window, faults } = place([
      { start: 5n, end: 9n },
      { start: 3n, end: 4n },
    ]);
    expect(window).toEqual([3n, 9n]);
    expect(faults).toEqual([]);
  });

  test("begins with the step when no row has a time, and holds the latencies", () => {
    const { window, placed } = place([{ latency: 7n }, {}, { latency: 20n }]);
    expect(window).toEqual([1_000n, 1_020n]);
    expect(placed).toEqual([
      [1_000n, 1_007n],
      [1_000n, 1_000n],
      [1_000n, 1_020n],
    ]);
  });
});

describe("a missing time", () => {
  test("is made from the other one and the latency", () => {
    const { placed } = place([{ start: 5n, latency: 3n }, { end: 9n, latency: 3n }, { end: 9n }]);
    expect(placed).toEqual([
      [5n, 8n],
      [6n, 9n],
      [9n, 9n],
    ]);
  });

  test("stays within a window that was given", () => {
    expect(place([{ latency: 50n }], { start: 100n, end: 120n }).placed).toEqual([[100n, 120n]]);
  });
});

describe("a row outside of the window", () => {
  const given = { start: 10n, end: 20n };
  const rows = [
    { start: 9n, end: 12n },
    { start: 15n, end: 21n },
  ];

  test("is a fault by strict", () => {
    const { faults } = place(rows, given);
    expect(faults).toEqual([
      expect.stringMatching(/^0: start_time 1970-01-01T00:00:00.000009Z is outside the time of the experiment/),
      expect.stringMatching(/^1: end_time 1970-01-01T00:00:00.000021Z is outside the time of the experiment/),
    ]);
  });

  test("widens the window by expand", () => {
    expect(place(rows, { ...given, policy: "expand" })).toMatchObject({ window: [9n, 21n], faults: [] });
  });

  test("is cut by clamp", () => {
    const { placed, window, faults } = place(rows, { ...given, policy: "clamp" });
    expect(window).toEqual([10n, 20n]);
    expect(faults).toEqual([]);
    expect(placed).toEqual([
      [10n, 12n],
      [15n, 20n],
    ]);
  });

  test("may lie on its ends", () => {
    expect(place([{ start: 10n, end: 20n }], given).faults).toEqual([]);
  });
});

test("a row that ends before it starts is a fault whatever the policy", () => {
  for (const policy of TIME_POLICIES) {
    expect(place([{ start: 5n, end: 4n }], { policy }).faults).toContain("0: end_time is before start_time");
  }
});

test("every row without a fault lies in the window", () => {
  const time = fc.option(fc.bigInt(0n, 50n), { nil: undefined });
  const row = fc.record({ start: time, end: time, latency: time });
  const window = fc.record({ start: time, end: time, policy: fc.constantFrom(...TIME_POLICIES) });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), window, (rows, request) => {
      fc.pre(request.start === undefined || request.end === undefined || request.start <= request.end);
      const result = place(rows, request);
      const [start = 0n, end = 0n] = result.window;
      const faulty = new Set(result.faults.map((fault) => Number(fault.split(":")[0])));
      result.placed.forEach(([from = -1n, to = -1n], index) => {
        if (faulty.has(index)) return;
        expect(from >= start && to <= end && from <= to).toBe(true);
      });
    }),
  );
});
