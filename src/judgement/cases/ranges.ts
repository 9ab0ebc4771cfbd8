import { ResultFaults } from "../../experiments/reading/result-faults.ts";
import type { FilePlace } from "../../files/json/errors.ts";
import { atEnd, isOutside } from "../../statistics/known-range.ts";
import type { Range } from "../../statistics/mean.ts";
import { quotedName } from "../../text/quoted.ts";
import { MEASURES, type Baseline, type CaseSet, type GivenRanges, type MetricFacts } from "./case-set.ts";
import { declaredRange, isSameRange, rangeText, widest, withRange } from "./metric-facts.ts";
import { scoreKey, scoreName } from "./metric-key.ts";
import { UNDONE } from "./one-run.ts";
import { columnsOf, valuesIn, withValues } from "./stored-case.ts";

/**
 * Settles where the values of each metric lie, for both sides together; `own` are the results with the ranges that are given
 * or that they declare themselves, as their snapshot has them. A value that rounding brought over an end is set to it.
 * Throws ResultsError with all values that are outside.
 */
export function rangedSides(
  { results, baseline }: { readonly results: CaseSet; readonly baseline: Baseline | undefined },
  given: GivenRanges = new Map(),
  what: "anchor" | "baseline" = "baseline",
) {
  const warnings: string[] = [];
  const [own, other, both] = [new Map<string, Range>(), new Map<string, Range>(), new Map<string, Range>()];
  for (const metric of new Set([...results.metrics.keys(), ...(baseline?.metrics.keys() ?? [])])) {
    const [ours, theirs] = [rangeIn(results, metric), rangeIn(baseline, metric)];
    const stated = rangeFor(metric, results, given);
    const mine = stated ?? ours;
    if (mine) own.set(metric, mine);
    const its = stated ?? theirs;
    if (its) other.set(metric, its);
    const range = stated ?? (ours && theirs ? widest(ours, theirs) : (ours ?? theirs));
    if (range) both.set(metric, range);
    warnings.push(...differing(metric, stated, ours, theirs));
  }
  const faults = new ResultFaults(ADVICE, UNDONE);
  const [source = "baseline", ...others] = baseline?.sources ?? [];
  const ofBaseline = { source: others.length === 0 ? source : "baseline", own: other, whose: ` of the ${what}` };
  const ranged = {
    own: withRanges(results, own),
    results: withRanges(results, both, { faults, source: "results", own, whose: "" }),
    baseline: baseline && {
      ...baseline,
      ...withRanges(baseline, both, { faults, ...ofBaseline }),
    },
    warnings,
  };
  faults.throwIfAny();
  return ranged;
}

const ADVICE = "Correct the value, or the range.";

function rangeIn(set: CaseSet | undefined, metric: string): Range | undefined {
  const facts = set?.metrics.get(metric);
  return facts && declaredRange(facts);
}

/** The range that is given for a metric: a bare name is what was measured, or else the score of this name. */
function rangeFor(metric: string, { metrics }: CaseSet, given: GivenRanges): Range | undefined {
  const exact = given.get(metric);
  if (exact) return exact;
  const name = scoreName(metric);
  const isOtherThere = MEASURES.has(name) && name !== metric && metrics.has(name);
  return isOtherThere || scoreKey(name) !== metric ? undefined : given.get(name);
}

/** Sentences on two sources that declare other ranges. */
function differing(metric: string, stated?: Range, ours?: Range, theirs?: Range): readonly string[] {
  const begin = `The range of ${quotedName(metric)} is`;
  const other = [ours, theirs].find((each) => each && stated && !isSameRange(each, stated));
  if (stated && other) {
    const where = other === ours ? "the files" : "the baseline";
    return [`${begin} ${rangeText(stated)} as given, and ${rangeText(other)} in ${where}: the given one counts.`];
  }
  if (stated || !ours || !theirs || isSameRange(ours, theirs)) return [];
  const counting = rangeText(widest(ours, theirs));
  return [`${begin} ${rangeText(ours)}, and ${rangeText(theirs)} in the baseline: ${counting} counts.`];
}

interface Checked {
  readonly faults: ResultFaults;
  /** What a place without a file is called. */
  readonly source: string;
  /** The ranges that hold for this side, which may be narrower than those of both. */
  readonly own: ReadonlyMap<string, Range>;
  /** Behind the name of a case. */
  readonly whose: string;
}

/** A set whose metrics have these ranges, with values near an end at it. */
function withRanges(set: CaseSet, ranges: ReadonlyMap<string, Range>, checked?: Checked): CaseSet {
  if (ranges.size === 0) return set;
  const metrics = new Map<string, MetricFacts>();
  const replaced = new Map<string, Float64Array>();
  for (const [metric, facts] of set.metrics) {
    const range = ranges.get(metric);
    metrics.set(metric, range ? withRange(metric, facts, range) : facts);
    if (!range) continue;
    const values = valuesIn(set, metric);
    if (checked) noteOutside(set, metric, checked.own.get(metric) ?? range, checked);
    const settled = values.map((value) => atEnd(value, range));
    if (settled.some((value, trial) => value !== values[trial] && !Number.isNaN(value))) replaced.set(metric, settled);
  }
  return withValues({ ...set, metrics }, replaced);
}

function noteOutside(set: CaseSet, metric: string, range: Range, { faults, source, whose }: Checked): void {
  const values = valuesIn(set, metric);
  if (!values.some((value) => isOutside(value, range))) return;
  const trials = columnsOf(set);
  const found: { readonly place: FilePlace; readonly message: string }[] = [];
  let at = 0;
  for (const one of set.cases) {
    for (let trial = trials.first(at); trial < trials.first(at + 1); trial++) {
      const value = values[trial] ?? Number.NaN;
      if (!isOutside(value, range)) continue;
      const message = `the case ${quotedName(one.name)}${whose} has ${String(value)} for ${quotedName(metric)}, outside of its range ${rangeText(range)}`;
      found.push({ place: trials.placeOf(trial) ?? { file: source }, message });
    }
    at += 1;
  }
  // Cases are in the order of their keys, and a reader looks for the first row.
  found.sort(({ place: a }, { place: b }) => {
    if (a.file !== b.file) return a.file < b.file ? -1 : 1;
    return (a.line ?? a.row ?? 0) - (b.line ?? b.row ?? 0);
  });
  for (const { place, message } of found) faults.add(place, message);
}
