import { describe, expect, test } from "vitest";
import type { MetricFacts } from "../../../src/judgement/cases/case-set.ts";
import { faultText, GatesError } from "../../../src/judgement/gates/errors.ts";
import { caseSet, judged, yesNo } from "../rig.ts";

const repeat = (value: number, times: number) => new Array<number>(times).fill(value);
const DECLARED = { isRangeDeclared: true } as const;

/** Metrics of each kind, with the scores of twenty cases. */
const KINDS: Readonly<Record<string, { readonly facts: MetricFacts; readonly scores: readonly number[] }>> = {
  correct: { facts: { kind: "binary", direction: "higher", low: 0, high: 1 }, scores: [...repeat(1, 18), 0, 0] },
  share: { facts: { kind: "bounded", direction: "higher", low: 0, high: 1, ...DECLARED }, scores: repeat(0.5, 20) },
  seen: { facts: { kind: "bounded", direction: "higher", low: 0, high: 1 }, scores: repeat(0.5, 20) },
  harm: { facts: { kind: "bounded", direction: "lower", low: 0, high: 1, ...DECLARED }, scores: repeat(0.5, 20) },
  stars: { facts: { kind: "bounded", direction: "higher", low: 1, high: 5, ...DECLARED }, scores: repeat(4, 20) },
  signed: { facts: { kind: "bounded", direction: "higher", low: -1, high: 1, ...DECLARED }, scores: repeat(0.5, 20) },
  retries: { facts: { kind: "binary", direction: "lower", low: 0, high: 1 }, scores: [...repeat(0, 18), 1, 1] },
  failed: { facts: { kind: "binary", direction: "lower", low: 0, high: 1, ...DECLARED }, scores: repeat(0, 20) },
  latency: { facts: { kind: "positive", direction: "lower" }, scores: repeat(900, 20) },
  tokens: { facts: { kind: "positive", direction: "higher" }, scores: repeat(900, 20) },
  score: { facts: { kind: "unbounded", direction: "higher" }, scores: repeat(70, 20) },
};

const SET = caseSet(
  yesNo(repeat(1, 20)).map((one, at) => ({
    ...one,
    metadata: { tier: "vip" },
    scores: Object.fromEntries(Object.entries(KINDS).map(([name, { scores }]) => [name, scores[at] ?? 0])),
  })),
  Object.fromEntries(Object.entries(KINDS).map(([name, { facts }]) => [name, facts])),
);

/** `error`, `warning`, or nothing, of a rule about two equal runs. */
function classOf(rule: string): "error" | "warning" | undefined {
  try {
    const { warnings } = judged(SET, SET, rule);
    return warnings.some((sentence) => sentence.includes("can be broken by no result")) ? "warning" : undefined;
  } catch (error) {
    if (error instanceof GatesError && error.faults[0]?.message.startsWith("can be broken by no result") === true) {
      return "error";
    }
    throw error;
  }
}

test.each([
  // Counters, with each operator.
  ...["unmatched >= 0", "missing_scores >= 0", "errors >= 0", "errors > -1", "newly_failing >= 0"],
  ...["newly_flaky >= 0", "rows >= 0", "rows > -1", "missing_scores [tier = vip] >= 0"],
  ...["error_rate <= 100%", "error_rate <= 1", "error_rate <= 5", "error_rate < 2", "error_rate >= 0"],
  // Levels, with each statistic.
  ...["correct <= 1", "correct >= 0", "correct < 1.5", "correct > -1", "correct <= 100%", "upper(correct) <= 1"],
  ...[
    "share <= 1",
    "mean(share) >= 0",
    "max(share) <= 1",
    "min(share) >= 0",
    "p50(share) <= 1",
    "p90(share) <= 1",
    "p95(share) <= 1",
  ],
  ...["p99(share) <= 1", "lower(share) >= 0", "upper(share) <= 1", "upper(correct) <= 100%"],
  ...["stars >= 1", "stars <= 5", "min(stars) >= 1", "p95(stars) <= 5", "stars < 6", "signed >= -1"],
  // Changes, in points and relative.
  ...["share drop <= 2", "share drop <= 1", "share drop <= 100%", "share drop <= 100pp", "correct drop <= 2"],
  ...["harm rise <= 1", "stars drop <= 4", "stars drop <= 80%", "p95(share) drop <= 1", "signed drop <= 2"],
  ...["correct not worse by 1", "correct not worse by 5", "correct not worse by 100%", "share not worse by 100%"],
  ...["share not worse by 1", "harm not worse by 1", "stars not worse by 4", "stars not worse by 80%"],
  ...["failed rise <= 2", "failed <= 1", "warn: share drop <= 2", "warn: errors >= 0", "share [tier = vip] drop <= 2"],
])("a rule that no result can break is an error %s", (rule) => {
  expect(classOf(rule)).toBe("error");
});

test.each([
  ...["seen <= 1", "seen >= 0", "min(seen) >= 0", "upper(seen) <= 1", "seen drop <= 2", "seen drop <= 100%"],
  ...[
    "retries <= 1",
    // It may count: this run has one or none.
    ...["correct <= 3", "correct < 2", "max(correct) <= 5"],
    "retries rise <= 2",
    "seen not worse by 1",
    "warn: seen <= 1",
    "latency >= 0s",
    "tokens drop <= 100%",
    "tokens not worse by 100%",
  ],
])("a rule that only values of another range can break is a warning %s", (rule) => {
  expect(classOf(rule)).toBe("warning");
});

test.each([
  ...["rows > 0", "rows >= 1", "errors <= 100", "errors < 1", "error_rate < 100%", "error_rate <= 99%"],
  ...["error_rate > 0", "unmatched > 0", "correct >= 1", "correct < 1", "correct <= 0.99", "correct = 1"],
  ...["share = 0", "share drop <= 0.99", "share drop <= 99%", "harm rise <= 200%", "harm not worse by 100%"],
  ...["stars >= 1.5", "stars drop <= 3.9", "stars drop <= 79%", "signed drop <= 1", "signed drop <= 100%"],
  ...["signed >= 0", "score >= 0", "score drop <= 100", "score not worse by 100%", "latency rise <= 1s"],
  ...["latency rise <= 100%", "latency not worse by 100%", "latency > 0s", "tokens drop <= 99%"],
  ...["share not worse by 0.99", "correct not regressed", "newly_failing = 0", "warn: share drop <= 2pp"],
])("a rule that some result can break is neither %s", (rule) => {
  expect(classOf(rule)).toBeUndefined();
});

describe("what is said of it", () => {
  const faultOf = (rule: string) => {
    try {
      judged(SET, SET, rule);
    } catch (error) {
      if (error instanceof GatesError) return error.faults.map((fault) => faultText(fault)).join("\n");
    }
    return undefined;
  };

  test.each([
    [
      "share drop <= 2 # points",
      "gates line 1: `share drop <= 2 # points` can be broken by no result, since `share` is from 0 to 1\n                     ^^^^  did you mean `2pp`?",
    ],
    [
      "error_rate <= 5",
      "gates line 1: `error_rate <= 5` can be broken by no result, since `error_rate` is from 0 to 1\n                          ^^  did you mean `5%`?",
    ],
    [
      "unmatched >= 0",
      "gates line 1: `unmatched >= 0` can be broken by no result, since `unmatched` is never below 0\n                         ^^  write `unmatched = 0`",
    ],
    [
      "rows >= 0",
      "gates line 1: `rows >= 0` can be broken by no result, since `rows` is never below 0\n                    ^^  write `rows > 0`",
    ],
    [
      "stars not worse by 4",
      "gates line 1: `stars not worse by 4` can be broken by no result, since `stars` is from 1 to 5\n                     ^^^  write a smaller limit, such as `5%`",
    ],
  ])("%s", (rule, text) => {
    expect(faultOf(rule)).toBe(text);
  });

  test("names all such rules at once, with the other errors", () => {
    const text = faultOf("error_rate <= 100%\nshare >= 0.5\nerrors >= 0\nnone >= 1");
    expect(text?.match(/gates line \d/g)).toEqual(["gates line 1", "gates line 3", "gates line 4"]);
  });

  test("warns where the range was only seen, and asks for what was probably meant", () => {
    expect(judged(SET, SET, "seen drop <= 2").warnings).toEqual([
      "The rule `seen drop <= 2` can be broken by no result, since `seen` is from 0 to 1 here. Did you mean `2pp`?",
    ]);
    expect(judged(SET, undefined, "seen <= 1").warnings).toEqual([
      "The rule `seen <= 1` can be broken by no result, since `seen` is from 0 to 1 here. Did you mean `1%`?",
    ]);
  });

  test("looks at the values of both runs: a baseline above 1 is no share", () => {
    const of = (value: number, facts: MetricFacts) => caseSet(yesNo(repeat(value, 20), "steps"), { steps: facts });
    const now = of(1, { kind: "binary", direction: "lower", low: 0, high: 1 });
    const before = of(3, { kind: "unbounded", direction: "lower" });
    expect(judged(now, before, "steps <= 1").status).toBe("passed");
  });
});
