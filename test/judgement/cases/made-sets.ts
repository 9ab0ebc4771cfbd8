import fc from "fast-check";
import { uuidFromHex } from "../../../src/contract/uuid.ts";
import type { CaseSet, RunOfCases } from "../../../src/judgement/cases/case-set.ts";
import { CaseTable, digestOf, type NewTrial } from "../../../src/judgement/cases/case-table.ts";
import { metricFacts } from "../../../src/judgement/cases/metric-facts.ts";

export const RUN: RunOfCases = { dataset: { name: "qa" }, created: "2026-11-20T00:00:00Z", isComplete: true };
const NONE = { directions: new Map(), ranges: new Map() };

/** The key of a case by a number. */
export function keyOf(number: number): string {
  return uuidFromHex(digestOf(String(number)));
}

/** A trial of the case with this number. */
export function trial(
  number: number,
  values: Readonly<Record<string, number>>,
  more: Partial<NewTrial> = {},
): NewTrial {
  return {
    key: keyOf(number),
    name: `case ${String(number)}`,
    digest: digestOf(`inputs ${String(number)}`),
    metadata: { number },
    values: Object.entries(values),
    hasError: false,
    unscored: [],
    ...more,
  };
}

export function setOf(trials: readonly NewTrial[], run: Partial<RunOfCases> = {}): CaseSet {
  const table = new CaseTable();
  for (const each of trials) table.add(each);
  return table.finish({ ...RUN, ...run }, (metric, seen) => metricFacts(metric, seen, NONE));
}

const value = fc.oneof(
  fc.constantFrom(0, 1, -0),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: 0, max: 1, noNaN: true }),
);
const metric = fc.oneof(
  fc.constantFrom("accuracy", "latency", "cost", "tokens", "tone", "__proto__", "7"),
  fc.string(),
);
const scalar = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
);

/** Trials of up to ten cases, with names, metadata and metrics of any text. */
export const trials: fc.Arbitrary<readonly NewTrial[]> = fc.array(
  fc
    .record({
      number: fc.nat(9),
      values: fc.dictionary(metric, value, { maxKeys: 4, noNullPrototype: true }),
      hasError: fc.boolean(),
      name: fc.option(fc.string({ minLength: 1, unit: "grapheme" }), { nil: undefined }),
      metadata: fc.option(
        fc.dictionary(fc.string({ unit: "grapheme" }), scalar, { maxKeys: 3, noNullPrototype: true }),
        { nil: undefined },
      ),
      start: fc.option(fc.oneof(fc.integer({ min: -2e9 }), fc.constantFrom(1.7e15, 2 ** 57)), { nil: undefined }),
      unscored: fc.option(fc.array(metric, { maxLength: 3 }), { nil: undefined }),
      unmeasured: fc.option(fc.constantFrom("timeout", "unreachable", "__proto__"), { nil: undefined }),
      digest: fc.nat(1).map((n) => digestOf(String(n))),
    })
    .map(({ number, values, ...more }) => trial(number, values, more)),
  { maxLength: 30 },
);

const names = fc.array(fc.string(), { maxLength: 3 });
/** Formats, and metadata that name an evaluator: the names are ours. */
const word = fc.stringMatching(/^[a-z][a-z_-]*$/);
/** What is known of a run, or not: absent is unknown, and not the same as empty. */
export const runs: fc.Arbitrary<Partial<RunOfCases>> = fc.record(
  {
    evaluator: fc.oneof(fc.string({ minLength: 1 }), fc.dictionary(word, fc.string(), { noNullPrototype: true })),
    readings: fc.dictionary(word, fc.nat(9), { noNullPrototype: true }),
    notBaseline: names,
    serverVersions: names,
    shards: names,
    isReset: fc.boolean(),
    areRepetitionsStated: fc.boolean(),
    allowed: fc.record(
      { unmatched: fc.nat(9), missing_scores: fc.nat(9) },
      { requiredKeys: [], noNullPrototype: true },
    ),
  },
  { requiredKeys: [] },
);
