import { countOf, countText } from "../../text/number.ts";
import type { CaseSet } from "../cases/case-set.ts";
import { columnsOf, valuesIn } from "../cases/stored-case.ts";
import { countsYesNo, partText, type Rule, type RuleFilter } from "../gates/rule.ts";
import type { Gap, Uncompared } from "../judgement.ts";
import { casesAt, type Sides } from "./case-lists.ts";
import { gapOf, type Looked } from "./gap.ts";
import { countIn, partOf } from "./part.ts";

// What survives a comparison is what both sides have: a run gets better by what it does not compare.

/** The cases that are not compared, and how many of them fail; undefined without a baseline. */
export function uncomparedOf(looked: Looked): Uncompared | undefined {
  const { baseline, pairing, rules } = looked;
  if (!baseline) return undefined;
  const named = rules.flatMap((rule) => askedBy(rule, looked));
  const all = yesNoIn(looked).map((metric) => ({ metric, filters: [] }));
  const failing = failingCases(looked, named.length > 0 ? named : all);
  return {
    added: { cases: pairing.added.length, failing: failing.added.length },
    changed: { cases: pairing.changed.now.length, failing: failing.changed.length },
  };
}

// Of all cases, and of those of a part.
const MOST_FAILING = 0.1;
const LEAST_FAILING = 2;

/**
 * Gaps where rules compare, and more than a tenth of all cases, or of the part of a rule, fail and are not compared: they
 * were added, or were changed and passed before.
 */
export function failingUncompared(looked: Looked): readonly Gap[] {
  const comparing = looked.rules.filter(({ isWarning, test, value }) => {
    return !isWarning && (test.by !== "number" || countsYesNo(value));
  });
  if (comparing.length === 0 || looked.allowances.allows("unmatched")) return [];
  const ofAll = tooManyFailing(looked, comparing);
  if (ofAll.length > 0) return ofAll;
  const parts = Map.groupBy(comparing.filter(isOfPart), ({ filters }) => partText(filters));
  return [...parts.values()].flatMap((rules) => tooManyFailing(looked, rules, rules[0]?.filters));
}

/** Of the cases that these rules are about: those of a part, where one is named. */
function tooManyFailing(looked: Looked, rules: readonly Rule[], filters: readonly RuleFilter[] = []): readonly Gap[] {
  const { now } = looked;
  const { allows } = looked.allowances;
  const failing = failingCases(
    looked,
    rules.flatMap((rule) => {
      const asked = askedBy(rule, looked);
      return asked.length > 0 ? asked : [{ metric: undefined, filters: rule.filters }];
    }),
  );
  const added = allows("added") ? [] : failing.added;
  const changed = allows("changed") ? [] : failing.changed;
  const count = added.length + changed.length;
  const all = countIn(now, partOf(looked, filters).hasNow);
  if (count < LEAST_FAILING || count <= MOST_FAILING * all) return [];
  const reasons = [
    ...(added.length > 0 ? [`${countText(added.length)} ${added.length === 1 ? "was" : "were"} added`] : []),
    ...(changed.length > 0 ? [`${countText(changed.length)} passed before with other inputs or expected outputs`] : []),
  ];
  const inPart = filters.length === 0 ? "" : ` in the part [${partText(filters) ?? ""}]`;
  const { pairing } = looked;
  const unmatched = pairing.added.length + pairing.removed.length + pairing.changed.now.length;
  return gapOf("failing-uncompared", casesAt([...added, ...changed]), looked, (cases) => {
    return `${countOf(cases, "case")} of ${countText(all)}${inPart} ${cases === 1 ? "fails" : "fail"} and cannot be compared, as ${reasons.join(", and ")} (a rule such as \`unmatched <= ${String(unmatched)}\` allows it)`;
  });
}

/**
 * Sentences on parts whose cases the baseline has and this run lost: a count of none says nothing. For rules that bind they
 * are gaps, and for those that warn warnings.
 */
export function lostParts(looked: Looked, of: "binding" | "warning"): readonly string[] {
  const { now, baseline, rules } = looked;
  if (!baseline) return [];
  const asked = rules.filter((rule) => rule.isWarning === (of === "warning") && isOfPart(rule));
  const parts = new Map(asked.map(({ filters }) => [partText(filters), filters]));
  return [...parts].flatMap(([text = "", filters]) => {
    const { hasNow, hasBaseline } = partOf(looked, filters);
    const before = countIn(baseline, hasBaseline);
    if (before === 0 || countIn(now, hasNow) > 0) return [];
    return `The baseline has ${countOf(before, "case")} in the part [${text}], and this run has none, so that no rule about it can be judged.`;
  });
}

function isOfPart({ filters }: Rule): boolean {
  return filters.length > 0;
}

/** A yes/no score that a rule is about, in its part; undefined where only errors make a case fail. */
interface Asked {
  readonly metric: string | undefined;
  readonly filters: readonly RuleFilter[];
}

/** The yes/no scores of a rule: its metric, or all that its counter looks at. */
export function askedBy({ value, filters }: Rule, sides: Sides): readonly Asked[] {
  if (value.of === "metric") return isYesNo(sides, value.metric) ? [{ metric: value.metric, filters }] : [];
  return countsYesNo(value) ? yesNoIn(sides).map((metric) => ({ metric, filters })) : [];
}

export function yesNoIn(sides: Sides): readonly string[] {
  return [...sides.now.metrics.keys()].filter((metric) => isYesNo(sides, metric));
}

/** True for a score that is yes/no on either side: a partial score on the other does not hide what failed outright. */
function isYesNo({ now, baseline }: Sides, metric: string): boolean {
  return now.metrics.has(metric) && [now, baseline].some((set) => set?.metrics.get(metric)?.kind === "binary");
}

/**
 * The cases that are not compared and fail, by their places now; of those that were changed, the ones that passed before.
 * A case fails where more than half of its rows do, of those with the score or an error.
 */
function failingCases(sides: Sides, asked: readonly Asked[]) {
  const { now, baseline, pairing } = sides;
  const tests = asked.map(({ metric, filters }) => {
    const { hasNow } = partOf(sides, filters);
    const worst = Number(now.metrics.get(metric ?? "")?.direction === "lower");
    const countNow = rowCounts(now, metric, worst);
    const countBefore = baseline && rowCounts(baseline, metric, worst);
    return {
      failsNow: (at: number) => {
        const { failing, known } = hasNow(at) ? countNow(at) : NO_COUNTS;
        return 2 * failing > known;
      },
      // A case without the score, and without an error, did not fail.
      passedBefore: (at: number) => {
        if (!countBefore) return false;
        const { passing, known } = countBefore(at);
        return known === 0 || 2 * passing > known;
      },
    };
  });
  const { added, changed } = pairing;
  return {
    added: [...added].filter((at) => tests.some(({ failsNow }) => failsNow(at))),
    changed: [...changed.now].filter((at, index) => {
      const before = changed.baseline[index] ?? 0;
      return tests.some(({ failsNow, passedBefore }) => failsNow(at) && passedBefore(before));
    }),
  };
}

const NO_COUNTS = { failing: 0, passing: 0, known: 0 };

/** How many rows of a case fail, how many pass, and of how many either is known: by their yes/no score, or by an error. */
function rowCounts(set: CaseSet, metric: string | undefined, worst: number) {
  const { first, hasError, unmeasured } = columnsOf(set);
  const values = metric !== undefined && set.metrics.has(metric) ? valuesIn(set, metric) : undefined;
  return (at: number) => {
    const counts = { ...NO_COUNTS };
    for (let trial = first(at); trial < first(at + 1); trial++) {
      if (unmeasured(trial) !== undefined) continue;
      // Where only errors count, a row without one passes.
      const value = values ? (values[trial] ?? Number.NaN) : 1 - worst;
      if (hasError(trial) || !Number.isNaN(value)) counts.known += 1;
      if (hasError(trial) || value === worst) counts.failing += 1;
      else if (value === 1 - worst) counts.passing += 1;
    }
    return counts;
  };
}
