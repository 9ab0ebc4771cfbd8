import type { Judgement } from "../../../../src/judgement/judgement.ts";
import { runText } from "../../../../src/judgement/words/metrics.ts";
import { ageText } from "../../../../src/judgement/words/numbers.ts";
import { countOf } from "../../../../src/text/number.ts";
import type { Against } from "../events.ts";

/** A judgement, and what it was made against. */
export interface Shown {
  readonly judgement: Judgement;
  readonly against: Against;
}

const MOST_SOURCES = 3;

/** The baseline in a line, or why it is missing. */
export function baselineText({ judgement: { baseline, now, leftOut }, against: { patterns, age } }: Shown): string {
  if (baseline === undefined) {
    if (now.isReset === true) return "none (`baseline: reset` starts a new one)";
    if (patterns.length === 0) return "none (the input `baseline` is not set)";
    if (leftOut !== undefined) return `none (the runs in ${someOf(patterns)} are left out)`;
    return `none yet (no earlier run in ${someOf(patterns)})`;
  }
  return [
    `${someOf(baseline.sources)}: ${countOf(baseline.runs, "run")}`,
    runText(baseline),
    ...(age === undefined ? [] : [`${ageText(age)} old`]),
  ].join(", ");
}

export function someOf(names: readonly string[]): string {
  const more = names.length - MOST_SOURCES;
  return `${names.slice(0, MOST_SOURCES).join(", ")}${more > 0 ? ` and ${String(more)} more` : ""}`;
}
