import { describe, expect, test } from "vitest";
import { baselineOf, caseSet, judged, yesNo } from "../rig.ts";

const FULL = Array.from({ length: 20 }, () => 1);

function kindsOf(now: readonly (number | null)[], gates: string) {
  return judged(caseSet(yesNo(now)), caseSet(yesNo(FULL)), gates).gaps.map(({ kind }) => kind);
}

describe("a rule about a counter allows only what it limits from above, and is met", () => {
  const lost = [...FULL.slice(2), null, null];
  const removed = FULL.slice(3);

  test.each([
    ["missing_scores <= 2", lost, []],
    ["missing_scores < 3", lost, []],
    ["missing_scores = 2", lost, []],
    ["missing_scores <= 1", lost, ["missing-scores"]],
    ["missing_scores >= 1", lost, ["missing-scores"]],
    ["missing_scores > 1", lost, ["missing-scores"]],
    ["warn: missing_scores <= 2", lost, ["missing-scores"]],
    ["unmatched <= 3", removed, []],
    ["unmatched = 3", removed, []],
    ["unmatched <= 2", removed, ["missing-cases"]],
    ["unmatched >= 1", removed, ["missing-cases"]],
    ["unmatched > 2", removed, ["missing-cases"]],
    ["rows > 0", removed, ["missing-cases"]],
  ] as const)("%s", (rule, now, kinds) => {
    expect(kindsOf(now, rule)).toEqual(kinds);
  });

  test("in the sense of errors: a limit that is broken allows no score to be missing", () => {
    const now = caseSet(yesNo(lost).map((one) => (one.scores["correct"] === null ? { ...one, errors: 1 } : one)));
    const of = (gates: string) => judged(now, caseSet(yesNo(FULL)), gates).gaps.map(({ kind }) => kind);
    for (const rule of ["errors <= 2", "errors < 3", "error_rate <= 10%"]) expect(of(rule)).toEqual([]);
    for (const rule of ["errors <= 1", "errors >= 1", "error_rate <= 5%", "error_rate > 1%"]) {
      expect(of(rule)).toEqual(["missing-scores"]);
    }
  });
});

describe("a rule about rows allows cases with fewer rows", () => {
  const trials = (at: number, count: number) => ({
    name: `c${String(at)}`,
    scores: { correct: Array.from({ length: count }, () => 1) },
  });
  const now = caseSet(Array.from({ length: 8 }, (_, at) => trials(at, at < 2 ? 2 : 3)));
  const before = baselineOf(caseSet(Array.from({ length: 8 }, (_, at) => trials(at, 3))));

  test.each([
    ["rows = 22", []],
    ["rows >= 22", []],
    ["rows > 21", []],
    ["rows > 0", ["missing-trials"]],
    ["rows >= 21", ["missing-trials"]],
    ["rows >= 24", ["missing-trials"]],
    ["rows <= 22", ["missing-trials"]],
    ["warn: rows = 22", ["missing-trials"]],
  ] as const)("only where one row fewer would break it: %s", (rule, kinds) => {
    expect(judged(now, before, rule).gaps.map(({ kind }) => kind)).toEqual(kinds);
  });
});
