import { describe, expect, test } from "vitest";
import { baselineOf, caseSet, judged, yesNo, type GivenCase } from "../rig.ts";

const BASE = yesNo(Array.from({ length: 20 }, () => 1));
const added = (name: string, value: number | null, more: Partial<GivenCase> = {}): GivenCase => ({
  ...{ name, scores: { correct: value } },
  ...more,
});
/** The cases of the baseline, those at some places asked otherwise. */
const changed = (places: readonly number[], value: number | null, errors = 0) =>
  BASE.map((one, at) => (places.includes(at) ? { ...one, scores: { correct: value }, digest: "other", errors } : one));

const found = (now: readonly GivenCase[], gates: string, before = BASE) => {
  const { status, gaps, headline, uncompared } = judged(caseSet(now), caseSet(before), gates);
  return { status, kinds: gaps.map(({ kind }) => kind), headline, uncompared };
};

const failing = (count: number) => Array.from({ length: count }, (_, at) => added(`new ${String(at)}`, 0));

describe("cases that are not compared stand in the first line, with how many of them fail", () => {
  test.each<[string, readonly GivenCase[], string]>([
    [
      "added",
      [...BASE, added("a", 1)],
      "Passed: correct is as before on 20 of 21 cases; 1 added case (none fails) was not compared. The rule holds.",
    ],
    ["added, one fails", [...BASE, added("a", 1), added("b", 0)], "2 added cases (1 fails) were not compared."],
    ["added with an error", [...BASE, added("a", null, { errors: 1 })], "1 added case (1 fails) was not compared."],
    ["changed", changed([1, 2], 1), "on 18 of 20 cases; 2 changed cases (none newly fails) were not compared."],
    ["changed, one fails", changed([1], 0), "1 changed case (1 newly fails) was not compared."],
    ["changed with an error", changed([1], null, 1), "1 changed case (1 newly fails) was not compared."],
    [
      "both",
      [...changed([3], 1), added("a", 0)],
      "1 added case (1 fails) and 1 changed case (none newly fails) were not compared.",
    ],
  ])("%s", (_what, now, text) => {
    expect(
      found(now, "correct not regressed\nerror_rate <= 50%").headline.replace("2 rules hold", "rule holds"),
    ).toContain(text.replace("The rule holds.", ""));
  });

  test("whether the rules hold or not", () => {
    const now = [...yesNo(Array.from({ length: 20 }, (_, at) => Number(at > 9))), added("a", 1)];
    for (const gates of ["correct not regressed", "correct drop <= 0.1", "warn: correct drop <= 0", "correct >= 0.1"]) {
      expect(found(now, gates).headline).toContain("; 1 added case (none fails) was not compared.");
    }
  });

  test("a changed case that failed before is not newly failing", () => {
    const before = BASE.map((one, at) => (at === 1 ? { ...one, scores: { correct: 0 } } : one));
    expect(found(changed([1], 0), "correct not regressed", before).uncompared).toEqual({
      added: { cases: 0, failing: 0 },
      changed: { cases: 1, failing: 0 },
    });
  });
});

describe("rules that compare are incomplete where too many of those cases fail", () => {
  test.each<[string, readonly GivenCase[], string, boolean]>([
    ["more than a tenth of all, added", [...BASE, ...failing(3)], "correct not regressed", true],
    [
      "a tenth of all",
      [...yesNo(Array.from({ length: 18 }, () => 1)), ...failing(2)],
      "correct not regressed\nunmatched <= 4",
      false,
    ],
    ["just a tenth", [...BASE, ...failing(2)], "correct not regressed", false],
    ["one alone", [...yesNo([1, 1, 1]), added("a", 0)], "correct not regressed\nrows >= 1", false],
    ["changed ones that passed before", changed([1, 2, 3], 0), "correct drop <= 0.5", true],
    ["by errors", changed([1, 2, 3], null, 1), "correct not worse by 50%\nerrors <= 3", true],
    ["both together", [...changed([1, 2], 0), added("a", 0)], "newly_failing = 0", true],
    ["without a rule that compares", [...BASE, ...failing(9)], "correct >= 0.1", false],
    ["with a rule that compares and only warns", [...BASE, ...failing(9)], "warn: correct not regressed", false],
    ["allowed by a rule about all of them", [...BASE, ...failing(3)], "correct not regressed\nunmatched <= 3", false],
    ["allowed by a rule about added ones", [...BASE, ...failing(3)], "correct not regressed\nadded <= 3", false],
    ["allowed by a rule about changed ones", changed([1, 2, 3], 0), "correct not regressed\nchanged = 3", false],
    ["not by a rule about the others", changed([1, 2, 3], 0), "correct not regressed\nadded <= 3", true],
    ["not by a rule that holds for any results", [...BASE, ...failing(3)], "correct not regressed\nadded > 0", true],
    ["not by a rule that only warns", [...BASE, ...failing(3)], "correct not regressed\nwarn: added <= 3", true],
    ["that are in the part of no rule", [...BASE, ...failing(5)], "correct [tier = pro] not regressed", false],
  ])("%s", (what, now, gates, isIncomplete) => {
    const before = what === "one alone" ? yesNo([1, 1, 1]) : BASE;
    const pro = (cases: readonly GivenCase[]) =>
      cases.map((one) => (one.name.startsWith("c") ? { ...one, metadata: { tier: "pro" } } : one));
    expect(found(pro(now), gates, pro(before)).kinds).toEqual(isIncomplete ? ["failing-uncompared"] : []);
  });

  test("in a sentence that says what allows it, and how it is accepted", () => {
    const { headline } = found([...changed([1, 2], 0), added("a", 0)], "correct not regressed");
    expect(headline).toBe(
      `Incomplete: 3 cases of 21 fail and cannot be compared, as 1 was added, and 2 passed before with other inputs or expected outputs (a rule such as \`unmatched <= 3\` allows it): a, c001, c002; 1 added case (1 fails) and 2 changed cases (2 newly fail) were not compared. Nothing can be said about the change: repair the evaluation, and run it again, or accept the change by one run on the main branch with \`baseline: reset\`.`,
    );
  });
});

describe("a partial score on one side hides no case that fails", () => {
  const BOUNDED = { correct: { kind: "bounded", direction: "higher", low: 0, high: 1 } } as const;
  const partial = BASE.map((one, at) => (at === 1 ? { ...one, scores: { correct: 0.5 } } : one));

  test.each(["correct not regressed", "newly_failing = 0"])("%s", (gates) => {
    const now = judged(caseSet([...partial, ...failing(8)], BOUNDED), caseSet(BASE), gates);
    expect(now.gaps.map(({ kind }) => kind)).toEqual(["failing-uncompared"]);
    expect(now.uncompared?.added).toEqual({ cases: 8, failing: 8 });
    const before = judged(caseSet([...BASE, ...failing(8)]), caseSet(partial, BOUNDED), gates);
    expect(before.gaps.map(({ kind }) => kind)).toEqual(["failing-uncompared"]);
  });
});

describe("a case fails where more than half of its rows do", () => {
  const trials = (scores: readonly (number | null)[], errors = 0) => ({ scores: { correct: scores }, errors });
  const passing = BASE.map((one) => ({ ...one, ...trials([1, 1, 1]) }));
  test.each<[string, Pick<GivenCase, "errors" | "scores">, number]>([
    ["two of three", trials([0, 0, 1]), 8],
    ["by errors in two of three", trials([null, null, 1], 2), 8],
    ["by an error and a score", trials([null, 0, 1], 1), 8],
    ["one of three", trials([1, 0, 1]), 0],
    ["half", trials([1, 0]), 0],
    ["one of one that has the score", trials([0, null, null]), 8],
    ["none that has it", trials([null, null, null]), 0],
  ])("%s", (_what, rows, count) => {
    const gates = "correct not regressed\nerror_rate <= 99%\nmissing_scores <= 99";
    const added = Array.from({ length: 8 }, (_, at) => ({ name: `new ${String(at)}`, ...rows }));
    const changed = passing.map((one, at) => (at < 8 ? { ...one, ...rows, digest: "other" } : one));
    const kinds = count === 0 ? [] : ["failing-uncompared"];
    const ofAdded = found([...passing, ...added], gates, passing);
    expect([ofAdded.kinds, ofAdded.uncompared?.added.failing]).toEqual([kinds, count]);
    const ofChanged = found(changed, gates, passing);
    expect([ofChanged.kinds, ofChanged.uncompared?.changed.failing]).toEqual([kinds, count]);
  });

  test.each<[string, Pick<GivenCase, "errors" | "scores">, number]>([
    ["passed before in two of three", trials([1, 1, 0]), 8],
    ["failed before in two of three", trials([0, 0, 1]), 0],
    ["had errors before in two of three", trials([1, null, null], 2), 0],
    ["had no score before", trials([null]), 8],
  ])("%s", (_what, rows, count) => {
    const before = passing.map((one, at) => (at < 8 ? { ...one, ...rows } : one));
    const changed = passing.map((one, at) => (at < 8 ? { ...one, ...trials([0, 0, 0]), digest: "other" } : one));
    expect(found(changed, "correct not regressed\nmissing_scores <= 9", before).uncompared?.changed.failing).toBe(
      count,
    );
  });
});

describe("a tenth is of all cases, and of the part of each rule", () => {
  const of = (language: string, cases: readonly GivenCase[]) =>
    cases.map((one) => ({ ...one, metadata: { language } }));
  const english = of(
    "en",
    yesNo(Array.from({ length: 370 }, () => 1)).map((one) => ({ ...one, name: `en${one.name}` })),
  );
  const german = of("de", yesNo(Array.from({ length: 30 }, () => 1)));
  const failed = (count: number) =>
    german.map((one, at) => (at < count ? { ...one, scores: { correct: 0 }, digest: "other" } : one));

  test.each<[number, string, boolean]>([
    [25, "correct [language = de] not regressed", true],
    [4, "correct [language = de] drop <= 0.1\ncorrect not regressed", true],
    [3, "correct [language = de] not regressed", false],
    [25, "correct not regressed", false],
    [25, "correct [language = en] not regressed", false],
    [25, "warn: correct [language = de] not regressed", false],
    [25, "correct [language = de] not regressed\nunmatched <= 25", false],
    [25, "correct [language = de] not regressed\nchanged <= 25", false],
  ])("%d of 30 among 400, %s", (count, gates, isIncomplete) => {
    const { gaps } = judged(caseSet([...english, ...failed(count)]), caseSet([...english, ...german]), gates);
    expect(gaps.map(({ kind }) => kind)).toEqual(isIncomplete ? ["failing-uncompared"] : []);
    if (isIncomplete) {
      expect(gaps[0]?.message).toContain(
        `${String(count)} cases of 30 in the part [language = de] fail and cannot be compared, as ${String(count)} passed before with other inputs or expected outputs (a rule such as \`unmatched <= ${String(count)}\` allows it)`,
      );
    }
  });
});

describe("a part", () => {
  const language = (of: readonly GivenCase[], languageOf: (at: number) => string | undefined) =>
    of.map((one, at) => {
      const name = languageOf(at);
      return name === undefined ? one : { ...one, metadata: { language: name } };
    });
  const values = Array.from({ length: 20 }, (_, at) => Number(at > 9));
  const before = caseSet(language(BASE, (at) => (at < 10 ? "de" : "en")));

  test.each<[string, string]>([
    ["another language", "en"],
    ["none", ""],
  ])("has a case that was in it before and now has %s", (_what, label) => {
    const now = caseSet(language(yesNo(values), (at) => (at < 10 ? label || undefined : "en")));
    const { status, rules, metrics } = judged(
      now,
      before,
      "correct [language = de] not regressed\nnewly_failing [language = de] <= 9\nrows [language = de] = 10\ncorrect [language = de] >= 0.5",
    );
    expect(status).toBe("failed");
    expect(rules.map(({ holds }) => holds)).toEqual([false, false, true, false]);
    expect(metrics[0]).toMatchObject({ part: "language = de", cases: 10, now: { mean: 0 }, baseline: { mean: 1 } });
  });

  test("has a case that only now is in it", () => {
    const now = caseSet(language(yesNo(values), () => "de"));
    expect(
      judged(now, before, "newly_failing [language = en] = 0\ncorrect [language = de] drop <= 0.4").rules,
    ).toMatchObject([
      { found: "newly_failing is 0" },
      { found: "correct [language = de] went from 1 to 0.5 (−50.0 pp) on 20 cases" },
    ]);
  });

  test("that this run lost is a gap for every rule about it, and a warning is none", () => {
    const now = caseSet(language(BASE, () => "en").slice(10));
    for (const rule of [
      "errors [language = de] = 0",
      "correct [language = de] >= 0.9",
      "newly_failing [language = de] = 0",
    ]) {
      const { status, gaps } = judged(now, before, `${rule}\nunmatched <= 10`);
      expect([status, gaps.map(({ kind }) => kind)]).toEqual(["incomplete", ["lost-part"]]);
    }
    const { gaps, warnings } = judged(now, before, "warn: errors [language = de] = 0\nunmatched <= 10");
    expect(gaps).toEqual([]);
    expect(warnings).toContain(
      "The baseline has 10 cases in the part [language = de], and this run has none, so that no rule about it can be judged.",
    );
  });

  test("that changed cases are in stays one", () => {
    const now = caseSet(language(BASE, () => "en").map((one, at) => (at < 10 ? { ...one, digest: "other" } : one)));
    expect(judged(now, before, "changed [language = de] <= 3").rules).toMatchObject([{ found: "changed is 10" }]);
  });
});

test("a baseline of the same results has no cases that are not compared", () => {
  const set = caseSet(BASE);
  expect(judged(set, baselineOf(set), "correct not regressed")).toMatchObject({
    headline: "Passed: correct is as before on 20 cases. The rule holds.",
    uncompared: { added: { cases: 0, failing: 0 }, changed: { cases: 0, failing: 0 } },
  });
  expect(judged(set, undefined, "correct >= 0.5").uncompared).toBeUndefined();
});
