import { describe, expect, test } from "vitest";
import { endingOf } from "../../../src/judgement/words/standing.ts";
import { caseSet, judged, yesNo } from "../rig.ts";

const repeat = <Value extends number | null>(value: Value, times: number) => new Array<Value>(times).fill(value);
const sides = (before: readonly number[], now: readonly number[]) =>
  [caseSet(yesNo(now)), caseSet(yesNo(before))] as const;
const RULE = "correct not regressed";

test.each([
  ["5 of 5 fail", repeat(1, 5), repeat(0, 5), /^Incomplete: correct went from 1 to 0 on 5 cases, which /],
  ["6 of 6 fail", repeat(1, 6), repeat(0, 6), /^Regressed: .*, and chance alone rarely does that\./],
  [
    "2 of 5 fail",
    repeat(1, 5),
    [0, 0, 1, 1, 1],
    /^Passed: .*, and with so few cases the rule could not have been broken\./,
  ],
  [
    "3 of 100 fail",
    repeat(1, 100),
    [...repeat(0, 3), ...repeat(1, 97)],
    /^Passed: .*, which chance alone can explain\./,
  ],
  ["nothing changed", repeat(1, 100), repeat(1, 100), /^Passed: correct is as before on 100 cases\./],
  ["no case can get worse", repeat(0, 100), repeat(0, 100), /^Passed: correct is as before on 100 cases\./],
])("the first line says of chance what is true where %s", (_, before, now, line) => {
  const { headline } = judged(...sides(before, now), RULE);
  expect(headline).toMatch(line);
});

test("a gap comes first, and then a rule that cannot be judged, whatever else is broken", () => {
  const [now, before] = sides(repeat(1, 5), repeat(0, 5));
  const gap = { kind: "same-file", message: "Something is missing." } as const;
  expect(judged(now, before, RULE, { gaps: [gap] }).headline).toMatch(/^Incomplete: Something is missing\. /);
  expect(judged(now, before, `newly_failing = 0\n${RULE}`).headline).toMatch(
    /which `correct not regressed` cannot judge/,
  );
});

test("a rule that so few cases can never meet hides no harm, and a warning by it says what would do", () => {
  const given = (failing: number) =>
    caseSet(
      Array.from({ length: 40 }, (_, at) => ({
        name: `case ${String(at)}`,
        scores: { correct: Number(at >= failing), tone: 0.9 },
      })),
      { tone: { kind: "bounded", direction: "higher", low: 0, high: 1 } },
    );
  const { headline, status } = judged(given(12), given(0), "correct not regressed\ntone not worse by 1pp");
  expect(status).toBe("incomplete");
  expect(headline).toMatch(/^Incomplete: tone is as before on 40 cases, .* at least 299 cases/);
  expect(headline).toMatch(/ Harm is shown: correct went from 1 to 0\.7 on 40 cases, .* rarely does that\.$/);
  const warned = judged(given(0), given(0), "warn: tone not worse by 1pp").headline;
  expect(warned).toMatch(/^Passed with 1 warning: tone is as before .* cannot be judged\. .* at least 299 cases/);
});

test("scores that are missing are said, and not what few cases could show", () => {
  const before = caseSet(yesNo(repeat(1, 5)));
  const now = caseSet(yesNo([1, 1, null, null, null]));
  const { headline, status, warnings } = judged(now, before, RULE);
  expect(status).toBe("incomplete");
  expect(headline).not.toContain("cannot judge");
  expect(headline).toMatch(/missing|lack/);
  expect(warnings.join()).not.toContain("could not have been broken");
});

test.each([
  ["a part", "correct [city = St. Gallen] not regressed", "St. Gallen"],
  ["a metric", '"score. of a" not regressed', "score. of a"],
])("the first sentence does not end within the name of %s", (_, gates, name) => {
  const given = (value: number) =>
    Array.from({ length: 20 }, (__, at) => {
      const scores = { correct: value, "score. of a": value };
      return { name: `Dr. ${String(at)}`, scores, metadata: { city: "St. Gallen" } };
    });
  const { headline, headlineParts } = judged(caseSet(given(0)), caseSet(given(1)), gates);
  expect(headlineParts.first).toMatch(
    /^Regressed: .* went from 1 to 0 on 20 cases, and chance alone rarely does that\.$/,
  );
  expect(headlineParts.first).toContain(name);
  expect(headlineParts.rest).toBe("Look at the cases that got worse.");
  expect(headline).toBe(`${headlineParts.first} ${headlineParts.rest}`);
});

test.each([
  ["no baseline yet", {}, "Nothing was compared: there is no baseline yet."],
  ["a new baseline", { isReset: true }, "Nothing was compared: this run was to start a new baseline."],
])("a run that can be no baseline is not to be saved as one: %s", (_, run, first) => {
  const lacking = { name: "e", scores: { correct: null }, errors: 1 };
  const cases = [...yesNo(repeat(1, 9)), lacking];
  const { headlineParts, now, status } = judged(caseSet(cases, {}, run), undefined, RULE);
  expect([status, now.notBaseline]).toEqual(["bootstrap", ["1 of 10 rows has an error, and no rule allows that"]]);
  expect(headlineParts).toEqual({
    first,
    rest: "This run can be no baseline: repair the evaluation, and run it again.",
  });
  const { headline } = judged(caseSet(yesNo(repeat(1, 9)), {}, run), undefined, RULE);
  expect(headline).toContain("Save the snapshot of this run as the baseline.");
});

test("what was not compared stands behind all names of a gap, and how to accept it stands once at the end", () => {
  const given = (from: number, to: number) =>
    yesNo(repeat(1, to))
      .slice(from)
      .map((one) => ({ ...one, name: `Dr. ${one.name}` }));
  const { headline, headlineParts } = judged(caseSet(given(2, 32)), caseSet(given(0, 28)), RULE);
  expect(headlineParts.first).toBe(
    "Incomplete: 2 cases of the baseline have no row now: Dr. c000, Dr. c001; 4 added cases (none fails) were not compared.",
  );
  expect(headline.split("baseline: reset")).toHaveLength(2);
});

describe("rules that are open because something is missing", () => {
  const missing = caseSet(yesNo([...repeat(1, 90), ...repeat(null, 10)]));

  test("are not counted as broken", () => {
    const gates = "correct >= 0.95\nlower(correct) >= 0.9\nrows >= 200\nwarn: rows >= 300";
    const { headline, rules, status } = judged(missing, undefined, gates);
    expect(status).toBe("incomplete");
    expect(rules.map(endingOf)).toEqual(["open", "open", "broken", "warns"]);
    expect(headline).toMatch(/ 1 more rule is broken, and 1 is open\.$/);
    expect(judged(missing, undefined, "correct >= 0.95\nlower(correct) >= 0.9").headline).toMatch(
      / 1 more rule is open\.$/,
    );
  });

  test("give one advice, with both ways where the baseline has what is missing", () => {
    const scored = (values: readonly (number | null)[]) =>
      caseSet(yesNo(values).map((one) => ({ ...one, scores: { ...one.scores, tone: 1 } })));
    const [now, before] = [scored([...repeat(1, 90), ...repeat(null, 10)]), scored(repeat(1, 100))];
    const { headline } = judged(now, before, "correct drop <= 5pp");
    expect(headline).toMatch(
      /: repair the evaluation, and run it again, or accept the change by one run on the main branch with `baseline: reset`\.$/,
    );
    expect(headline.split("reset")).toHaveLength(2);
    expect(headline).not.toContain("To accept");
    // Their rows have no score at all: they lack it without a baseline too.
    for (const [baseline, gates] of [
      [undefined, "correct >= 0.95"],
      [caseSet(yesNo(repeat(1, 100))), "correct drop <= 5pp"],
    ] as const) {
      const alone = judged(missing, baseline, gates);
      expect(alone.headline).toMatch(/: repair the evaluation, and run it again\.$/);
      expect(alone.rules[0]?.found).not.toContain("reset");
    }
  });
});
