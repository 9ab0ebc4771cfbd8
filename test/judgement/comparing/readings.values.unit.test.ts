import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { CaseSet, MetricFacts } from "../../../src/judgement/cases/case-set.ts";
import { allowancesOf } from "../../../src/judgement/comparing/allowances.ts";
import { ALL } from "../../../src/judgement/comparing/missing-scores.ts";
import { pairCases } from "../../../src/judgement/comparing/pairing.ts";
import { Readings } from "../../../src/judgement/comparing/readings.ts";
import { Gates } from "../../../src/judgement/gates/gates.ts";
import { baselineOf, caseSet, judged, type GivenCase } from "../rig.ts";

type Value = number | null;

interface LimitCase {
  readonly rows: readonly (readonly Value[])[];
  readonly statistic: string;
  readonly operator: string;
  readonly limit: number;
  readonly range?: readonly [number, number | null];
}

interface Reference {
  readonly id: string;
  readonly what: string;
  readonly input: LimitCase & { readonly baseline: readonly Value[]; readonly current: readonly Value[] };
  readonly expected: {
    readonly missing: number;
    readonly low: Value;
    readonly high: Value;
    readonly worst: Flips;
    readonly best: Flips;
  };
}

interface Flips {
  readonly newly_failing: number;
  readonly fixed: number;
  readonly p: number;
}

const { cases } = JSON.parse(
  readFileSync(new URL("../../statistics/judgement-values.json", import.meta.url), "utf8"),
) as { readonly cases: readonly Reference[] };

const setOf = (rows: readonly (readonly Value[])[], facts: MetricFacts) =>
  caseSet(
    // A row that names the metric without a number has another score.
    rows.map((m, at): GivenCase => ({ name: `c${String(at)}`, scores: { m, exact: m.map(() => 1) }, unscored: ["m"] })),
    { m: facts },
  );

function readingsOf(text: string, now: CaseSet, before?: CaseSet) {
  const rules = Gates.parse(text).written;
  const baseline = before && baselineOf(before);
  const listed = { now, baseline, pairing: pairCases(now, baseline) };
  const allowances = allowancesOf(rules, listed);
  return {
    rule: rules[0]!,
    readings: new Readings({ ...listed, rules, allowances }, ["m"], ALL),
  };
}

const near = (actual: number | undefined, expected: number) => {
  expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThanOrEqual(1e-9);
};

test.each(cases.filter(({ what }) => what === "limit-with-missing"))(
  "what a limit is about lies between $id",
  ({ input, expected }) => {
    const { rows, statistic, operator, limit, range } = input;
    const [low, high = null] = range ?? [];
    const facts: MetricFacts =
      low === undefined
        ? { kind: "unbounded", direction: "lower" }
        : high === null
          ? { kind: "unbounded", direction: "higher" }
          : { kind: "bounded", low, high, direction: "higher" };
    const { rule, readings } = readingsOf(`${statistic}(m) ${operator} ${String(limit)}`, setOf(rows, facts));
    const between = readings.levels(rule)!;
    expect(readings.missingFor(rule).count).toBe(expected.missing);
    for (const end of ["low", "high"] as const) {
      const value = expected[end];
      if (value === null) expect(Math.abs(between[end])).toBe(Infinity);
      else near(between[end], value);
    }
  },
);

test.each(cases.filter(({ what }) => what === "not-regressed-with-unknown"))(
  "a change with what is not known lies between $id",
  ({ input, expected }) => {
    const facts: MetricFacts = { kind: "binary", low: 0, high: 1, direction: "higher" };
    const [now, before] = [input.current, input.baseline].map((side) =>
      setOf(
        side.map((value) => [value]),
        facts,
      ),
    ) as [CaseSet, CaseSet];
    const { rule, readings } = readingsOf("m not regressed", now, before);
    const measured = readings.measured(rule);
    for (const end of ["worst", "best"] as const) {
      const { newly_failing: worse, fixed: better, p } = expected[end];
      expect(measured[end].comparison).toMatchObject({ worse, better });
      near(measured[end].comparison?.p, p);
    }
  },
);

describe("a time that has a timeout", () => {
  const times = (count: number, timeout?: number, longest = 1000) =>
    caseSet(
      Array.from({ length: count }, (_, at): GivenCase => ({
        name: `c${String(at)}`,
        scores: { latency: at === 0 ? longest : 1000 },
      })),
      {},
      { timeout },
    );
  const worstOf = (now: CaseSet, before: CaseSet) =>
    judged(now, before, "latency not worse by 10%").metrics.find(({ metric }) => metric === "latency")?.comparison
      ?.worst;

  test("takes at most that long, unless one took longer", () => {
    expect(judged(times(72, 10_000), times(72), "latency not worse by 10%").rules[0]).toMatchObject({
      ...{ holds: true, found: expect.stringContaining("as if one more case had taken 10 times as long (10 s)") },
    });
    expect(worstOf(times(72, 10_000), times(72))).toEqual({ loss: Math.log(10), from: "ceiling" });
    expect(worstOf(times(72, 10_000, 10_001), times(72))?.from).toBe("factor");
    expect(worstOf(times(72), times(72, 10_000))?.from).toBe("factor");
  });
});

describe("a rule that rules out harm, where scores are missing", () => {
  const SHARE: MetricFacts = { kind: "bounded", low: 0, high: 1, direction: "higher" };
  const MARKS: MetricFacts = { kind: "unbounded", direction: "higher" };
  const of = (value: number, count: number, lacking: number, facts: MetricFacts, gates: string) => {
    const rows = (missing: number) => Array.from({ length: count }, (_, at): Value[] => [at < missing ? null : value]);
    return judged(setOf(rows(lacking), facts), setOf(rows(0), facts), gates);
  };

  test.each([
    ["shares, of which one is missing", 0.9, 1, SHARE, "m not worse by 5pp", "passed"],
    ["shares, of which ten are missing", 0.9, 10, SHARE, "m not worse by 5pp", "incomplete"],
    ["shares of which ten may be missing", 0.9, 10, SHARE, "m not worse by 5pp\nmissing_scores <= 10", "passed"],
    ["marks, which have a floor", 5, 1, MARKS, "m not worse by 0.2", "passed"],
    ["marks, of which ten are missing", 5, 10, MARKS, "m not worse by 0.2", "incomplete"],
  ])("%s", (_what, value, lacking, facts, gates, status) => {
    const judgement = of(value, 200, lacking, facts, gates);
    expect(judgement.status).toBe(status);
    if (status === "incomplete") expect(judgement.rules[0]?.found).toContain("is open until they are there");
  });

  test("is open by its range before its missing scores", () => {
    const { rules, status } = of(5, 200, 1, { kind: "unbounded", direction: "lower" }, "m not worse by 0.2");
    expect(status).toBe("incomplete");
    expect(rules[0]?.advice).toContain("declare the range");
  });
});
