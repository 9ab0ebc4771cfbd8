import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { judge as judgeRows } from "../../../src/judgement/judge-rows.ts";
import { caseSet, judged, yesNo, type GivenCase } from "../rig.ts";

interface UnknownCase {
  readonly id: string;
  readonly what: string;
  readonly input: { readonly baseline: readonly (number | null)[]; readonly current: readonly (number | null)[] };
  readonly expected: { readonly outcome: string };
}

const VALUES = JSON.parse(readFileSync(new URL("../../statistics/judgement-values.json", import.meta.url), "utf8")) as {
  readonly cases: readonly UnknownCase[];
};
const STATUS: Readonly<Record<string, string>> = { holds: "passed", broken: "failed", incomplete: "incomplete" };

/** One side, with a row that names the score where it has none. */
const side = (values: readonly (number | null)[], more: Partial<GivenCase> = {}) =>
  caseSet(
    yesNo(values).map((one) => (one.scores["correct"] === null ? { ...one, unscored: ["correct"], ...more } : one)),
  );
const repeat = (value: number | null, count: number) => Array.from({ length: count }, () => value);

describe("a pair that lacks a side is read as newly failing, then as fixed", () => {
  test.each(VALUES.cases.filter(({ what }) => what === "not-regressed-with-unknown"))("$id", ({ input, expected }) => {
    const judgement = judged(side(input.current), side(input.baseline), "correct not regressed");
    expect(judgement.status).toBe(STATUS[expected.outcome]);
  });

  test("and where the two readings differ the line names both, and the ways out", () => {
    const now = side([...repeat(1, 90), ...repeat(null, 10)]);
    const { status, rules, headline } = judged(now, side(repeat(1, 100)), "correct not regressed");
    expect(status).toBe("incomplete");
    expect(rules[0]?.found).toBe(
      "correct 0.0 pp [−4.0, +4.0] on 90 of 100 cases, p 1.00; it changed by −10.0 pp at worst and 0.0 pp at best, as 10 of 100 pairs lack a score: `correct not regressed` is open until they are there, or `missing_scores <= 10` allows it",
    );
    expect(headline).toContain("Incomplete: correct 0.0 pp");
    expect(rules[0]?.places).toHaveLength(10);
    for (const { line = 0 } of rules[0]?.places ?? []) expect(line).toBeGreaterThan(90);
  });

  test.each([
    ["correct not regressed\nmissing_scores <= 10", "passed"],
    ["correct not regressed\nmissing_scores <= 9", "incomplete"],
    ["correct drop <= 0.05", "incomplete"],
    ["correct drop <= 0.2", "passed"],
    ["newly_failing = 0", "incomplete"],
    ["newly_failing <= 10", "passed"],
    ["newly_failing = 0\nmissing_scores = 10", "passed"],
    ["warn: correct not regressed\nmissing_scores <= 10", "passed"],
  ])("%j is %s", (gates, status) => {
    const now = side([...repeat(1, 90), ...repeat(null, 10)]);
    expect(judged(now, side(repeat(1, 100)), gates).status).toBe(status);
  });

  test("and is allowed by a limit of errors where the row has one", () => {
    const now = side([...repeat(1, 90), ...repeat(null, 10)], { errors: 1 });
    const of = (gates: string) => judged(now, side(repeat(1, 100)), gates).status;
    expect(of("correct not regressed")).toBe("incomplete");
    expect(of("correct not regressed\nerrors <= 10")).toBe("passed");
    expect(of("correct not regressed\nerrors <= 9")).toBe("incomplete");
  });

  test("of the baseline needs a limit that the baseline meets as well", () => {
    const [now, before] = [side([...repeat(1, 90), ...repeat(0, 10)]), side([...repeat(1, 90), ...repeat(null, 10)])];
    const of = (gates: string) => judged(now, before, gates).status;
    expect(of("correct not regressed")).toBe("incomplete");
    expect(of("correct not regressed\nmissing_scores = 0")).toBe("incomplete");
    expect(of("correct not regressed\nmissing_scores <= 10")).toBe("passed");
  });
});

describe("the limit that a line offers allows it", () => {
  const offered = (found = "") => /`(missing_scores <= \d+)`/.exec(found)?.[1] ?? "";

  test("where the baseline lacks more than this run", () => {
    const now = side([...repeat(1, 90), ...repeat(0, 8), null, null]);
    const before = side([...repeat(1, 89), null, ...repeat(null, 8), 1, 1]);
    const open = judged(now, before, "correct not regressed");
    expect(open.rules[0]?.found).toContain("as 11 of 100 pairs lack a score");
    expect(offered(open.rules[0]?.found)).toBe("missing_scores <= 9");
    expect(judged(now, before, "correct not regressed\nmissing_scores <= 8").status).toBe("incomplete");
    expect(judged(now, before, `correct not regressed\n${offered(open.rules[0]?.found)}`).status).not.toBe(
      "incomplete",
    );
  });
});

describe("a limit is about one run of a pool", () => {
  /** The first rows lack the score, or fail. */
  const run = (lacking: number, value: number | null, error?: string) =>
    Array.from({ length: 100 }, (_, at) => ({
      id: `c${String(at)}`,
      inputs: { question: String(at) },
      scores: at >= lacking ? { correct: 1 } : error === undefined ? { correct: value } : {},
      ...(at < lacking && error !== undefined && { error }),
    }));
  const statusOf = async (runs: readonly ReturnType<typeof run>[], gates: string) => {
    const baseline = runs.map((rows, at) => ({
      rows,
      run: `b${String(at)}`,
      created: `2026-11-2${String(at)}T00:00:00Z`,
    }));
    const results = { rows: run(2, 0), run: "now" };
    return (await judgeRows({ datasetName: "d", results, baseline, gates })).judgement.status;
  };

  test.each([
    ["missing_scores <= 2", undefined, "passed"],
    ["missing_scores <= 1", undefined, "incomplete"],
    ["errors <= 2", "timeout", "passed"],
    ["errors <= 1", "timeout", "incomplete"],
    ["error_rate <= 2%", "timeout", "passed"],
  ])("%s", async (limit, error, status) => {
    const gates = `newly_failing = 0\ncorrect drop <= 1pp\n${limit}`;
    for (const runs of [1, 2, 5]) {
      const given = Array.from({ length: runs }, () => run(2, null, error));
      expect(await statusOf(given, gates)).toBe(status);
    }
  });

  test("and counts what the pool lacks in the run that lacks most", async () => {
    // Of the three that one run lacks the other has two.
    const runs = [run(1, null), run(3, null)];
    expect(await statusOf(runs, "correct drop <= 1.5pp\nmissing_scores <= 1")).toBe("passed");
    expect(await statusOf(runs, "correct drop <= 1.5pp\nmissing_scores <= 0")).toBe("incomplete");
  });
});

describe("a score with several trials, and a metric of numbers", () => {
  test("is filled trial by trial", () => {
    const cases = (lost: number) =>
      Array.from({ length: 30 }, (_, at): GivenCase => ({
        name: `c${String(at)}`,
        scores: { correct: at < lost ? [1, null, null] : [1, 1, 1] },
      }));
    const status = (lost: number) => judged(caseSet(cases(lost)), caseSet(cases(0)), "correct not regressed").status;
    expect([status(0), status(2), status(10)]).toEqual(["passed", "passed", "incomplete"]);
  });

  test("may be newly flaky where all rows of a case lack it", () => {
    const cases = (lost: number) =>
      Array.from({ length: 20 }, (_, at): GivenCase => ({
        name: `c${String(at)}`,
        scores: { correct: at < lost ? [null, null] : [1, 1] },
      }));
    const of = (gates: string) => judged(caseSet(cases(2)), caseSet(cases(0)), gates);
    expect(of("newly_flaky = 0").status).toBe("incomplete");
    expect(of("newly_flaky = 0").rules[0]?.found).toContain("newly_flaky is between 0 and 2, as 4 scores are missing");
    expect(of("newly_flaky <= 2").status).toBe("passed");
  });

  test("needs both ends of a range that is known, and one row without a score decides nothing where none is", () => {
    const marks = (lost: number) =>
      caseSet(
        Array.from({ length: 30 }, (_, at) => ({
          name: `c${String(at)}`,
          scores: { m: at < lost ? null : 3 + (at % 3) },
        })),
        { m: { kind: "unbounded", direction: "lower" } },
      );
    const of = (lost: number, gates: string) => judged(marks(lost), marks(0), gates);
    expect(of(1, "m not regressed").status).toBe("passed");
    expect(of(10, "m not regressed").status).toBe("incomplete");
    expect(of(1, "m rise <= 1").status).toBe("incomplete");
    expect(of(1, "m <= 10").rules[0]?.found).toMatch(
      /^m is not known, as 1 of 30 scores is missing: `m <= 10` is open/,
    );
    expect(of(1, "p50(m) <= 5").status).toBe("passed");
  });

  test("times that the baseline has are missing for a rule that compares, unless a limit bears them too", () => {
    const timed = (lost: number, errors = 0) =>
      caseSet(
        Array.from({ length: 80 }, (_, at): GivenCase => ({
          name: `c${String(at)}`,
          scores: { correct: 1, latency: at < lost ? null : 1000 + at },
          errors: at < lost ? errors : 0,
        })),
      );
    const of = (lost: number, gates: string, errors = 0) => judged(timed(lost, errors), timed(0), gates);
    expect(of(1, "p95(latency) <= 3s").status).toBe("passed");
    // A row without an error may have none: its answer came from a cache.
    expect(of(1, "latency <= 3s").status).toBe("passed");
    expect(of(1, "latency <= 3s").rules[0]?.found).toMatch(/ on 79 of 80 cases$/);
    expect(of(41, "latency <= 3s").status).toBe("incomplete");
    const compares = "latency not worse by 20%";
    expect(of(1, compares).status).toBe("incomplete");
    expect(of(1, compares).rules[0]?.found).toContain("or `missing_scores <= 1` allows it");
    expect(of(2, compares).rules[0]?.found).toContain("or `missing_scores <= 2` allows it");
    for (const [limit, status] of [
      ["missing_scores <= 2", "passed"],
      ["missing_scores <= 1", "incomplete"],
      ["missing_scores = 0", "incomplete"],
      ["warn: missing_scores <= 2", "incomplete"],
      ["errors <= 2", "incomplete"],
    ]) {
      expect([limit, of(2, `${compares}\n${limit ?? ""}`).status]).toEqual([limit, status]);
    }
    expect(of(1, "latency <= 3s", 1).status).toBe("passed");
    expect(of(1, "latency <= 3s", 1).warnings[0]).toContain("1 row with an error has no latency");
  });
});

test("a loss that was measured is shown beside what is missing", () => {
  const score = (values: readonly (number | null)[]) =>
    caseSet(
      values.map((value, at) => ({
        name: `c${String(at)}`,
        scores: { score: value, other: 1 },
        unscored: value === null ? ["score"] : [],
      })),
      { score: { kind: "unbounded", direction: "higher" } },
    );
  const { rules, headline, status } = judged(
    score([...repeat(20, 99), null]),
    score(repeat(95, 100)),
    "score not regressed",
  );
  expect(status).toBe("incomplete");
  expect(rules[0]?.found).toContain("score −75 on 99 of 100 cases");
  expect(headline).toMatch(/^Incomplete: score −75 .* as 1 of 100 pairs lacks a score/);
  expect(headline).not.toContain("Nothing can be said");
});

describe("a t test is not clearest at the ends", () => {
  const raw = Array.from({ length: 50 }, (_, at) => Math.sin(at * at));
  const mean = raw.reduce((sum, one) => sum + one, 0) / 50;
  const spread = Math.sqrt(raw.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 49);
  const moves = raw.map((one) => (one - mean) / spread);

  test.each([
    ["marks", { kind: "unbounded", direction: "higher" }, 70, -0.52, 2, 6],
    ["perplexity", { kind: "unbounded", direction: "lower" }, 70, 0.52, 2, -6],
    ["quality", { kind: "bounded", direction: "higher", low: 0, high: 1 }, 0.7, -0.0053, 0.02, 0.06],
    ["cost", { kind: "positive", direction: "lower" }, 1, 0.0055, 0.02, -0.06],
  ] as const)(
    "%s: what 3 of 53 lost may show harm, which neither end does",
    (metric, facts, level, shift, size, loss) => {
      const before = (at: number) => level * (1 + (at % 5) / 100);
      const side = (scoreOf: (at: number) => number | null) =>
        caseSet(
          Array.from({ length: 53 }, (_, at) => ({
            name: `c${String(at).padStart(2, "0")}`,
            scores: { correct: 1, [metric]: scoreOf(at) },
            unscored: scoreOf(at) === null ? [metric] : [],
          })),
          { [metric]: facts },
        );
      const now = (ofLost: (at: number) => number | null) =>
        side((at) => (at < 50 ? before(at) + shift + size * (moves[at] ?? 0) : ofLost(at)));
      const of = (set: ReturnType<typeof side>, more = "") =>
        judged(set, side(before), `${metric} not regressed${more}`).status;
      expect(of(now(before))).toBe("passed");
      expect(of(now((at) => before(at) - loss))).toBe("failed");
      expect(of(now(() => null))).toBe("incomplete");
      if (metric !== "cost")
        expect(
          of(
            now(() => null),
            "\nmissing_scores <= 3",
          ),
        ).toBe("passed");
    },
  );

  test("and a clear gain stays one, whatever was lost", () => {
    const side = (gain: number, isWhole: boolean) =>
      caseSet(
        moves.map((move, at) => ({
          name: `c${String(at)}`,
          scores: { quality: at === 7 && !isWhole ? null : 0.5 + gain + move / 20 },
          unscored: at === 7 && !isWhole ? ["quality"] : [],
        })),
        { quality: { kind: "bounded", direction: "higher", low: 0, high: 1 } },
      );
    const { status } = judged(side(0.3, false), side(0, true), "quality not regressed");
    expect(status).toBe("passed");
  });
});

describe("scores that no rule looks at", () => {
  const now = side([...repeat(1, 90), ...repeat(null, 10)]);
  test("are a gap with a baseline", () => {
    const { gaps } = judged(now, side(repeat(1, 100)), "errors = 0\nwarn: correct >= 0.5");
    expect(gaps.map(({ kind }) => kind)).toEqual(["missing-scores"]);
  });
});

test("the limit that a gap offers counts scores and not cases, and allows it", () => {
  const scored = (lost: number) =>
    caseSet(
      Array.from({ length: 40 }, (_, at): GivenCase => ({
        name: `c${String(at)}`,
        scores: { correct: 1, tone: at < lost ? null : 1, brief: at < lost ? null : 1 },
      })),
    );
  const [gap] = judged(scored(5), scored(0), "correct not regressed").gaps;
  expect(gap?.message).toContain("5 cases lack a score that the baseline has (a rule such as `missing_scores <= 10`");
  expect(judged(scored(5), scored(0), "correct not regressed\nmissing_scores <= 10").gaps).toEqual([]);
});
