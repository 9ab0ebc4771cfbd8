import { describe, expect, test } from "vitest";
import { rowsOf } from "../../../src/judgement/comparing/values.ts";
import { caseSet, judged } from "../rig.ts";
import { setOf, trial } from "../cases/made-sets.ts";

// Each case is asked three times, and one of ten answers takes 6 s.
const slow = (every: number, cases = 20) =>
  caseSet(
    Array.from({ length: cases }, (_, at) => ({
      name: `c${String(at)}`,
      scores: { latency: [0, 1, 2].map((row) => ((at * 3 + row) % every === 0 ? 6_000 : 1_000)) },
    })),
  );

describe("percentiles, the least and the largest", () => {
  test("are of rows, and the line says so", () => {
    const rules = "p90(latency) <= 3s\np95(latency) <= 3s\nmax(latency) <= 5s\nmin(latency) >= 1s\nlatency <= 3s";
    const { rules: outcomes } = judged(slow(10), undefined, rules);
    expect(outcomes.map(({ holds }) => holds)).toEqual([true, false, false, true, true]);
    expect(outcomes.map(({ found }) => found)).toEqual([
      "p90(latency) is 1 s on 60 rows of 20 cases",
      "p95(latency) is 6 s on 60 rows of 20 cases",
      "max(latency) is 6 s on 60 rows of 20 cases",
      "min(latency) is 1 s on 60 rows of 20 cases",
      expect.stringMatching(/^latency is 1\.5 s \[.*\] on 20 cases$/),
    ]);
  });

  test("change by the same weights", () => {
    const { rules } = judged(slow(10), slow(60), "p95(latency) rise <= 50%\nmax(latency) rise <= 0%");
    expect(rules.map(({ holds, found }) => [holds, found])).toEqual([
      [false, expect.stringContaining("p95(latency) went from 1 s to 6 s")],
      [true, expect.stringContaining("on 60 rows of 20 cases")],
    ]);
  });

  test("give a case that was asked more often no more weight", () => {
    const values = (cases: number, rows: number, value: number) =>
      Array.from({ length: cases }, (_, at) => ({
        name: `${String(rows)} ${String(at)}`,
        scores: { latency: Array.from({ length: rows }, () => value) },
      }));
    const set = caseSet([...values(19, 1, 1_000), ...values(1, 50, 9_000)]);
    expect(judged(set, undefined, "p95(latency) <= 3s").rules[0]?.found).toBe(
      "p95(latency) is 1 s on 69 rows of 20 cases",
    );
  });
});

describe("the rows of a metric", () => {
  const set = setOf([trial(1, { a: 1 }), trial(1, {}), trial(2, { a: 3 }), trial(3, { b: 1 })]);
  const places = [0, 1, 2];
  const order = [...set.cases].map(({ name }) => name);
  const byCase = ({ values, counts }: NonNullable<ReturnType<typeof rowsOf>>) => {
    let from = 0;
    const lists = Array.from(counts ?? [], (count) => [...values].slice(from, (from += count)));
    return Object.fromEntries(lists.map((list, at) => [order[at] ?? "", list]));
  };

  test("leave out what is missing", () => {
    expect(byCase(rowsOf(set, "a", places) ?? { values: [], counts: [] })).toEqual({
      ...{ "case 1": [1], "case 2": [3], "case 3": [] },
    });
  });

  test("are its means where each case has one row", () => {
    const single = setOf([trial(1, { a: 1 }), trial(2, {})]);
    expect(rowsOf(single, "a", [0, 1])).toBeUndefined();
  });
});

test("100,000 rows take no long time", { tags: "slow" }, () => {
  const trials = Array.from({ length: 100_000 }, (_, at) => trial(at % 40_000, { a: at % 997 }));
  const large = setOf(trials);
  const { rules } = judged(large, undefined, "p95(a) <= 990\nmax(a) <= 996");
  expect(rules.map(({ holds }) => holds)).toEqual([true, true]);
});
