import { describe, expect, test } from "vitest";
import { pooledBaseline } from "../../../src/judgement/cases/baseline.ts";
import type { CaseSet } from "../../../src/judgement/cases/case-set.ts";
import { columnsOf, StoredCases } from "../../../src/judgement/cases/stored-case.ts";
import { Gates } from "../../../src/judgement/gates/gates.ts";
import { judge } from "../../../src/judgement/judge.ts";
import { setOf, trial } from "../cases/made-sets.ts";

/** A row of a case: its yes/no score, when it began, and whether it failed with an error. */
interface Row {
  readonly score?: number;
  readonly start?: number;
  readonly hasError?: boolean;
}

/** The rows of each case. */
type Cases = readonly (readonly Row[])[];

function setFrom(cases: Cases, day = 1, metric = "correct") {
  const trials = cases.flatMap((rows, number) =>
    rows.map(({ score, start, hasError = false }) =>
      trial(number, score === undefined ? {} : { [metric]: score }, { start, hasError }),
    ),
  );
  return setOf(trials, { created: `2026-11-${String(day).padStart(2, "0")}T00:00:00Z`, run: String(day) });
}

function found(now: Cases, runs: readonly Cases[], gates: string) {
  const sourced = runs.map((run, at) => ({ set: setFrom(run, at + 1), sources: [String(at)] }));
  const { baseline } = pooledBaseline(sourced, { keep: 5, judged: {} });
  const { status, gaps, warnings, metrics } = judge({ results: setFrom(now, 9), baseline, gates: Gates.parse(gates) });
  return {
    status,
    kinds: gaps.map(({ kind }) => kind),
    messages: gaps.map(({ message }) => message),
    warnings,
    metrics,
  };
}

const ROW: Row = { score: 1 };
const FAILED: Row = { score: 0 };
const BROKEN: Row = { hasError: true };
/** Ten cases with one row, the first ones with others. */
const first = (...some: Cases): Cases => Array.from({ length: 10 }, (_, at) => some[at] ?? [ROW]);
const all = (rows: readonly Row[]): Cases => Array.from({ length: 10 }, () => rows);
const RULE = "correct not regressed";

describe("cases that were asked again", () => {
  const retried = first([FAILED, ROW], [BROKEN, ROW], [FAILED, FAILED, ROW]);

  test.each<[string, Cases, readonly Cases[], string, readonly string[]]>([
    ["are a gap where each has a failing row", retried, [all([ROW])], `${RULE}\nerrors <= 1`, ["more-rows"]],
    ["without a baseline too", retried, [], "correct >= 0.5\nerrors <= 1", ["more-rows"]],
    [
      "with a baseline of the same retries, and one more",
      first([FAILED, ROW]),
      [first([ROW], [FAILED, ROW])],
      RULE,
      ["more-rows"],
    ],
    ["but for a rule that states all rows", retried, [all([ROW])], `${RULE}\nrows = 14\nerrors <= 1`, []],
    ["but for a rule that limits them", retried, [all([ROW])], `${RULE}\nrows <= 14\nerrors <= 1`, []],
    ["and a rule that is broken allows none", retried, [all([ROW])], `${RULE}\nrows = 10\nerrors <= 1`, ["more-rows"]],
    ["and one that holds for most results", first([FAILED, ROW]), [all([ROW])], `${RULE}\nrows > 0`, ["more-rows"]],
    ["and one that only warns", first([FAILED, ROW]), [all([ROW])], `${RULE}\nwarn: rows = 11`, ["more-rows"]],
    ["but not where one has no failing row", first([FAILED, ROW], [ROW, ROW]), [all([ROW])], RULE, []],
    ["nor where the baseline has as many", first([FAILED, ROW]), [first([ROW, ROW])], RULE, []],
    ["nor where half of the cases have more", first(...all([FAILED, ROW]).slice(5)), [all([ROW])], RULE, []],
  ])("%s", (_what, now, runs, gates, kinds) => {
    expect(found(now, runs, gates).kinds).toEqual(kinds);
  });

  test("are told where a rule allows them", () => {
    expect(found(retried, [all([ROW])], `${RULE}\nrows = 14\nerrors <= 1`).warnings).toContain(
      "3 cases have more rows than the others, and a failing one each, which a rule about `rows` allows.",
    );
  });

  test.each<[string, Cases, string, readonly string[]]>([
    [
      "beside one without a failing row",
      first([FAILED, ROW], [FAILED, ROW], [ROW, ROW]),
      RULE,
      [
        "3 cases have more rows than the others, and 2 of them have a failing row: make sure that failing cases were not asked again.",
      ],
    ],
    ["and allowed by a rule", first([FAILED, ROW], [ROW, ROW]), `${RULE}\nrows <= 12`, []],
    ["but not where none has a failing row", first([ROW, ROW]), RULE, []],
  ])("are told %s", (_what, now, gates, warnings) => {
    const { kinds, warnings: told } = found(now, [all([ROW])], gates);
    expect([kinds, told]).toEqual([[], warnings]);
  });

  test("and rows that return are not accepted by a new baseline, which does not change them", () => {
    const returned = all([{ score: 1, start: 1 }]).map(([row], at) => [{ ...row, start: at }]);
    const appended = returned.map((rows, at) => [...rows, { score: 1, start: 100 + at }]);
    const messages = [
      ...found(first([FAILED, ROW]), [all([ROW])], RULE).messages,
      ...found(appended, [returned], RULE).messages,
    ];
    expect(messages).toHaveLength(2);
    expect(messages.join("\n")).toContain("`rows <= 20`");
    expect(messages.join("\n")).not.toContain("reset");
  });

  test("are named in a sentence that says what allows them", () => {
    expect(found(first([FAILED, ROW]), [], "correct >= 0.5").messages).toEqual([
      "1 case has more rows than the others and a failing row each: asking only failing cases again hides failures (a rule such as `rows <= 11` allows it): case 0.",
    ]);
  });
});

describe("rows of the baseline that return", () => {
  const at = (hour: number, score = 1): Row => ({ score, start: hour * 3_600_000_000 });
  const yesterday = all([at(1)]).map(([row], number) => [{ ...row, start: number }]);
  const appended = yesterday.map((rows, number) => [...rows, at(30 + number)]);

  test.each<[string, Cases, readonly Cases[], string, readonly string[]]>([
    ["are a gap beside new ones", appended, [yesterday], RULE, ["repeated-rows"]],
    ["from any run of the pool", appended, [yesterday, all([at(20)])], RULE, ["repeated-rows"]],
    ["but for a rule that states the rows", appended, [yesterday], `${RULE}\nrows = 20`, []],
    ["but not where all return", yesterday, [yesterday], RULE, []],
    ["nor with another score", appended, [yesterday.map(([row]) => [{ ...row, score: 0 }])], RULE, []],
    ["nor where all rows have one start", all([at(1), at(1, 0)]), [all([at(1), at(1)])], RULE, []],
    ["nor without starts", all([ROW, ROW]), [all([ROW])], RULE, []],
  ])("%s", (_what, now, runs, gates, kinds) => {
    expect(found(now, runs, gates).kinds).toEqual(kinds);
  });
});

test("each row is looked at a few times, however many rows return", () => {
  const rows = 400;
  let looks = 0;
  const setWith = (starts: readonly number[], score: number): CaseSet => {
    const set = setOf([1, 2].flatMap((number) => starts.map((start) => trial(number, { length: score }, { start }))));
    const columns = columnsOf(set);
    const start = (row: number) => {
      looks += 1;
      return columns.start(row);
    };
    return { ...set, cases: new StoredCases({ ...columns, start }) };
  };
  const numbers = Array.from({ length: rows }, (_, at) => at);
  const before = setWith(numbers, 1);
  const now = setWith([...numbers, ...numbers.map((at) => rows + at)], 2);
  const baseline = { ...before, runs: [before], sources: ["a"] };
  expect(judge({ results: now, baseline, gates: Gates.parse("length >= 1") }).status).toBe("passed");
  expect(looks / (6 * rows)).toBeLessThan(30);
});

describe("numbers of rows that were planned", () => {
  test("are told where they differ from those of the baseline, and compared", () => {
    const { status, warnings } = found(all([ROW, FAILED, ROW]), [all([ROW])], "correct drop <= 0.4");
    expect([status, warnings]).toEqual([
      "passed",
      ["Most cases of the baseline have 1 row, and of this run 3: each case counts once, by the mean of its rows."],
    ]);
  });

  test("are told where each row states its repetition, and are no gap", () => {
    const hard = Array.from({ length: 5 }, () => [FAILED, ROW, ROW, ROW, ROW]);
    const set = setFrom([...hard, ...all([ROW])]);
    const stated = { ...set, run: { ...set.run, areRepetitionsStated: true } };
    const { gaps, warnings } = judge({ results: stated, baseline: undefined, gates: Gates.parse("correct >= 0.5") });
    expect([gaps, warnings]).toEqual([
      [],
      ["5 cases have more rows than the others, and a failing one each, which the repetitions that they state allow."],
    ]);
  });

  test("weigh each case the same where they are unequal", () => {
    const hard = Array.from({ length: 5 }, () => FAILED);
    const { status, metrics } = found(first([ROW, ROW, ROW], hard), [first([ROW, ROW, ROW], hard)], RULE);
    expect([status, metrics[0]?.now?.mean]).toEqual(["passed", 0.9]);
  });
});
