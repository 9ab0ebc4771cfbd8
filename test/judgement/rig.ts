import {
  LATENCY,
  type Baseline,
  type Case,
  type CaseSet,
  type MetricFacts,
  type RunOfCases,
} from "../../src/judgement/cases/case-set.ts";
import { digestOf } from "../../src/judgement/cases/case-table.ts";
import { storedSet } from "../../src/judgement/cases/joined.ts";
import { Gates } from "../../src/judgement/gates/gates.ts";
import { judge, type JudgeRequest } from "../../src/judgement/judge.ts";
import type { JsonObject } from "../../src/files/json/value.ts";
import { uuidV5 } from "../../src/contract/uuid.ts";

/** A case as a test writes it: for each metric the values of its trials, null for a missing one. */
export interface GivenCase {
  readonly name: string;
  readonly scores: Readonly<Record<string, number | null | readonly (number | null)[]>>;
  readonly digest?: string;
  readonly metadata?: JsonObject;
  readonly errors?: number;
  /** The outcome of all its trials, where nothing was measured. */
  readonly unmeasured?: string;
  /** Metrics that its rows name without a number. */
  readonly unscored?: readonly string[];
}

const NAMESPACE = Buffer.alloc(16, 7);

const RUN: RunOfCases = { dataset: { name: "support" }, created: "2026-11-22T10:00:00Z", isComplete: true };

/** Facts of metrics that are not yes/no. */
export type GivenFacts = Readonly<Record<string, MetricFacts>>;

export function caseSet(given: readonly GivenCase[], facts: GivenFacts = {}, run: Partial<RunOfCases> = {}): CaseSet {
  const names = [...new Set(given.flatMap(({ scores }) => Object.keys(scores)))].toSorted();
  const metrics = new Map(names.map((name) => [name, facts[name] ?? factsOf(name)]));
  const cases = given.map((one): Case => {
    const listed = names.map((name) => [one.scores[name] ?? null].flat());
    const count = Math.max(...listed.map(({ length }) => length), 1);
    const trials = Array.from({ length: count }, (_, trial) => ({
      values: Float64Array.from(listed, (values) => values[trial] ?? Number.NaN),
      hasError: trial < (one.errors ?? 0),
      unscored: one.unscored ?? [],
      unmeasured: one.unmeasured,
      place: { file: "results.jsonl", line: given.indexOf(one) + 1 },
    }));
    const { name, digest = "", metadata } = one;
    return { key: uuidV5(NAMESPACE, name), name, digest: digestOf(digest), metadata, trials };
  });
  return storedSet({ run: { ...RUN, ...run }, metrics, cases });
}

function factsOf(name: string): MetricFacts {
  return name === LATENCY
    ? { kind: "positive", direction: "lower" }
    : { kind: "binary", direction: "higher", low: 0, high: 1 };
}

export function baselineOf(set: CaseSet, runs: readonly CaseSet[] = [set]): Baseline {
  return { ...set, runs, sources: ["baseline.snapshot.jsonl"] };
}

/** Cases named c000, c001, … with one yes/no score each. */
export function yesNo(values: readonly (number | null)[], metric = "correct"): readonly GivenCase[] {
  return values.map((value, index) => ({ name: `c${String(index).padStart(3, "0")}`, scores: { [metric]: value } }));
}

export function judged(now: CaseSet, before: CaseSet | undefined, gates: string, more: Partial<JudgeRequest> = {}) {
  return judge({ results: now, baseline: before && baselineOf(before), gates: Gates.parse(gates), ...more });
}
