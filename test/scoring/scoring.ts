import { readScorers, Scoring } from "../../src/scoring/scorers.ts";
import type { ScoredRow, ScoringDeps, TrialScore } from "../../src/scoring/scorer.ts";
import type { JsonObject } from "../../src/files/json/value.ts";
import { systemClock } from "../../src/http/clock.ts";

/** An answered trial of which scorers know nothing but what is given. */
export function answered(given: Partial<ScoredRow> = {}): ScoredRow {
  return {
    id: "case-1/0",
    row: {},
    output: undefined,
    state: undefined,
    toolCalls: [],
    runMilliseconds: undefined,
    tokens: undefined,
    cost: undefined,
    ...given,
  };
}

export function scoring(definitions: JsonObject, deps: Partial<ScoringDeps> = {}): Scoring {
  const read = readScorers(definitions);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const signal = new AbortController().signal;
  const machine = { workspace: "/nowhere", env: { PATH: process.env["PATH"] }, clock: systemClock, signal };
  return new Scoring(read.scorers, { ...machine, redact: (text) => text, isSecret: () => false, ...deps });
}

/** Scores one trial by one scorer, named `it`. */
export async function scoreOf(
  definition: JsonObject,
  row: ScoredRow,
  deps?: Partial<ScoringDeps>,
): Promise<TrialScore> {
  await using scorers = scoring({ it: definition }, deps);
  const [score, ...more] = await scorers.score(row);
  if (!score || more.length > 0) throw new Error("one scorer makes one score");
  return score;
}
