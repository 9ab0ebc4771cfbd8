import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { MetricFacts } from "../../../src/judgement/cases/case-set.ts";
import { caseSet, judged, yesNo, type GivenCase, type GivenFacts } from "../rig.ts";

interface LimitCase {
  readonly id: string;
  readonly what: string;
  readonly input: {
    readonly rows: readonly (readonly (number | null)[])[];
    readonly statistic: string;
    readonly operator: string;
    readonly limit: number;
    readonly range?: readonly [number, number | null];
  };
  readonly expected: { readonly low: number | null; readonly high: number | null; readonly outcome: string };
}

const VALUES = JSON.parse(readFileSync(new URL("../../statistics/judgement-values.json", import.meta.url), "utf8")) as {
  readonly cases: readonly LimitCase[];
};

/** A row that names the metric without a number has another score. */
function named(values: readonly (number | null)[], metric: string): GivenCase["scores"] {
  return { [metric]: values, exact: values.map(() => 1) };
}

const OUTCOMES: Readonly<Record<string, string>> = { holds: "passed", broken: "failed", incomplete: "incomplete" };

/** How the facts of a set say the range of the case. */
function factsOf(range: LimitCase["input"]["range"]): MetricFacts {
  if (range === undefined) return { kind: "unbounded", direction: "lower" };
  const [low, high] = range;
  return high === null
    ? { kind: "unbounded", direction: "higher" }
    : { kind: "bounded", low, high, direction: "higher" };
}

test.each(VALUES.cases.filter(({ what }) => what === "limit-with-missing"))(
  "a limit with missing scores $id",
  ({ input, expected }) => {
    const { rows, statistic, operator, limit, range } = input;
    const given = rows.map((values, at) => ({ name: `c${String(at)}`, scores: named(values, "m"), unscored: ["m"] }));
    const facts = { m: factsOf(range) };
    const set = caseSet(given, facts);
    const rule = `${statistic}(m) ${operator} ${String(limit)}`;
    const { status, rules } = judged(set, undefined, rule);
    expect(status).toBe(OUTCOMES[expected.outcome]);
    const { low, high } = expected;
    if (low !== null && high !== null && low !== high) {
      expect(rules[0]?.found).toMatch(new RegExp(`is between ${String(low)} and ${String(high)}, as`));
    }
  },
);

const HUNDRED = Array.from({ length: 100 }, (_, at) => at);
/** 88 right and 7 wrong, and 5 without a number. */
const PARTLY = yesNo(HUNDRED.map((at) => (at < 88 ? 1 : at < 95 ? 0 : null))).map((one): GivenCase => ({
  ...one,
  scores: { ...one.scores, other: 1 },
}));
const LACKING = (more: Partial<GivenCase>) =>
  PARTLY.map((one) => (one.scores["correct"] === null ? { ...one, ...more } : one));

describe("a score is missing without a baseline", () => {
  const found = (set: readonly GivenCase[], gates = "correct >= 0.9", facts: GivenFacts = {}) => {
    const { status, rules, headline } = judged(caseSet(set, facts), undefined, gates);
    return { status, found: rules[0]?.found, headline };
  };

  test("where the row has an error, has no score at all, or names the metric and gives no number", () => {
    const open =
      "correct is between 0.88 and 0.93, as 5 of 100 scores are missing: `correct >= 0.9` is open until they are there, or `missing_scores <= 5` allows it";
    expect(found(LACKING({ unscored: ["correct"] }))).toMatchObject({ status: "incomplete", found: open });
    expect(found(LACKING({ errors: 1 }))).toMatchObject({ status: "incomplete", found: open });
    expect(found(LACKING({ unscored: ["correct"] })).headline).toBe(
      `Incomplete: ${open}. Nothing can be said about the change: repair the evaluation, and run it again.`,
    );
    expect(found(LACKING({ scores: { correct: null, other: null } }))).toMatchObject({
      status: "incomplete",
      found: expect.stringContaining("as 5 of 100 scores are missing") as string,
    });
  });

  test("and not where the row has other scores and does not name this one", () => {
    expect(found(PARTLY)).toMatchObject({
      status: "passed",
      found: expect.stringMatching(/^correct is 0\.926 .* on 95 of 100 cases$/) as string,
    });
  });

  test("95 of 100 rows without a score and `correct >= 0.9` is not green", () => {
    const rows = yesNo(HUNDRED.map((at) => (at < 5 ? 1 : null)));
    expect(found(rows)).toMatchObject({ status: "incomplete" });
    expect(found(rows).found).toContain("correct is between 0.05 and 1, as 95 of 100 scores are missing");
  });

  test("and the rule holds or is broken where both readings agree, which its line names", () => {
    const lacking = LACKING({ unscored: ["correct"] });
    expect(found(lacking, "correct >= 0.88")).toMatchObject({
      status: "passed",
      found: expect.stringMatching(
        /^correct is 0\.926 .* on 95 of 100 cases; it is between 0\.88 and 0\.93, as 5/,
      ) as string,
    });
    expect(found(lacking, "correct >= 0.95").status).toBe("failed");
    expect(found(lacking, "correct <= 0.9").status).toBe("incomplete");
    expect(found(lacking, "correct = 0.9").status).toBe("incomplete");
    expect(found(lacking, "correct = 0.95").status).toBe("failed");
  });

  test.each([
    ["missing_scores <= 5", { unscored: ["correct"] }, "passed"],
    ["missing_scores <= 4", { unscored: ["correct"] }, "incomplete"],
    ["warn: missing_scores <= 5", { unscored: ["correct"] }, "incomplete"],
    ["rows > 0", { unscored: ["correct"] }, "incomplete"],
    ["errors <= 5", { errors: 1 }, "passed"],
    ["error_rate <= 5%", { errors: 1 }, "passed"],
    ["errors <= 4", { errors: 1 }, "incomplete"],
    ["errors <= 5", { unscored: ["correct"] }, "incomplete"],
  ] as const)("and a limit that is met allows it: %s", (rule, more, status) => {
    const outcome = found(LACKING(more), `correct >= 0.9\n${rule}`);
    expect(outcome.status).toBe(status);
    // Whatever decides, the line has both readings.
    expect(outcome.found).toContain("between 0.88 and 0.93");
  });

  test("counts only in the part of the rule", () => {
    const rows = LACKING({ unscored: ["correct"] }).map((one, at) => ({
      ...one,
      metadata: { language: at < 95 ? "de" : "en" },
    }));
    expect(found(rows, "correct [language = de] >= 0.9").status).toBe("passed");
    expect(found(rows, "warn: correct >= 0.9\nrows = 100").status).toBe("warned");
  });
});
