import { describe, expect, test } from "vitest";
import { judge, parseSnapshot, snapshotText } from "../../../src/judgement/index.ts";
import type { CaseSet, JudgeArguments, ResultRow } from "../../../src/judgement/index.ts";

interface Given {
  readonly score?: number;
  readonly cost?: number;
  readonly created?: string;
}

const CREATED = "2026-01-03T00:00:00Z";

/** 40 cases with a score that is named cost, or what they cost, or both. */
function run({ score, cost, created = CREATED }: Given) {
  const rows = Array.from({ length: 40 }, (_, at): ResultRow => ({
    ...{ id: `q-${String(at)}`, inputs: { at }, metadata: cost === undefined ? {} : { cost: cost + at / 1e6 } },
    scores: { correct: 1, ...(score === undefined ? {} : { cost: score + at / 1e6 }) },
  }));
  return { rows, created };
}

const casesOf = async (given: Given) => (await judge({ results: run(given), datasetName: "qa" })).results;

/** The snapshot that the version before wrote of such a run: a score took the place of what was measured. */
async function older(given: Given): Promise<CaseSet> {
  const { score, cost, created = "2026-01-01T00:00:00Z" } = given;
  const text = snapshotText(await casesOf({ cost: score ?? cost ?? 1, created }))
    .replace("snapshot@2", "snapshot@1")
    .replace(/,"readings":\{[^}]*\}/, "")
    .replaceAll(/,"(?:start|unscored|direction_from)":(?:"[^"]*"|\[[^\]]*\]|\{[^}]*\}|\d+)/g, "");
  return parseSnapshot(text);
}

const judged = async (given: JudgeArguments) => await judge({ datasetName: "qa", ...given });

const MIDDLE = "2026-01-02T00:00:00Z";

describe("a snapshot of the first version, which kept a score in the place of what was measured", () => {
  test("is not compared by that where the run has both: 40 times the cost is no improvement", async () => {
    const baseline = await older({ score: 0.5, cost: 0.01 });
    const results = run({ score: 0.5, cost: 0.4 });
    for (const onMissingBaseline of ["bootstrap", "fail"] as const) {
      const { judgement } = await judged({ results, baseline, gates: "cost not regressed", onMissingBaseline });
      expect(judgement.status).toBe("bootstrap");
      expect(judgement.rules[0]).toMatchObject({ holds: undefined });
      expect(judgement.warnings.filter((each) => each.includes("`cost` as the version before wrote it"))).toHaveLength(
        1,
      );
    }
  });

  test("is no red without a way out: the snapshot of this run is compared next", async () => {
    const gates = 'cost not regressed\n"cost" not regressed\ncorrect not regressed';
    const now: Given = { score: 0.5, cost: 40 };
    const first = await judged({ results: run(now), baseline: await older({ score: 0.5, cost: 40 }), gates });
    expect(first.judgement.gaps).toEqual([]);
    expect(first.judgement.status).toBe("bootstrap");
    const stored = parseSnapshot(snapshotText(first.results));
    const second = await judged({ results: run(now), baseline: stored, gates });
    expect(second.judgement.status).toBe("passed");
  });

  test("adds nothing to what a newer run of the pool measured", { tags: "slow" }, async () => {
    const newer = await casesOf({ score: 0.5, cost: 0.01, created: MIDDLE });
    const baseline = [await older({ score: 0.5, cost: 0.01 }), newer];
    const { judgement } = await judged({
      results: run({ score: 0.5, cost: 0.4 }),
      baseline,
      gates: "cost rise <= 10%",
    });
    expect(judgement.rules[0]).toMatchObject({ holds: false });
    expect(judgement.metrics.find(({ metric }) => metric === "cost")?.baseline?.mean).toBeCloseTo(0.01, 4);
  });

  test("is compared by the score where only another run of the pool has it", async () => {
    const newer = await casesOf({ score: 0.5, created: MIDDLE });
    const baseline = [await older({ score: 0.5 }), newer];
    const { judgement } = await judged({ results: run({ score: 0.5 }), baseline, gates: '"cost" rise <= 10%' });
    expect(judgement.status).toBe("passed");
    expect(judgement.metrics.map(({ metric }) => metric)).toEqual(['"cost"', "correct"]);
  });

  test("as results has the score where its baseline has it", async () => {
    const results = await older({ score: 0.5, created: CREATED });
    const gates = '"cost" rise <= 10%\ncorrect not regressed';
    const { judgement } = await judged({ results, baseline: run({ score: 0.5, created: MIDDLE }), gates });
    expect(judgement.gaps).toEqual([]);
    expect(judgement.status).toBe("passed");
    const both = await judged({
      results,
      baseline: run({ score: 0.5, cost: 7, created: MIDDLE }),
      gates: "correct >= 1",
    });
    expect(both.judgement.metrics.some(({ metric, now }) => metric === "cost" && now !== undefined)).toBe(false);
    expect(both.judgement.warnings.join()).toContain(
      "A snapshot of the results holds `cost` as the version before wrote it",
    );
  });

  test("is compared by what was measured where nobody has a score of that name", { tags: "slow" }, async () => {
    const baseline = await older({ cost: 0.01 });
    const { judgement } = await judged({ results: run({ cost: 0.4 }), baseline, gates: "cost rise <= 10%" });
    expect(judgement.rules[0]).toMatchObject({ holds: false });
  });
});
