import { expect, test } from "vitest";
import { unsureCount, unsureCountWarnings } from "../../../src/judgement/gates/gates.ts";
import { Gates } from "../../../src/judgement/gates/gates.ts";
import type { NamedMetric } from "../../../src/judgement/gates/rule.ts";

const SURE: NamedMetric = { kind: "binary", direction: "higher" };
const UNSURE: NamedMetric = { ...SURE, isDirectionUnsure: true };

test.each<[string, Record<string, NamedMetric>, boolean | undefined]>([
  ["no yes/no score", { tone: { kind: "unbounded", direction: "higher", isDirectionUnsure: true } }, undefined],
  ["one that is known", { correct: SURE }, undefined],
  ["one that is not known", { leak: UNSURE }, true],
  ["both", { leak: UNSURE, correct: SURE }, false],
])("of %s", (_what, metrics, isAll) => {
  const known = new Map(Object.entries(metrics));
  for (const counter of ["newly_failing", "newly_flaky"] as const) {
    expect(unsureCount(counter, { metrics: known })?.isAll).toBe(isAll);
    const warnings = unsureCountWarnings(Gates.parse(`${counter} = 0`).written, known);
    expect(warnings).toHaveLength(isAll === undefined ? 0 : 1);
    for (const warning of warnings) expect(warning).toContain("`leak`. 1 is taken as better. To settle it, give");
  }
  expect(unsureCount("errors", { metrics: known })).toBeUndefined();
});
