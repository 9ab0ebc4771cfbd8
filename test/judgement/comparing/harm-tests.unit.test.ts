import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../property-runs.ts";
import { caseSet, judged, yesNo, type GivenCase } from "../rig.ts";

const repeat = (value: number, times: number) => new Array<number>(times).fill(value);
const RULE = "correct not regressed";
const BOUNDED = { quality: { kind: "bounded", direction: "higher", low: 0, high: 1 } } as const;

/** Cases with these yes/no scores, before and now. */
const sides = (before: readonly number[], now: readonly number[]) =>
  [caseSet(yesNo(now)), caseSet(yesNo(before))] as const;

/** Cases that have the same score under ten names, m0 to m9. */
function tenScores(values: readonly number[]) {
  const scores = (value: number) => Object.fromEntries(repeat(0, 10).map((_, at) => [`m${String(at)}`, value]));
  return caseSet(yesNo(values).map((one, at): GivenCase => ({ ...one, scores: scores(values[at] ?? 0) })));
}
const TEN_RULES = repeat(0, 10)
  .map((_, at) => `m${String(at)} not regressed`)
  .join("\n");

describe("a rule that so few cases could not break", () => {
  test.each([
    ["5 of 5 fail", repeat(1, 5), repeat(0, 5), "5 of the 5 cases that can get worse did", 6],
    ["half of them fail", repeat(1, 4), [0, 0, 1, 1], "2 of the 4 cases that can get worse did", 6],
    ["all that could fail, of more", [1, 1, 1, ...repeat(0, 30)], repeat(0, 33), "3 of the 3 cases", 6],
    ["the only case fails", [1], [0], "1 of the 1 case that can get worse did", 6],
  ])("is incomplete where %s", (_, before, now, why, needs) => {
    const judgement = judged(...sides(before, now), RULE);
    expect(judgement).toMatchObject({ status: "incomplete", verdict: "incomplete" });
    const [rule] = judgement.rules;
    expect(rule).toMatchObject({ holds: false, verdict: "incomplete", reach: { needs } });
    expect(rule?.found).toContain(why);
    expect(rule?.found).toContain("it needs at least 6 to show harm");
    expect(rule?.found).toMatch(/; `newly_failing = 0` or `correct drop <= 5pp` decides on so few$/);
    expect(judgement.headline).toMatch(
      /^Incomplete: correct went from .*Add cases, or replace the rule by `newly_failing = 0` or `correct drop <= 5pp`\.$/,
    );
    expect(judgement.headline).not.toMatch(/chance|nothing can be said/i);
    expect(judgement.metrics[0]?.verdict).toBe("incomplete");
  });

  test.each([
    ["less than half of them fail", repeat(1, 5), [0, 0, 1, 1, 1]],
    ["one got better", [...repeat(1, 5), 0], [...repeat(0, 5), 1]],
    ["nothing changed", repeat(1, 5), repeat(1, 5)],
    ["all got better", [1, 1, ...repeat(0, 3)], repeat(1, 5)],
  ])("holds with a warning where %s", (_, before, now) => {
    const judgement = judged(...sides(before, now), RULE);
    expect(judgement.status).toBe("passed");
    const units = judgement.rules[0]?.reach?.units ?? 0;
    expect(judgement.warnings).toEqual([
      `The rule \`correct not regressed\` could not have been broken with ${String(units)} cases that can get worse: it needs at least 6. \`newly_failing = 0\` or \`correct drop <= 5pp\` decides on so few.`,
    ]);
  });

  test("is none where 6 of 6 fail: that is harm", () => {
    const judgement = judged(...sides(repeat(1, 6), repeat(0, 6)), RULE);
    expect(judgement).toMatchObject({ status: "failed", verdict: "regressed" });
    expect(judgement.rules[0]?.reach).toBeUndefined();
  });

  test("counts the other rules: 8 of 8 cases on ten scores need 9, and 9 of 9 are harm", () => {
    const eight = judged(tenScores(repeat(0, 8)), tenScores(repeat(1, 8)), TEN_RULES);
    expect(eight).toMatchObject({ status: "incomplete", verdict: "incomplete" });
    expect(eight.rules.map(({ verdict, reach }) => [verdict, reach?.needs])).toEqual(
      repeat(0, 10).map(() => ["incomplete", 9]),
    );
    const nine = judged(tenScores(repeat(0, 9)), tenScores(repeat(1, 9)), TEN_RULES);
    expect(nine).toMatchObject({ status: "failed", verdict: "regressed" });
  });

  test("counts clusters and not cases: 100 of 100 in 5 clusters", () => {
    const of = (value: number, clusters: number) =>
      caseSet(yesNo(repeat(value, 100)).map((one, at) => ({ ...one, metadata: { document: at % clusters } })));
    const five = judged(of(0, 5), of(1, 5), RULE, { cluster: "document" });
    expect(five).toMatchObject({ status: "incomplete", verdict: "incomplete" });
    expect(five.rules[0]?.found).toContain("5 of the 5 clusters that can get worse did");
    expect(judged(of(0, 6), of(1, 6), RULE, { cluster: "document" }).verdict).toBe("regressed");
  });

  test("counts only clusters with a case that can get worse", () => {
    const of = (values: readonly number[]) =>
      caseSet(yesNo(values).map((one, at) => ({ ...one, metadata: { document: Math.floor(at / 5) } })));
    // Of ten clusters four had a case that passed.
    const [before, now] = [[...repeat(1, 20), ...repeat(0, 30)], repeat(0, 50)];
    const { rules } = judged(of(now), of(before), RULE, { cluster: "document" });
    expect(rules[0]).toMatchObject({ verdict: "incomplete", reach: { units: 4, of: "cluster", needs: 6 } });
  });

  test("counts the cases of its part: 4 of 4, beside a rule about all", () => {
    const of = (part: number) =>
      caseSet(
        yesNo([...repeat(part, 4), ...repeat(1, 96)]).map((one, at) => ({
          ...one,
          metadata: { tier: at < 4 ? "vip" : "free" },
        })),
      );
    const judgement = judged(of(0), of(1), "correct [tier = vip] not regressed\ncorrect not regressed");
    expect(judgement.status).toBe("incomplete");
    expect(judgement.rules.map(({ verdict, reach }) => [verdict, reach?.needs])).toEqual([
      ["incomplete", 7],
      ["too few", undefined],
    ]);
    expect(judgement.rules[0]?.found).toContain(
      "`newly_failing [tier = vip] = 0` or `correct [tier = vip] drop <= 5pp`",
    );
  });

  test("is found by what the other rules showed, too: 6 of 6 beside a rule that stays open need 7", () => {
    const of = (small: number, large: readonly number[]) =>
      caseSet([
        ...yesNo(repeat(small, 6), "a").map((one) => ({ ...one, name: `a ${one.name}` })),
        ...yesNo(large, "b").map((one) => ({ ...one, name: `b ${one.name}` })),
      ]);
    const before = [...repeat(1, 50), ...repeat(0, 50)];
    const now = [...repeat(1, 45), ...repeat(0, 5), ...repeat(1, 5), ...repeat(0, 45)];
    const judgement = judged(of(0, now), of(1, before), "a not regressed\nb not regressed");
    expect(judgement.rules[0]).toMatchObject({ holds: false, verdict: "incomplete", reach: { units: 6, needs: 7 } });
    expect(judgement.rules[1]?.verdict).toBe("inconclusive");
  });

  test("needs more than it has, whatever the others are and how many got better", { tags: "slow" }, () => {
    const scores = fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 1 })), {
      minLength: 12,
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(scores, { minLength: 1, maxLength: 4 }), (metrics) => {
        const set = (end: 0 | 1) =>
          caseSet(
            repeat(0, 12).map((_, at): GivenCase => ({
              name: `c${String(at)}`,
              scores: Object.fromEntries(metrics.map((pairs, place) => [`m${String(place)}`, pairs[at]?.[end] ?? 0])),
            })),
          );
        const gates = metrics.map((_, place) => `m${String(place)} not regressed`).join("\n");
        for (const { reach } of judged(set(1), set(0), gates).rules) {
          if (reach !== undefined) expect(reach.needs).toBeGreaterThan(reach.units);
        }
      }),
      { numRuns: propertyRuns(4) },
    );
  });

  test("holds where nothing can get worse, and says so", () => {
    const judgement = judged(...sides(repeat(0, 40), repeat(0, 40)), RULE);
    expect(judgement).toMatchObject({ status: "passed", verdict: "unchanged", warnings: [] });
    expect(judgement.rules[0]?.found).toContain("nothing can get worse");
    expect(judged(...sides(repeat(0, 40), repeat(1, 40)), RULE)).toMatchObject({
      status: "passed",
      verdict: "improved",
    });
  });

  test("holds where only a gain was possible, without a word of how bad it may be", () => {
    const judgement = judged(...sides(repeat(0, 40), [...repeat(1, 4), ...repeat(0, 36)]), RULE);
    expect(judgement.status).toBe("passed");
    expect(judgement.headline).toBe(
      "Passed: correct went from 0 to 0.1 on 40 cases, and nothing can get worse. The rule holds.",
    );
  });

  test("that only warns ends in a warning", () => {
    const judgement = judged(...sides(repeat(1, 5), repeat(0, 5)), `warn: ${RULE}`);
    expect(judgement).toMatchObject({ status: "warned", verdict: "no rule" });
    expect(judgement.headline).toMatch(/^Passed with 1 warning: correct went from 1 to 0 on 5 cases, which `warn: /);
    expect(judgement.headline).not.toContain("chance");
  });

  test("does not hide a broken one", () => {
    const judgement = judged(...sides(repeat(1, 5), repeat(0, 5)), `newly_failing = 0\n${RULE}`);
    expect(judgement.status).toBe("incomplete");
    expect(judgement.headline).toMatch(/^Incomplete: correct went .* 1 more rule is broken\.$/);
  });

  test.each([
    ["scores without a range", { score: { kind: "unbounded", direction: "higher" } }, 90, 20, "score drop <= 5%"],
    [
      "scores of which less is better",
      { score: { kind: "unbounded", direction: "lower" } },
      20,
      90,
      "score rise <= 5%",
    ],
    ["times", { score: { kind: "positive", direction: "lower" } }, 900, 2_000, "score rise <= 5%"],
  ] as const)("is one of %s as well", (_, facts, before, now, instead) => {
    const of = (score: number) => caseSet(yesNo(repeat(score, 5), "score"), facts);
    const { status, rules } = judged(of(now), of(before), "score not regressed");
    expect(status).toBe("incomplete");
    expect(rules[0]?.reach).toEqual({ units: 5, of: "case", needs: 6, instead: [instead] });
  });

  test("takes the worst score of a declared range, and not 0", () => {
    const stars = { score: { kind: "bounded", direction: "higher", low: 1, high: 5 } } as const;
    const of = (values: readonly number[]) => caseSet(yesNo(values, "score"), stars);
    const { rules } = judged(of(repeat(1, 20)), of([...repeat(4, 3), ...repeat(1, 17)]), "score not regressed");
    expect(rules[0]).toMatchObject({ verdict: "incomplete", reach: { units: 3, needs: 6 } });
  });
});

describe("rules that are judged together", () => {
  const scores = (of: (at: number) => Readonly<Record<string, number>>, cases = 40) =>
    caseSet(
      Array.from({ length: cases }, (_, at): GivenCase => ({
        name: `c${String(at).padStart(3, "0")}`,
        scores: of(at),
      })),
    );
  const others = Array.from({ length: 19 }, (_, at) => `o${String(at)}`);
  /** 9 of 100 cases newly fail by `a`; by each of the others 3 do, and 3 are fixed. */
  const lossBesideOthers = () => ({
    before: scores((at) => ({ a: 1, ...Object.fromEntries(others.map((name) => [name, Number(at % 2 === 0)])) }), 100),
    now: scores(
      (at) => ({
        a: Number(at >= 9),
        ...Object.fromEntries(others.map((name) => [name, Number((at % 2 === 0) !== at < 6)])),
      }),
      100,
    ),
  });

  test.each([
    ["19 that only warn", "warn: ", 0, 0.00390625],
    ["19 of which no case changed", "", 0, 0.00390625],
    ["19 of which 5 cases changed", "", 5, 0.00390625],
    ["19 of which 6 cases changed", "", 6, 20 * 0.00390625],
  ])("leave one as it is beside %s", (_, prefix, changed, adjusted) => {
    const before = scores((at) => ({
      a: 1,
      ...Object.fromEntries(others.map((name) => [name, Number(at % 2 === 0)])),
    }));
    const now = scores((at) => ({
      a: Number(at >= 9),
      // As many up as down.
      ...Object.fromEntries(others.map((name) => [name, Number((at % 2 === 0) !== at < changed)])),
    }));
    const gates = ["a not regressed", ...others.map((name) => `${prefix}${name} not regressed`)].join("\n");
    const judgement = judged(now, before, gates);
    expect(judgement.rules[0]?.adjustedP).toBeCloseTo(adjusted, 12);
    expect(judgement.metrics[0]?.adjustedP).toBeCloseTo(adjusted, 12);
    expect(judgement.status).toBe(adjusted < 0.05 ? "failed" : "passed");
    expect(judgement.rules[1]?.adjustedP === undefined).toBe(changed < 6);
  });

  test("count each metric of each part once", () => {
    const [before, now] = [
      scores(() => ({ a: 1, b: 1 })),
      scores((at) => ({ a: Number(at >= 7), b: Number(at >= 7) })),
    ];
    const judgement = judged(now, before, "a not regressed\na not regressed\nb not regressed");
    expect(judgement.rules.map(({ adjustedP = 1 }) => Number(adjustedP.toFixed(9)))).toEqual([
      0.03125, 0.03125, 0.03125,
    ]);
  });

  test("are one family where they bind, and another where they warn, also of one metric", () => {
    const [before, now] = [
      scores(() => ({ a: 1, b: 1 })),
      scores((at) => ({ a: Number(at >= 7), b: Number(at >= 7) })),
    ];
    const gates = "warn: a not regressed\na not regressed\nwarn: b not regressed";
    const judgement = judged(now, before, gates);
    expect(judgement.rules.map(({ adjustedP = 1 }) => Number(adjustedP.toFixed(9)))).toEqual([
      0.03125, 0.015625, 0.03125,
    ]);
    expect(judgement.metrics.map(({ adjustedP = 1 }) => Number(adjustedP.toFixed(9)))).toEqual([0.015625, 0.03125]);
  });

  test("need more cases to decide than one alone", { tags: "slow" }, () => {
    const { before, now } = lossBesideOthers();
    const gates = ["a not regressed", ...others.map((name) => `${name} not regressed`)].join("\n");
    const judgement = judged(now, before, gates);
    expect(judgement.rules[0]).toMatchObject({ verdict: "inconclusive", needed: { cases: 163 } });
  });

  test("never call a loss one that chance alone can explain, which shows without the others", { tags: "slow" }, () => {
    const { before, now } = lossBesideOthers();
    // The others come first, and are open.
    const gates = [...others.map((name) => `${name} not regressed`), "a not regressed"].join("\n");
    const { headline, status, rules } = judged(now, before, gates);
    expect(status).toBe("passed");
    expect(headline).toBe(
      "Passed: a went from 1 to 0.91 on 100 cases, which would show harm if this were the only rule that compares; about 170 cases would decide. All 20 rules hold.",
    );
    expect(rules.at(-1)?.found).toContain("p 0.004, and 0.078 with the correction for all rules");
  });

  test("keep `too few` for fewer than 6 changed cases of many", () => {
    const judgement = judged(...sides(repeat(1, 100), [...repeat(0, 3), ...repeat(1, 97)]), RULE);
    expect(judgement).toMatchObject({ status: "passed", verdict: "too few", warnings: [] });
    expect(
      judged(
        caseSet(yesNo(repeat(0.5, 20), "quality"), BOUNDED),
        caseSet(yesNo(repeat(0.5, 20), "quality"), BOUNDED),
        "quality not regressed",
      ).verdict,
    ).toBe("unchanged");
  });
});
