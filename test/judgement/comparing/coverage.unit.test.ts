import { describe, expect, test } from "vitest";
import { caseSet, judged, type GivenCase } from "../rig.ts";

/** 20 cases with a score, of which the first ones have another one as well. */
function partly(with_: number, more: Partial<GivenCase> = {}): readonly GivenCase[] {
  return Array.from({ length: 20 }, (_, at): GivenCase => ({
    name: `c${String(at)}`,
    scores: { correct: 1, tone: at < with_ ? 1 : null },
    metadata: { kind: at < with_ ? "tool" : "chat", at },
    ...(at < with_ ? {} : more),
  }));
}

describe("a metric that some cases do not name", () => {
  const of = (with_: number, gates: string, baseline = false) => {
    const now = caseSet(partly(with_));
    const { status, rules } = judged(now, baseline ? now : undefined, gates);
    return { status, found: rules[0]?.found };
  };

  test.each([false, true])(
    "is judged on those that have it, and the line says on how many (baseline: %s)",
    (baseline) => {
      const { status, found } = of(12, "tone >= 0.9", baseline);
      expect(status).toBe("passed");
      expect(found).toMatch(/ on 12 of 20 cases$/);
      expect(of(20, "tone >= 0.9", baseline).found).toMatch(/ on 20 cases$/);
      expect(of(10, "tone >= 0.9", baseline).status).toBe("passed");
    },
  );

  test.each([false, true])(
    "is incomplete where fewer than half have it, and prints the rule (baseline: %s)",
    (baseline) => {
      const { status, found } = of(9, "tone >= 0.9", baseline);
      expect(status).toBe("incomplete");
      expect(found).toMatch(
        /on 9 of 20 cases: 9 of 20 cases have it, which is fewer than half; name its part in the rule, `\[kind = tool\]`, or add `missing_scores <= 11`$/,
      );
      expect(of(9, "tone [kind = tool] >= 0.9", baseline).status).toBe("passed");
      expect(of(9, "tone >= 0.9\nmissing_scores <= 11", baseline).status).toBe("passed");
      for (const rule of ["missing_scores <= 10", "missing_scores > 10", "warn: missing_scores <= 11", "errors = 0"]) {
        expect(of(9, `tone >= 0.9\n${rule}`, baseline).status).toBe("incomplete");
      }
      expect(of(9, "warn: tone >= 0.9\ncorrect >= 0.9", baseline).status).toBe("warned");
    },
  );

  test("is incomplete for a rule that compares as well", () => {
    expect(of(9, "tone not regressed", true).status).toBe("incomplete");
    expect(of(10, "tone not regressed", true).status).toBe("passed");
  });
});

describe("times of rows", () => {
  const timed = (with_: number, errors: number) =>
    caseSet(
      Array.from({ length: 20 }, (_, at): GivenCase => ({
        name: `c${String(at)}`,
        scores: { correct: 1, latency: at < with_ ? 200 : null },
        errors: at < with_ ? 0 : errors,
      })),
    );

  test("are incomplete where fewer than half of the rows without an error have one", () => {
    expect(judged(timed(9, 0), undefined, "p95(latency) <= 3s").status).toBe("incomplete");
    expect(judged(timed(12, 0), undefined, "p95(latency) <= 3s").status).toBe("passed");
  });

  test("are not incomplete where the other rows have an error", () => {
    expect(judged(timed(9, 1), undefined, "p95(latency) <= 3s").status).toBe("passed");
  });
});

describe("results without any score", () => {
  const now = caseSet([{ name: "a", scores: { latency: 300 } }]);

  test.each(["rows = 1", "errors = 0", "error_rate <= 5%", "p95(latency) <= 3s", ""])(
    "are a warning for %j",
    (gates) => {
      const { gaps, warnings } = judged(now, undefined, gates);
      expect([gaps, warnings[0]]).toEqual([[], "No row has a score."]);
    },
  );

  test.each(["missing_scores = 0", "newly_failing = 0", "unmatched = 0\nrows = 1"])("are a gap for %j", (gates) => {
    const { status, gaps } = judged(now, now, gates);
    expect([status, gaps.map(({ kind }) => kind)]).toEqual(["incomplete", ["no-scores"]]);
    expect(judged(now, undefined, gates).status).toBe("incomplete");
  });
});
