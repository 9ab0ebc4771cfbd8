import { readScorers, Scoring } from "../../src/scoring/scorers.ts";
import type { ScoredBy, ScoredRow, ScoringDeps, TrialScore } from "../../src/scoring/scorer.ts";
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

/** What scorers work with when nothing else is given. */
export const DEPS: ScoringDeps = {
  ...{ workspace: "/nowhere", env: { PATH: process.env["PATH"] }, clock: systemClock },
  ...{ signal: new AbortController().signal, redact: (text) => text, isSecret: () => false },
};

export function scoring(
  definitions: JsonObject,
  deps: Partial<ScoringDeps> = {},
  onAgentError: ScoredBy["onAgentError"] = "zero",
): Scoring {
  const read = readScorers(definitions);
  if (read.faults.length > 0) throw new Error(JSON.stringify(read.faults));
  return new Scoring({ scorers: read.scorers, onAgentError }, { ...DEPS, ...deps });
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
