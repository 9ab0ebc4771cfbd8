import { countsYesNo } from "../gates/rule.ts";
import { unmeasuredErrors, withoutScores } from "./coverage.ts";
import type { Looked } from "./gap.ts";
import { rowWarnings } from "./rows-of-cases.ts";
import { lostParts } from "./survivors.ts";

/** Sentences on what no rule sees: nothing is missing, and yet a green judgement may say less than it seems to. */
export function blindSpots(looked: Looked): readonly string[] {
  const { now, baseline, rules } = looked;
  // Only a yes/no score fails.
  const kinds = [...now.metrics.values(), ...(baseline?.metrics.values() ?? [])].map(({ kind }) => kind);
  const idle = !baseline || kinds.includes("binary") ? [] : rules.filter(({ value }) => countsYesNo(value));
  return [
    ...withoutScores(looked).warnings,
    ...unmeasuredErrors(looked),
    ...idle.map(({ text }) => `The rule \`${text}\` holds for any results: no score has only the values 0 and 1.`),
    ...lostParts(looked, "warning"),
    ...rowWarnings(looked),
  ];
}
