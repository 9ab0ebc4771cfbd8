import { expect, test } from "vitest";
import type { ResultRow } from "../../src/experiments/rows/result-row.ts";
import { judge } from "../../src/judgement/judge-rows.ts";

const CASES = 10_000;

const rows = (turn: number, lacking: number): readonly ResultRow[] =>
  Array.from({ length: CASES }, (_, at) => ({
    id: `q-${String(at)}`,
    inputs: { question: at },
    outputs: { answer: "a" },
    scores: { correct: (at * turn) % 10 > 0, ...(at % CASES < lacking ? {} : { tone: ((at * turn) % 1009) / 1009 }) },
    metadata: { language: at % 2 === 0 ? "de" : "en" },
  }));
const GATES = [
  ...["correct not regressed", "tone not worse by 0.05", "tone [language = de] not regressed"],
  ...["p90(tone) >= 0.5", "errors = 0", "missing_scores <= 5", "unmatched = 0"],
].join("\n");

test.for([
  { lacks: "none lacks", lacking: 0, tones: CASES },
  { lacks: "some lack", lacking: 3, tones: CASES - 3 },
])(
  "many cases, of which $lacks a score, are judged alike again: what was judged is whole",
  { tags: "slow" },
  async (each) => {
    const settings = { datasetName: "qa", gates: GATES };
    const first = await judge({
      ...settings,
      results: { rows: rows(7, each.lacking) },
      baseline: { rows: rows(11, 0), created: "2026-01-01T00:00:00Z" },
    });
    const { metrics, now, rules } = first.judgement;
    expect(now).toMatchObject({ cases: CASES, trials: CASES, errors: 0 });
    const tone = metrics.find(({ metric, part }) => metric === "tone" && part === undefined);
    expect(tone?.now?.cases).toBe(each.tones);
    expect(tone?.baseline?.cases).toBe(CASES);
    expect(tone?.comparison).toMatchObject({ cases: each.tones, current: { cases: each.tones } });
    // The level of now is of all cases with a score, whether it was compared or not.
    expect(tone?.now).toEqual(tone?.comparison?.current);
    if (each.lacking > 0) expect(tone?.baseline).not.toEqual(tone?.comparison?.baseline);
    else expect(tone?.baseline).toEqual(tone?.comparison?.baseline);
    expect(rules).toHaveLength(7);
    const { results, baseline } = first;
    if (baseline === undefined) throw new Error("there is a baseline");
    const again = await judge({ ...settings, results, baseline });
    expect(again.judgement).toEqual(first.judgement);
  },
);
