import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestOf } from "../../src/judgement/cases/case-table.ts";
import { GatesError } from "../../src/judgement/gates/errors.ts";
import { Gates } from "../../src/judgement/gates/gates.ts";
import { judge } from "../../src/judgement/judge.ts";
import { propertyRuns } from "../property-runs.ts";
import { setOf, trial } from "./cases/made-sets.ts";
import { baselineOf, caseSet, judged, yesNo, type GivenCase } from "./rig.ts";

const repeat = (value: number, times: number) => new Array<number>(times).fill(value);
const BOUNDED = { quality: { kind: "bounded", direction: "higher", low: 0, high: 1 } } as const;

describe("a made regression", () => {
  const before = caseSet(yesNo([...repeat(1, 90), ...repeat(0, 10)]));
  const now = caseSet(yesNo([...repeat(0, 12), ...repeat(1, 78), ...repeat(1, 2), ...repeat(0, 8)]));

  test("fails with its size, its interval and its cases", () => {
    const judgement = judged(now, before, "correct not regressed");
    expect(judgement).toMatchObject({ status: "failed", verdict: "regressed" });
    expect(judgement.headline).toBe(
      "Regressed: correct went from 0.9 to 0.8 on 100 cases, and chance alone rarely does that. Look at the cases that got worse.",
    );
    expect(judgement.metrics[0]?.comparison).toMatchObject({ worse: 12, better: 2, test: "mcnemar" });
    expect(judgement.cases.newlyFailing).toHaveLength(12);
    expect(judgement.cases.fixed).toHaveLength(2);
    expect(judgement.rules[0]?.places).toHaveLength(10);
  });

  test("fails each burden of proof, and a rule by count", () => {
    const { rules } = judged(
      now,
      before,
      "correct drop <= 0.02\ncorrect not worse by 5pp\nnewly_failing = 0\ncorrect >= 0.9",
    );
    expect(rules.map(({ holds, verdict }) => [holds, verdict])).toEqual([
      [false, "no rule"],
      [false, "regressed"],
      [false, "no rule"],
      [false, "no rule"],
    ]);
    expect(rules.map(({ found }) => found)).toEqual([
      "correct went from 0.9 to 0.8 (−10.0 pp) on 100 cases",
      expect.stringContaining("correct −10.0 pp [−18.5, −1.8] on 100 cases"),
      "newly_failing is 12",
      "correct is 0.8 [0.711, 0.867] on 100 cases",
    ]);
  });
});

describe("a noisy twin", () => {
  const before = caseSet(yesNo([...repeat(1, 90), ...repeat(0, 10)]));
  const now = caseSet(yesNo([...repeat(0, 4), ...repeat(1, 86), ...repeat(1, 3), ...repeat(0, 7)]));

  test("passes, and is inconclusive: never no regression", () => {
    const judgement = judged(now, before, "correct not regressed");
    expect(judgement).toMatchObject({ status: "passed", verdict: "inconclusive" });
    expect(judgement.headline).not.toMatch(/no regression/i);
    expect(judgement.rules[0]?.needed?.cases).toBeGreaterThan(100);
  });

  test("is not proven harmless on so few cases, and the line says how many would do", () => {
    const judgement = judged(now, before, "correct not worse by 0.03");
    expect(judgement).toMatchObject({ status: "failed", verdict: "inconclusive" });
    expect(judgement.headline).toMatch(
      /^Not proven harmless: correct went from 0\.9 to 0\.89 on 100 cases\. A change as bad as −[\d.]+ pp cannot be ruled out, which `correct not worse by 0\.03` does not allow; about [\d,]+ cases would decide\.$/,
    );
  });
});

describe("results that are not whole are incomplete, and never regressed", () => {
  const before = caseSet(yesNo(repeat(1, 30)));

  test.each([
    ["a lost shard", caseSet(yesNo(repeat(1, 20))), "missing-cases"],
    ["missing scores", caseSet(yesNo([...repeat(1, 28), null, null])), "missing-scores"],
    ["a lost metric", caseSet(yesNo(repeat(1, 30), "other")), "lost-metric"],
    ["a run that did not end", caseSet(yesNo(repeat(1, 30)), {}, { isComplete: false }), "run-not-ended"],
    ["no rows", caseSet([]), "no-rows"],
    [
      "other cases",
      caseSet(yesNo(repeat(1, 30)).map((one) => ({ ...one, name: `other ${one.name}` }))),
      "nothing-shared",
    ],
  ])("%s", (_, now, kind) => {
    const judgement = judged(now, before, "rows > 0");
    expect(judgement).toMatchObject({ status: "incomplete", verdict: "incomplete" });
    expect(judgement.gaps.map((gap) => gap.kind)).toContain(kind);
    expect(judgement.headline).toMatch(/^Incomplete: /);
  });

  test("latencies that were measured with another number of cases at once, where a rule compares them", () => {
    const times = (concurrency: number) =>
      caseSet(
        Array.from({ length: 20 }, (_, index) => ({ name: `c${String(index)}`, scores: { latency: 900 + index } })),
        {},
        { concurrency },
      );
    const judgement = judged(times(8), times(4), "latency not worse by 10%");
    expect(judgement.gaps.map(({ kind }) => kind)).toEqual(["other-concurrency"]);
    expect(judged(times(8), times(4), "p95(latency) <= 2s").status).toBe("passed");
  });

  test("unless a rule allows them", () => {
    const now = caseSet(yesNo([...repeat(1, 20), null, null]));
    expect(judged(now, before, "missing_scores <= 2\nunmatched <= 8").status).toBe("passed");
    expect(judged(now, before, "missing_scores <= 1\nunmatched <= 8").status).toBe("incomplete");
  });

  test("the change is also given for the worst and the best that is missing", () => {
    const was = caseSet(yesNo([1, 1, 0, 1, 1, 1, 1, 0, 1, 1]));
    const now = caseSet(yesNo([1, null, 0, 1, 1, null, 1, 1, 1, 1]));
    const [metric] = judged(now, was, "missing_scores <= 2").metrics;
    expect(metric?.comparison?.change).toBeCloseTo(0.125, 12);
    expect(metric?.ifMissing?.worst).toBeCloseTo(-0.1, 12);
    expect(metric?.ifMissing?.best).toBeCloseTo(0.1, 12);
  });
});

describe("trials", () => {
  const trials = (rows: readonly (readonly number[])[]) =>
    caseSet(rows.map((values, index) => ({ name: `c${String(index)}`, scores: { correct: values } })));
  const before = trials([
    [1, 1, 1],
    [1, 0, 1],
    [1, 1, 1],
    [0, 0, 0],
    [1, 1, 0],
    [1, 1, 1],
    [0, 1, 0],
    [1, 1, 1],
  ]);
  const now = trials([
    [0, 0, 0],
    [1, 1, 1],
    [1, 0, 1],
    [0, 0, 0],
    [0, 1, 0],
    [1, 1, 1],
    [0, 0, 0],
    [1, 1, 1],
  ]);

  test("are averaged first: n counts cases", () => {
    const judgement = judged(now, before, "correct not regressed");
    expect(judgement.metrics[0]?.comparison).toMatchObject({ cases: 8, test: "sign flip" });
    expect(judgement.metrics[0]?.comparison?.change).toBeCloseTo(-0.208333333333, 9);
    expect(judgement.metrics[0]?.comparison?.p).toBeCloseTo(0.3125, 9);
    expect(judgement).toMatchObject({ verdict: "too few", now: { cases: 8, trials: 24 } });
  });

  test("distinguish newly failing from flaky", () => {
    const { cases } = judged(now, before, "");
    expect(cases.newlyFailing.map(({ name }) => name)).toEqual(["c0"]);
    expect(cases.flaky.map(({ name }) => name).toSorted()).toEqual(["c2", "c4"]);
    expect(cases.newlyFlaky.map(({ name }) => name)).toEqual(["c2"]);
  });
});

describe("without a baseline", () => {
  const now = caseSet(yesNo([...repeat(1, 18), 0, 0]));

  test("rules about the results are judged, and the line says first that nothing was compared", () => {
    const judgement = judged(now, undefined, "correct >= 0.8\ncorrect not regressed\nnewly_failing = 0");
    expect(judgement).toMatchObject({ status: "bootstrap", verdict: "not compared", baseline: undefined });
    expect(judgement.headline).toMatch(
      /^Nothing was compared: there is no baseline yet\. The rule about the results alone holds\./,
    );
    expect(judged(now, undefined, "correct >= 0.95\ncorrect not regressed").status).toBe("failed");
  });

  test("rules that need one fail where that is asked", () => {
    const judgement = judged(now, undefined, "correct not regressed", { failsWithoutBaseline: true });
    expect(judgement.status).toBe("failed");
    expect(judgement.headline).toBe(
      'Failed: there is no baseline, and "correct not regressed" needs one. Save the snapshot of a run on the main branch as the baseline.',
    );
  });
});

const TONE_TOO = "correct not regressed\ntone not regressed";
const withTone = (one: GivenCase): GivenCase => ({ ...one, scores: { ...one.scores, tone: 1 } });

describe("rules", () => {
  test("of one family are held to Holm's p, which those of other kinds do not raise", () => {
    const scores = (a: readonly number[], b: readonly number[]) =>
      caseSet(
        a.map((value, index) => ({
          name: `c${String(index).padStart(3, "0")}`,
          scores: { a: value, b: b[index] ?? 0 },
        })),
      );
    const before = scores(repeat(1, 40), repeat(1, 40));
    const now = scores([...repeat(0, 7), ...repeat(1, 33)], [...repeat(0, 7), ...repeat(1, 33)]);
    const alone = judged(now, before, "a not regressed\nb not worse by 0.5");
    const both = judged(now, before, "a not regressed\nb not regressed");
    expect(alone.metrics[0]?.adjustedP).toBeCloseTo(0.015625, 9);
    expect(both.metrics[0]?.adjustedP).toBeCloseTo(0.03125, 9);
    expect(both.metrics.map(({ verdict }) => verdict)).toEqual(["regressed", "regressed"]);
  });

  test("that only warn end in a warning", () => {
    expect(judged(caseSet(yesNo([1, 0])), undefined, "warn: correct >= 0.9\nrows = 2").status).toBe("warned");
  });

  test("look at a part of the cases by its metadata", () => {
    const of = (language: string, values: readonly number[]) =>
      yesNo(values).map((one): GivenCase => ({
        ...one,
        name: `${language} ${one.name}`,
        metadata: { language, level: 2 },
      }));
    const before = caseSet([...of("de", repeat(1, 20)), ...of("en", repeat(1, 20))]);
    const now = caseSet([...of("de", repeat(0, 20)), ...of("en", repeat(1, 20))]);
    const { rules, metrics } = judged(
      now,
      before,
      "correct [language = de] not regressed\ncorrect [language = en] not regressed\ncorrect [level >= 2] >= 0.6\nnewly_failing [language != de] = 0",
    );
    expect(rules.map(({ verdict, holds }) => [verdict, holds])).toEqual([
      ["regressed", false],
      ["unchanged", true],
      ["no rule", false],
      ["no rule", true],
    ]);
    expect(metrics.map(({ metric, part }) => [metric, part])).toEqual([
      ["correct", "language = de"],
      ["correct", "language = en"],
      ["correct", "level >= 2"],
      ["correct", undefined],
    ]);
  });

  test("about a part without a case are an error, with the values that there are", () => {
    const of = (language: string, level: number) => ({
      ...yesNo([1])[0],
      name: language,
      metadata: { language, level },
    });
    const both = caseSet([of("de", 1), of("fr", 2)] as GivenCase[]);
    for (const [rule, hint] of [
      ["newly_failing [language = DE] = 0", "did you mean `de`? (there are de and fr)"],
      ["correct [level >= 3] not regressed", "the values of `level` are 1 and 2"],
      ["correct [language = de, level = 2] >= 0.1", "no case has all of these values"],
    ] as const) {
      expect(() => judged(both, both, rule)).toThrow(`filters out every case; ${hint}`);
    }
    expect(() =>
      judged(caseSet([of("fr", 2)] as GivenCase[]), both, "newly_failing [language = de] = 0"),
    ).not.toThrow();
  });

  test("about what the baseline does not have are left unjudged, and the line says so", () => {
    const judgement = judged(caseSet(yesNo(repeat(1, 20)).map(withTone)), caseSet(yesNo(repeat(1, 20))), TONE_TOO);
    expect(judgement.status).toBe("bootstrap");
    expect(judgement.headline).toBe(
      "1 rule could not be judged: the baseline has no score for tone. All other rules hold. Save the snapshot of this run as the baseline.",
    );
    const failed = judged(caseSet(yesNo([1]).map(withTone)), caseSet(yesNo([1])), TONE_TOO, {
      failsWithoutBaseline: true,
    });
    expect(failed.headline).toMatch(/^Failed: the baseline has no score for tone\. Save /);
  });

  test("find a share of the rows in percent, in every sentence", () => {
    const [first, ...rest] = yesNo(repeat(1, 3));
    if (first === undefined) expect.fail("no case");
    const judgement = judged(caseSet([{ ...first, errors: 1 }, ...rest]), undefined, "error_rate <= 1%");
    expect(judgement.rules.map(({ found }) => found)).toEqual(["error_rate is 33.3 %"]);
    expect(judgement.headline).toBe("Failed: error_rate is 33.3 %, and the rule is `error_rate <= 1%`.");
  });

  test("ask whether a limit that no share can reach was meant in percent, and stay as they are", () => {
    const scores = caseSet(yesNo([...repeat(1, 9), 0]));
    const limits = ["correct >= 90", "correct >= 150%", "correct = 90", "correct > 101", "rows = 10", "correct >= 1"];
    const levels = judged(scores, undefined, limits.join("\n"));
    expect(levels.rules.map(({ holds, found }) => [holds, /\(did you mean (.*)\?\)$/.exec(found)?.[1]])).toEqual([
      [false, "90%"],
      [false, undefined],
      [false, "90%"],
      [false, undefined],
      [true, undefined],
      [false, undefined],
    ]);
    const stars = { quality: { kind: "bounded", direction: "higher", low: 1, high: 5 } } as const;
    const rated = judged(caseSet(yesNo([4, 3], "quality"), stars), undefined, "quality >= 4.5");
    expect(rated.rules[0]?.found).not.toContain("did you mean");
  });

  test("name only what the results or the baseline have", () => {
    expect(() => judged(caseSet(yesNo([1])), undefined, "acuracy >= 0.9")).toThrow(GatesError);
  });
});

describe("numbers", () => {
  test("of latencies are compared as ratios, and judged by their worst side", () => {
    const [before, after] = [
      [812, 640, 1200, 955, 701, 1500, 820, 990],
      [900, 655, 1310, 1010, 690, 1900, 905, 1120],
    ].map((times) =>
      caseSet([...times, ...times].map((latency, index) => ({ name: `c${String(index)}`, scores: { latency } }))),
    );
    if (before === undefined || after === undefined) throw new Error("two sets");
    const judgement = judged(
      after,
      before,
      "latency not worse by 160%\nlatency not worse by 5%\np95(latency) <= 1s\nlatency rise <= 5%",
    );
    expect(judgement.metrics[0]?.comparison?.change).toBeCloseTo(1.09312758403, 9);
    expect(judgement.rules.map(({ holds }) => holds)).toEqual([true, false, false, false]);
    expect(judgement.rules.map(({ found }) => found).slice(2)).toEqual([
      "p95(latency) is 1.9 s on 16 rows",
      expect.stringMatching(/^latency went from 1 s to 1\.1 s/),
    ]);
  });

  test("whose sums are rounded still meet their bound", () => {
    const now = caseSet(
      [0.7, 0.9, 0.8].map((quality, index) => ({ name: `c${String(index)}`, scores: { quality } })),
      BOUNDED,
    );
    expect(
      judged(now, undefined, "quality >= 0.8\nquality = 80%\nmin(quality) > 0.7").rules.map(({ holds }) => holds),
    ).toEqual([true, true, false]);
  });

  test("of several runs of the baseline show what chance makes", () => {
    const runs = [repeat(1, 20), [...repeat(1, 17), 0, 0, 0]].map((values) => caseSet(yesNo(values)));
    const [first] = runs;
    if (first === undefined) throw new Error("a run");
    const judgement = judged(first, undefined, "correct not regressed", { baseline: baselineOf(first, runs) });
    expect(judgement.metrics[0]?.noise).toBeCloseTo(0.15, 12);
    expect(judgement.baseline?.runs).toBe(2);
  });
});

describe("a judgement", () => {
  const value = fc.constantFrom(0, 1, null);
  const sides = fc.array(fc.record({ now: value, before: value, part: fc.constantFrom("x", "y") }), { maxLength: 40 });
  const gates =
    "correct not regressed\ncorrect not worse by 0.1\ncorrect[part = x] drop <= 0.1\nnewly_failing <= 2\nmissing_scores <= 9\nunmatched <= 9";

  test("is the same for the same rows in any order", { tags: "slow" }, () => {
    fc.assert(
      fc.property(sides, fc.integer(), (rows, seed) => {
        const shuffled = rows
          .map((row, index) => ({ row, index, at: Math.sin(seed + index) }))
          .toSorted((a, b) => a.at - b.at);
        const set = (
          order: readonly { readonly row: (typeof rows)[number]; readonly index: number }[],
          side: "before" | "now",
        ) =>
          caseSet(
            order.map(({ row, index }) => ({
              name: `c${String(index)}`,
              scores: { correct: row[side] },
              metadata: { part: row.part },
            })),
          );
        const plain = rows.map((row, index) => ({ row, index }));
        const text = (order: typeof plain) => {
          const judgement = outcome(() => judged(set(order, "now"), set(order, "before"), gates));
          return JSON.stringify(judgement, (key, shown: unknown) =>
            key === "place" || key === "places" ? undefined : shown,
          );
        };
        expect(text(shuffled)).toBe(text(plain));
      }),
      { numRuns: propertyRuns(0.5) },
    );
  });

  test("never holds NaN, and never passes what it could not compare", { tags: "slow" }, () => {
    fc.assert(
      fc.property(sides, (rows) => {
        const set = (side: "before" | "now") =>
          caseSet(
            rows.map((row, index) => ({
              name: `c${String(index)}`,
              scores: { correct: row[side] },
              metadata: { part: row.part },
            })),
          );
        const judgement = outcome(() => judged(set("now"), set("before"), gates));
        if (judgement instanceof GatesError) return;
        walk(judgement);
        if (judgement.status === "passed") expect(judgement.metrics[0]?.comparison).toBeDefined();
      }),
      { numRuns: propertyRuns(0.5) },
    );
  });
});

function outcome(work: () => ReturnType<typeof judged>) {
  try {
    return work();
  } catch (error) {
    if (error instanceof GatesError) return error;
    throw error;
  }
}

function walk(value: unknown): void {
  if (typeof value === "number") expect(value).not.toBeNaN();
  else if (typeof value === "object" && value !== null) Object.values(value).forEach(walk);
}

// Made once with lists of objects: whatever the judgement is made from, it has the same bytes.
test("a judgement of many cases has the same bytes", { tags: "slow" }, () => {
  const { status, counts, headline: _words, ...judgement } = judgementOfMany();
  expect({ status, counts, digest: digestOf(JSON.stringify(judgement)) }).toMatchInlineSnapshot(`
    {
      "counts": {
        "added": 7,
        "changed": 11,
        "errors": 20,
        "fixed": 175,
        "flaky": 239,
        "missing": 40,
        "newlyFailing": 343,
        "newlyFlaky": 176,
        "removed": 5,
        "unmeasured": 0,
        "worse": 1749,
      },
      "digest": "7d4bd527e8cb3820c3b5d52d865e9bfb",
      "status": "incomplete",
    }
  `);
});

/** 2,400 cases with one to three trials, with all that can be listed; the same ones each time. */
function judgementOfMany() {
  let state = 7;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % limit;
  };
  const side = (isNow: boolean) =>
    setOf(
      Array.from({ length: 2_400 }, (_, number) => number).flatMap((number) => {
        const [isRemoved, isAdded] = [isNow && number % 401 === 0, !isNow && number % 307 === 0];
        if (isRemoved || isAdded) return [];
        const digest = digestOf(number % 211 === 0 && isNow ? "asked otherwise" : `inputs ${String(number)}`);
        const metadata = { language: ["de", "en", "fr"][number % 3] ?? "", document: number % 60 };
        return Array.from({ length: number % 5 === 0 ? 3 : 1 }, () => {
          const values = {
            accuracy: Number(below(10) < (isNow ? 8 : 9)),
            ...(below(97) === 0 ? {} : { tone: below(21) / 20 }),
            latency: 200 + below(3_000),
            similarity: below(1_000_000) / 1_000_000,
          };
          const place = isNow ? { file: "now.jsonl", line: number + 1 } : undefined;
          return trial(number, values, { digest, metadata, place, hasError: below(150) === 0 });
        });
      }),
    );
  const [now, before, older] = [side(true), side(false), side(false)];
  const gates = [
    ...["accuracy not regressed", "tone not worse by 0.02", "warn: latency not worse by 10%", "accuracy >= 0.9"],
    ...["similarity [language = de] not regressed", "p95(latency) <= 2s", "tone drop <= 1pp", "errors = 0"],
    ...[
      "newly_failing = 0",
      "newly_flaky [language != fr] <= 2",
      "missing_scores <= 2",
      "unmatched <= 5",
      "rows = 3360",
    ],
  ];
  const baseline = baselineOf(before, [before, older]);
  return judge({ results: now, baseline, gates: Gates.parse(gates.join("\n")), cluster: "document" });
}
