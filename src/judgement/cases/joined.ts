import { canonicalJson } from "../../text/canonical-json.ts";
import { compareTexts } from "../../text/compare.ts";
import type { Case, CaseSet, MetricFacts, RunOfCases } from "./case-set.ts";
import { CaseTable, nameOfKey } from "./case-table.ts";
import { mergedFacts, UNKNOWN_METRIC } from "./metric-facts.ts";
import { knownValues, StoredCases } from "./stored-case.ts";

/** Which trials of a set are taken, by the key of their case and the place of the set. */
type Takes = (key: string, set: number) => boolean;

/**
 * Joins the trials of several sets by their cases, with the facts of the first for what is known of a run. Of the others
 * only the trials are taken that `takes` lets in, and of these only the values of metrics in `metrics`.
 */
export function joinedSets(
  run: RunOfCases,
  sets: readonly CaseSet[],
  { takes, metrics }: { readonly takes: Takes; readonly metrics: ReadonlyMap<string, MetricFacts> },
): CaseSet {
  const table = new CaseTable();
  for (const [at, set] of sets.entries()) {
    const taking = { takes: (metric: string) => metrics.has(metric) };
    for (const one of set.cases) if (takes(one.key, at)) addTrials(table, set, one, taking);
  }
  return table.finish(run, (metric) => metrics.get(metric) ?? UNKNOWN_METRIC);
}

export function isCaseSet(value: unknown): value is CaseSet {
  return typeof value === "object" && value !== null && "cases" in value && "metrics" in value && "run" in value;
}

/** The set in columns, as each that was read is: a program may give an array of cases, such as a part of those it has. */
export function storedSet(set: CaseSet): CaseSet {
  if (set.cases instanceof StoredCases) return set;
  return { ...set, ...joinedSets(set.run, [set], { takes: () => true, metrics: set.metrics }) };
}

export function addTrials(
  table: CaseTable,
  { metrics }: CaseSet,
  one: Case,
  { takes, isDescribed }: { readonly takes: (metric: string) => boolean; readonly isDescribed?: boolean },
): void {
  const { key, name, digest, metadata, inputs, expected } = one;
  const given = name === nameOfKey(key) ? undefined : name;
  const names = [...metrics.keys()];
  const taken = new Set(names.filter(takes));
  for (const trial of one.trials) {
    const values = knownValues(trial, names).filter(([metric]) => taken.has(metric));
    const { hasError, start, unscored, unmeasured, place, outputs, error } = trial;
    const ofTrial = { values, hasError, start, unscored, unmeasured, place, outputs, error };
    table.add({ key, name: given, digest, metadata, inputs, expected, isDescribed, ...ofTrial });
  }
}

/** The metrics of all sets, for their values together; a direction is that of the first set that has the metric. */
export function mergedMetrics(sets: readonly CaseSet[]): ReadonlyMap<string, MetricFacts> {
  const merged = new Map<string, MetricFacts>();
  for (const { metrics } of sets) {
    for (const [metric, facts] of metrics) {
      const before = merged.get(metric);
      merged.set(metric, before ? mergedFacts(before, facts) : facts);
    }
  }
  return merged;
}

/** Sorts the newest first; runs of one time by what else is known of them. */
export function byTime({ run: one }: CaseSet, { run: other }: CaseSet): number {
  const difference = Date.parse(other.created) - Date.parse(one.created);
  if (difference !== 0) return difference;
  return compareTexts(canonicalJson(one), canonicalJson(other));
}
