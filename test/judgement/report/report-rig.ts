import type { Case, CaseSet, RunOfCases } from "../../../src/judgement/cases/case-set.ts";
import { storedSet } from "../../../src/judgement/cases/joined.ts";
import type { Judged } from "../../../src/judgement/judge-results.ts";
import { baselineOf, caseSet, judged, type GivenCase, type GivenFacts } from "../rig.ts";

/** A case with its texts: an output for each trial. */
export interface TextCase extends GivenCase {
  readonly inputs?: string;
  readonly expected?: string;
  readonly outputs?: readonly string[];
  readonly error?: string;
}

export interface ReportRequest {
  readonly now: readonly TextCase[];
  readonly before?: readonly TextCase[] | undefined;
  readonly gates?: string;
  readonly facts?: GivenFacts;
  readonly run?: Partial<RunOfCases>;
  readonly baselineRun?: Partial<RunOfCases>;
  readonly warnings?: readonly string[];
}

/** A judgement of made cases, with what it was made from. */
export function madeJudged({
  now,
  before,
  gates = "",
  facts = {},
  run = {},
  baselineRun = {},
  ...more
}: ReportRequest): Judged {
  const results = setOf(now, facts, run);
  const baseline = before && baselineOf(setOf(before, facts, baselineRun));
  return { judgement: judged(results, baseline, gates, more), results, baseline, left: [] };
}

function setOf(given: readonly TextCase[], facts: GivenFacts, run: Partial<RunOfCases>): CaseSet {
  const set = caseSet(given, facts, run);
  const texts = new Map(given.map((one) => [one.name, one]));
  const cases = [...set.cases].map((one): Case => {
    const { inputs, expected, outputs, error } = texts.get(one.name) ?? {};
    const trials = one.trials.map(({ values, hasError, unscored, place }, at) => {
      return { values, hasError, unscored, place, outputs: outputs?.[at] ?? outputs?.[0], error };
    });
    const { key, name, digest, metadata } = one;
    return { key, name, digest, metadata, inputs, expected, trials };
  });
  return storedSet({ ...set, cases });
}
