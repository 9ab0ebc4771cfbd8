import { countOf, countText } from "../../text/number.ts";
import type { Case, CaseSet } from "../cases/case-set.ts";
import { errorCount, trialCount } from "../cases/stored-case.ts";
import type { Rule, RuleFilter } from "../gates/rule.ts";
import type { Gap, Uncompared } from "../judgement.ts";
import type { Entry, EntryList } from "./case-lists.ts";
import type { Counted } from "./counted.ts";
import { gapOf, type Looked } from "./gap.ts";
import type { Pairs } from "./pairing.ts";
import { countIn, partOf, partText } from "./part.ts";
import { columnOf } from "./values.ts";

// What survives a comparison is what both sides have: a run gets better by what it does not compare.

/** The cases that are not compared, and how many of them fail; undefined without a baseline. */
export function uncomparedOf(counted: Counted, rules: readonly Rule[]): Uncompared | undefined {
  const { now, pairing } = counted;
  if (pairing === undefined) return undefined;
  const named = rules.flatMap((rule) => askedBy(rule, now));
  const all = yesNoIn(now).map((metric) => ({ metric, filters: [] }));
  const failing = new FailingCases(counted, named.length > 0 ? named : all);
  return {
    added: { cases: pairing.added.length, failing: failing.added.length },
    changed: { cases: pairing.changed.now.length, failing: failing.changed.length },
  };
}

// Of all cases.
const MOST_FAILING = 0.1;
const LEAST_FAILING = 2;

/**
 * A gap where a rule compares, and more than a tenth of all cases fail and are not compared: they were added, or were
 * changed and passed before.
 */
export function failingUncompared(looked: Looked): readonly Gap[] {
  const { now, rules } = looked;
  const { allows } = looked.allowances;
  const comparing = rules.filter((rule) => !rule.isWarning && isComparing(rule));
  if (comparing.length === 0 || allows("unmatched")) return [];
  const failing = new FailingCases(
    looked,
    comparing.flatMap((rule) => {
      const asked = askedBy(rule, now);
      return asked.length > 0 ? asked : [{ metric: undefined, filters: rule.filters }];
    }),
  );
  const added = allows("added") ? [] : failing.added;
  const changed = allows("changed") ? [] : failing.changed;
  const count = added.length + changed.length;
  if (count < LEAST_FAILING || count <= MOST_FAILING * now.cases.length) return [];
  const parts = [
    ...(added.length > 0 ? [`${countText(added.length)} ${added.length === 1 ? "was" : "were"} added`] : []),
    ...(changed.length > 0 ? [`${countText(changed.length)} passed before with other inputs or expected outputs`] : []),
  ];
  return gapOf("failing-uncompared", entriesOf([...added, ...changed]), looked, (cases) => {
    return `${countOf(cases, "case")} of ${countText(now.cases.length)} ${cases === 1 ? "fails" : "fail"} and cannot be compared, as ${parts.join(", and ")} (a rule such as \`unmatched <= ${String(uncomparedCount(looked))}\` allows it)`;
  });
}

function uncomparedCount({ pairing }: Counted): number {
  const { added, removed, changed } = pairing ?? {};
  return (added?.length ?? 0) + (removed?.length ?? 0) + (changed?.now.length ?? 0);
}

/**
 * Sentences on parts whose cases the baseline has and this run lost: a count of none says nothing. For rules that bind they
 * are gaps, and for those that warn warnings.
 */
export function lostParts(looked: Looked, of: "binding" | "warning"): readonly string[] {
  const { now, baseline, rules } = looked;
  const asked = rules.filter(({ isWarning }) => isWarning === (of === "warning"));
  const parts = new Map(asked.map(({ filters }) => [partText(filters), filters]));
  return [...parts].flatMap(([text, filters]) => {
    if (text === undefined || baseline === undefined) return [];
    const { hasNow, hasBaseline } = partOf(looked, filters);
    const before = countIn(baseline, hasBaseline);
    if (before === 0 || countIn(now, hasNow) > 0) return [];
    return `The baseline has ${countOf(before, "case")} in the part [${text}], and this run has none, so that no rule about it can be judged.`;
  });
}

/** A yes/no score that a rule is about, in its part; undefined where only errors make a case fail. */
interface Asked {
  readonly metric: string | undefined;
  readonly filters: readonly RuleFilter[];
}

function isComparing({ value, test }: Rule): boolean {
  if (test.by !== "number") return true;
  return value.of === "counter" && (value.counter === "newly_failing" || value.counter === "newly_flaky");
}

/** The yes/no scores of a rule: its metric, or all that its counter looks at. */
export function askedBy({ value, filters }: Rule, now: CaseSet): readonly Asked[] {
  const yesNo = yesNoIn(now);
  if (value.of === "metric") return yesNo.includes(value.metric) ? [{ metric: value.metric, filters }] : [];
  const isOfAll = value.counter === "newly_failing" || value.counter === "newly_flaky";
  return isOfAll ? yesNo.map((metric) => ({ metric, filters })) : [];
}

/** All yes/no scores of a set. */
export function yesNoIn({ metrics }: CaseSet): readonly string[] {
  return [...metrics].flatMap(([metric, { kind }]) => (kind === "binary" ? metric : []));
}

/** Cases that are not compared and fail, by their places now. */
class FailingCases {
  readonly added: readonly number[];
  /** Of those that were changed, the ones that passed before. */
  readonly changed: readonly number[];

  constructor(counted: Counted, asked: readonly Asked[]) {
    const { pairing } = counted;
    const tests = asked.map((one) => new FailTest(counted, one));
    this.added = [...(pairing?.added ?? [])].filter((at) => tests.some((each) => each.failsNow(at)));
    const { now, baseline }: Pairs = pairing?.changed ?? { now: new Uint32Array(), baseline: new Uint32Array() };
    this.changed = [...now].filter((at, index) => {
      return tests.some((each) => each.failsNow(at) && each.passedBefore(baseline[index] ?? 0));
    });
  }
}

/** Whether a case fails: by a yes/no score in all of its rows that have it, or by errors where none has. */
class FailTest {
  readonly #counted: Counted;
  readonly #metric: string | undefined;
  readonly #best: number;
  readonly #hasNow: (at: number) => boolean;

  constructor(counted: Counted, { metric, filters }: Asked) {
    this.#counted = counted;
    this.#metric = metric;
    this.#best = counted.now.metrics.get(metric ?? "")?.direction === "lower" ? 0 : 1;
    this.#hasNow = partOf(counted, filters).hasNow;
  }

  failsNow(at: number): boolean {
    const { now } = this.#counted;
    if (!this.#hasNow(at)) return false;
    const mean = this.#meanIn(now, at);
    return Number.isNaN(mean) ? hasOnlyErrors(now.cases.at(at)) : mean === 1 - this.#best;
  }

  passedBefore(at: number): boolean {
    const { baseline } = this.#counted;
    if (baseline === undefined) return false;
    const mean = this.#meanIn(baseline, at);
    return Number.isNaN(mean) ? !hasOnlyErrors(baseline.cases.at(at)) : mean === this.#best;
  }

  #meanIn(set: CaseSet, at: number): number {
    return this.#metric === undefined ? Number.NaN : (columnOf(set, this.#metric).means[at] ?? Number.NaN);
  }
}

function hasOnlyErrors(one: Case | undefined): boolean {
  return one !== undefined && errorCount(one) === trialCount(one);
}

function entriesOf(places: readonly number[]): EntryList {
  return places.map((at): Entry => ({ ...NO_METRIC, at }));
}

const NO_METRIC = { isOfBaseline: false, metric: undefined, now: Number.NaN, baseline: Number.NaN } as const;
