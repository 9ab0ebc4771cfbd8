import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mergedFacts } from "../../../src/judgement/cases/metric-facts.ts";
import type { MetricFacts } from "../../../src/judgement/cases/case-set.ts";
import { writeSnapshot } from "../../../src/judgement/cases/snapshot-writer.ts";
import { reasonsAgainst } from "../../../src/judgement/comparing/not-baseline.ts";
import { Gates } from "../../../src/judgement/gates/gates.ts";
import { ResultsError } from "../../../src/experiments/reading/result-faults.ts";
import { mappingOf } from "../../experiments/formats/reading.ts";
import { uploadRig } from "../../experiments/upload-rig.ts";
import { judged } from "../rig.ts";
import { casesRig } from "../cases/cases-rig.ts";

const rowsOf = (valueAt: (at: number) => string) =>
  Array.from({ length: 12 }, (_, at) => `question ${String(at)},answer ${String(at)},${valueAt(at)}`);
const tableOf = (name: string, valueAt: (at: number) => string) =>
  [`input,output,${name}`, ...rowsOf(valueAt), ""].join("\n");

/** A column that is a number only, and one that is a score. */
const NUMBERS: readonly (readonly [name: string, valueAt: (at: number) => string])[] = [
  ["num_contexts", (at) => String(at % 4)],
  ["query_run", (at) => String(7000 + at)],
  ["bemerkt", () => "1"],
  ["note_de_l_evaluateur", (at) => String((at % 5) + 1)],
];
const SCORES: readonly (readonly [name: string, valueAt: (at: number) => string])[] = [
  ["correct", () => "1"],
  ["helpfulness", (at) => String((at % 5) + 1)],
  ["tone_score", (at) => String(at)],
  ["quality", (at) => String(at)],
  ["bemerkt", (at) => String((at % 3) / 2)],
  ["geprueft", (at) => (at % 3 === 0 ? "wrong" : "right")],
];

async function setOf(table: string) {
  const rig = await casesRig();
  await rig.write({ "now.csv": table });
  return { rig, set: await rig.read({ run: { dataset: { name: "qa" } } }) };
}

/** True where the upload takes the table as one with scores. */
async function isUploaded(table: string): Promise<boolean> {
  const rig = await uploadRig();
  await rig.write({ "now.csv": table });
  try {
    await rig.dryRun();
    return true;
  } catch (error) {
    if (!(error instanceof ResultsError)) throw error;
    expect(error.reasons).toEqual(["NO_SCORES"]);
    return false;
  }
}

const reasonsOf = (set: Parameters<typeof reasonsAgainst>[0], gates: string) =>
  reasonsAgainst(set, Gates.parse(gates).written);

describe("a column of which nothing shows that it holds scores", () => {
  test.each(NUMBERS)("is none for the upload and for a judgement: %s", async (name, valueAt) => {
    const table = tableOf(name, valueAt);
    expect(await isUploaded(table)).toBe(false);
    const { set } = await setOf(table);
    expect([...set.metrics].map(([metric, { isNumberOnly }]) => [metric, isNumberOnly])).toEqual([[name, true]]);
    const { status, gaps } = judged(set, set, "missing_scores = 0");
    expect(status).toBe("incomplete");
    expect(gaps.map(({ message }) => message)).toEqual([
      `No row has a score, and the rules need one: \`missing_scores = 0\`. Nothing shows that \`${name}\` is a score: name it in a mapping or in a rule.`,
    ]);
    expect(reasonsOf(set, "missing_scores = 0")).toEqual(["no row has a score"]);
    expect(judged(set, undefined, "rows = 12").warnings).toContain("No row has a score.");
  });

  test("is one where a rule, a mapping or a direction names it", async () => {
    const { rig, set } = await setOf(tableOf("bemerkt", (at) => String((at % 5) + 1)));
    expect(judged(set, set, "bemerkt not regressed").gaps).toEqual([]);
    expect(reasonsOf(set, "bemerkt not regressed")).toEqual([]);
    const mapping = await mappingOf("inputs: input\noutputs: output\nscores:\n  bemerkt: bemerkt\n");
    const directions = new Map([["bemerkt", "higher"]] as const);
    for (const given of [{ mapping }, { directions }]) {
      const named = await rig.read({ run: { dataset: { name: "qa" } }, ...given });
      expect(judged(named, named, "missing_scores = 0").gaps).toEqual([]);
      expect(reasonsOf(named, "missing_scores = 0")).toEqual([]);
    }
  });

  test("is none in a snapshot either, and one where another set shows it", async () => {
    const { rig, set } = await setOf(tableOf("bemerkt", (at) => String((at % 5) + 1)));
    writeSnapshot(set, { path: join(rig.workspace, "b.snapshot.jsonl"), name: "b.snapshot.jsonl" });
    const stored = await rig.readRun({ patterns: ["b.snapshot.jsonl"] });
    expect(stored.metrics.get("bemerkt")).toEqual(set.metrics.get("bemerkt"));
    const number = set.metrics.get("bemerkt");
    const score: MetricFacts = { kind: "bounded", low: 0, high: 1, direction: "higher" };
    expect(number && mergedFacts(number, score).isNumberOnly).toBeUndefined();
    expect(number && mergedFacts(number, number).isNumberOnly).toBe(true);
  });
});

test.each(SCORES)("a score counts in both: %s", async (name, valueAt) => {
  const table = tableOf(name, valueAt);
  expect(await isUploaded(table)).toBe(true);
  const { set } = await setOf(table);
  expect([...set.metrics.values()].map(({ isNumberOnly }) => isNumberOnly)).toEqual([undefined]);
  expect(judged(set, set, "missing_scores = 0").gaps).toEqual([]);
});

test("a time is neither a score nor such a number", async () => {
  const { set } = await setOf(["input,output,latency", ...rowsOf(() => "1.5"), ""].join("\n"));
  expect(set.metrics.get("latency")?.isNumberOnly).toBeUndefined();
  expect(reasonsOf(set, "missing_scores = 0")).toEqual(["no row has a score"]);
});
