import { describe, expect, test } from "vitest";
import { judge, parseSnapshot, snapshotText, type JudgeArguments, type ResultRow } from "../../src/judgement/index.ts";

/** 100 rows, of which the last ones have an error and no score. */
function rowsWith(errors: number): readonly ResultRow[] {
  return Array.from({ length: 100 }, (_, at): ResultRow => {
    const row = { id: `q-${String(at)}`, inputs: { at } };
    return at < 100 - errors ? { ...row, scores: { correct: true } } : { ...row, error: "the service was away" };
  });
}

const RULES = "correct not regressed";
const judged = async (given: Partial<JudgeArguments>) =>
  await judge({ results: { rows: rowsWith(0) }, gates: RULES, datasetName: "qa", ...given });
const run = async (errors: number, created: string, gates = RULES, baseline: JudgeArguments["baseline"] = []) => {
  const results = { rows: rowsWith(errors), created, ref: created };
  return await judged({ results, gates, baseline });
};

describe("a run with more than 5 % errors without a rule that allows them", () => {
  const sentence =
    "This run is no baseline for later runs: 6 of 100 rows have an error, and no rule allows that. Its snapshot says so, and later runs leave it out.";

  test("says at its end that it is no baseline, and so does its snapshot", async () => {
    const { judgement, results } = await run(6, "2026-11-01T00:00:00Z");
    expect(judgement.warnings).toContain(sentence);
    expect(parseSnapshot(snapshotText(results)).run.notBaseline).toEqual([
      "6 of 100 rows have an error, and no rule allows that",
    ]);
    const fine = await run(5, "2026-11-01T00:00:00Z");
    expect(fine.judgement.warnings).toEqual([]);
    expect(fine.results.run.notBaseline).toEqual([]);
  });

  test.each([
    ["error_rate <= 10%", true],
    ["errors <= 6", true],
    ["errors <= 5", false],
    ["warn: errors <= 6", false],
    ["errors > 0", false],
  ])("%s allows it: %s", async (rule, isAllowed) => {
    const { judgement } = await run(6, "2026-11-01T00:00:00Z", `${RULES}\n${rule}`);
    expect(judgement.now.notBaseline).toHaveLength(isAllowed ? 0 : 1);
  });

  test("is left out with one warning, and locks no branch", async () => {
    const first = await run(0, "2026-11-01T00:00:00Z");
    const second = await run(8, "2026-11-02T00:00:00Z", RULES, first.results);
    const third = await run(9, "2026-11-03T00:00:00Z", RULES, [first.results, second.results]);
    const stored = [first, second, third].map(({ results }) => parseSnapshot(snapshotText(results)));
    const pull = await run(0, "2026-11-04T00:00:00Z", RULES, stored);
    expect(pull.judgement.status).toBe("passed");
    expect(pull.judgement.baseline).toMatchObject({ runs: 1, ref: "2026-11-01T00:00:00Z" });
    expect(pull.judgement.warnings).toEqual([
      "2026-11-03T00:00:00Z is left out of the baseline: 9 of 100 rows have an error, and no rule allows that.",
      "2026-11-02T00:00:00Z is left out of the baseline: 8 of 100 rows have an error, and no rule allows that.",
    ]);
    const good = await run(0, "2026-11-05T00:00:00Z", RULES, stored);
    expect(good.results.run.notBaseline).toEqual([]);
    const later = await run(0, "2026-11-06T00:00:00Z", RULES, [...stored, good.results]);
    expect(later.judgement.baseline).toMatchObject({ runs: 2, ref: "2026-11-05T00:00:00Z" });
  });

  test("is no baseline alone: what happens without one decides", async () => {
    const { results } = await run(8, "2026-11-02T00:00:00Z");
    for (const baseline of [results, { rows: rowsWith(8), ref: "main" }, older(results)]) {
      const { judgement } = await judged({ baseline });
      expect(judgement).toMatchObject({ status: "bootstrap", baseline: undefined });
      expect(judgement.warnings).toEqual([expect.stringContaining("left out of the baseline: 8 of 100 rows")]);
      const why = / is left out of the baseline: 8 of 100 rows have an error, and no rule allows that\. /;
      expect(judgement.headline).toMatch(/^Nothing was compared: .* is left out/);
      expect(judgement.headline).toMatch(why);
      const failed = (await judged({ baseline, onMissingBaseline: "fail" })).judgement;
      expect(failed.status).toBe("failed");
      expect(failed.headline).toMatch(/^Failed: there is no baseline, and "correct not regressed" needs one: /);
      expect(failed.headline).toMatch(why);
      const several = (await judged({ baseline: [results, { rows: rowsWith(9), ref: "b" }] })).judgement;
      expect(several.headline).toMatch(/^Nothing was compared: all 2 runs are left out of the baseline, as the warn/);
    }
  });

  test("and where nothing is stated, the rules of now decide", async () => {
    const { results } = await run(8, "2026-11-02T00:00:00Z");
    const gates = `${RULES}\nerror_rate <= 10%`;
    for (const baseline of [{ rows: rowsWith(8) }, older(results)]) {
      expect((await judged({ baseline, gates })).judgement.baseline).toBeDefined();
    }
    expect((await judged({ baseline: results, gates })).judgement.baseline).toBeUndefined();
  });
});

/** The set as a snapshot of version 1 holds it. */
function older(set: JudgeArguments["results"]) {
  if (!("cases" in set)) throw new TypeError("not a set");
  const [header = "", ...lines] = snapshotText(set).split("\n");
  const {
    not_baseline: _no,
    readings: _readings,
    allowed: _allowed,
    reset: _reset,
    ...kept
  } = JSON.parse(header) as Record<string, unknown>;
  const first = JSON.stringify({ ...kept, schema: "graph-deploy/snapshot@1" });
  const cases = lines.map((line) => line.replaceAll(/,"unscored":\[[^\]]*\]/g, "").replaceAll(/,"start":\d+/g, ""));
  return parseSnapshot([first, ...cases].join("\n"));
}

describe("a run without scores", () => {
  const timed = { rows: [{ id: "a", inputs: {}, latencyMilliseconds: 300 }], ref: "main" };

  test("is no baseline, unless the rules are about times alone", async () => {
    expect((await judged({ results: timed, gates: "errors = 0" })).results.run.notBaseline).toEqual([]);
    expect((await judged({ results: timed, gates: "unmatched = 0" })).results.run.notBaseline).toEqual([
      "no row has a score",
    ]);
    expect((await judged({ baseline: timed })).judgement.warnings).toEqual([
      "main is left out of the baseline: no row has a score.",
    ]);
  });
});

test("a baseline from the future is told", async () => {
  const { results } = await run(0, "2999-01-01T00:00:00Z");
  const { judgement } = await judged({ baseline: results });
  expect(judgement.warnings[0]).toMatch(
    /^The baseline says that it is of 2999-01-01T00:00:00Z, [\d,]+ days from now: check the clock/,
  );
  const soon = await run(0, new Date(Date.now() + 60_000).toISOString());
  expect((await judged({ baseline: soon.results })).judgement.warnings).toEqual([]);
});
