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

  test("is a warning with its reason where the rule only warns, and the verdict is that of the other rules", () => {
    const now = caseSet(partly(9));
    const of = (gates: string) => judged(now, now, gates);
    const { status, verdict, headline } = of("warn: tone not regressed\ncorrect not regressed");
    expect([status, verdict]).toEqual(["warned", "unchanged"]);
    expect(headline).toMatch(
      /^Passed with 1 warning: tone 0\.0 pp .* on 9 of 20 cases, p 1\.00: 9 of 20 cases have it, which is fewer than half; /,
    );
    expect(of("warn: tone not regressed\ncorrect >= 0.5").verdict).toBe("no rule");
    expect(of("tone not regressed\ncorrect not regressed").verdict).toBe("incomplete");
  });

  test("is incomplete for a rule that compares as well", () => {
    expect(of(9, "tone not regressed", true).status).toBe("incomplete");
    expect(of(10, "tone not regressed", true).status).toBe("passed");
  });
});

describe("a metric that some cases of a part do not name", () => {
  const of = (has: (at: number) => boolean, gates: string, baseline: boolean) => {
    const now = caseSet(
      Array.from({ length: 40 }, (_, at): GivenCase => ({
        name: `c${String(at)}`,
        scores: { correct: 1, tone: has(at) ? 1 : null },
        metadata: { language: at < 20 ? "de" : "en", kind: at % 4 === 0 ? "tool" : "chat" },
      })),
    );
    const { status, rules } = judged(now, baseline ? now : undefined, gates);
    return [status, rules[0]?.found];
  };

  test.each([false, true])("is incomplete where fewer than half of them have it (baseline: %s)", (baseline) => {
    const isTool = (at: number) => at % 4 === 0;
    const [status, found] = of(isTool, "tone [language = de] >= 0.9", baseline);
    expect(status).toBe("incomplete");
    expect(found).toContain(
      "on 5 of 20 cases: 5 of 20 cases have it, which is fewer than half; name a smaller part in the rule, `[language = de, kind = tool]`, or add `missing_scores <= 30`",
    );
    expect(of(isTool, "tone [language = de, kind = tool] >= 0.9", baseline)[0]).toBe("passed");
    expect(of(isTool, "tone [language = de] >= 0.9\nmissing_scores <= 30", baseline)[0]).toBe("passed");
    expect(of((at) => at < 3 || at >= 20, "tone [language = de] >= 0.9", baseline)[0]).toBe("incomplete");
    expect(of((at) => at < 10, "tone [language = de] >= 0.9", baseline)[0]).toBe("passed");
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
