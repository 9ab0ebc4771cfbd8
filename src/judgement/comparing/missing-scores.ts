import { knownRange, type Extremes } from "../../statistics/known-range.ts";
import { MEASURES, type Baseline, type CaseSet, type MetricFacts } from "../cases/case-set.ts";
import { boundsOf } from "../cases/metric-facts.ts";
import { columnsOf, measuredRows, scoredRows, valuesIn, withValues } from "../cases/stored-case.ts";
import { countsYesNo, type Rule } from "../gates/rule.ts";
import { list, listCases, type EntryList, type Sides } from "./case-lists.ts";
import type { Looked } from "./gap.ts";
import { factsOf, seenIn } from "./metric-kind.ts";
import { pairCases } from "./pairing.ts";
import { partOf } from "./part.ts";
import { columnOf } from "./values.ts";

/** The trials without a score that should have one, by their numbers. */
export interface MissingScores {
  /** Of this run, for a rule about its level: by what the row says, or because the baseline has the score. */
  readonly level: readonly number[];
  /** Of this run, where the baseline has the score of the case. */
  readonly lost: readonly number[];
  /** Of the baseline, where this run has the score of the case. */
  readonly before: readonly number[];
}

/** Which missing scores are looked for: all, those of rows without an error, or none. */
export type Sought = "all" | "unexplained" | "none";

export interface SoughtSides {
  readonly now: Sought;
  readonly before: Sought;
  /** True where a rule allows times, costs and tokens of the baseline to be missing. */
  readonly allowsMeasures?: boolean;
}

export const ALL: SoughtSides = { now: "all", before: "all" };

export function missingScores(sides: Sides, metric: string, sought: SoughtSides): MissingScores {
  const { now, baseline, pairing } = sides;
  const lists = columnsOf(now);
  const measured = measuredRows(now);
  const values = valuesIn(now, metric);
  const isMeasure = MEASURES.has(metric);
  // A row that failed took no time that counts: that is a warning.
  const isLeft = (trial: number) =>
    lists.unmeasured(trial) !== undefined || ((sought.now !== "all" || isMeasure) && lists.hasError(trial));
  const isAllowed = isMeasure ? sought.allowsMeasures === true : sought.now === "none";
  const isLost = new Uint8Array(now.cases.length);
  const before: number[] = [];
  if (baseline) {
    const [ours, theirs] = [columnOf(now, metric), columnOf(baseline, metric)];
    const earlier = columnsOf(baseline);
    const valuesBefore = valuesIn(baseline, metric);
    const { pairs } = pairing;
    for (let index = 0; index < pairs.now.length; index++) {
      const at = pairs.now[index] ?? 0;
      const from = pairs.baseline[index] ?? 0;
      const after = ours.means[at] ?? Number.NaN;
      const ahead = theirs.means[from] ?? Number.NaN;
      if (!Number.isNaN(ahead)) {
        if (isMeasure && !Number.isNaN(after)) continue;
        const first = lists.first(at);
        const end = lists.first(at + 1);
        let lacking = 0;
        for (let trial = first; trial < end; trial++) if (Number.isNaN(values[trial]) && !isLeft(trial)) lacking += 1;
        isLost[at] = Number(lacking / (measured[at] ?? 0) > (theirs.missing?.[from] ?? 0) + SAME);
      } else if (!Number.isNaN(after) && !isMeasure && sought.before !== "none") {
        for (let trial = earlier.first(from); trial < earlier.first(from + 1); trial++) {
          const isSkipped = sought.before === "unexplained" && earlier.hasError(trial);
          if (!isSkipped && Number.isNaN(valuesBefore[trial]) && saysMissing(baseline, trial, metric))
            before.push(trial);
        }
      }
    }
  }
  const [level, lost]: [number[], number[]] = [[], []];
  for (let at = 0; at < now.cases.length && !isAllowed; at++) {
    for (let trial = lists.first(at); trial < lists.first(at + 1); trial++) {
      if (!Number.isNaN(values[trial]) || isLeft(trial)) continue;
      if (isLost[at] === 1) lost.push(trial);
      // A row without a time, a cost or tokens may have none: the answer came from a cache.
      if (!isMeasure && (isLost[at] === 1 || saysMissing(now, trial, metric))) level.push(trial);
    }
  }
  return { level, lost, before };
}

/** True where the row itself says that a score without a number should be there: other scores without it may not apply to it. */
export function saysMissing(set: CaseSet, trial: number, metric: string): boolean {
  const { unmeasured, hasError, unscored } = columnsOf(set);
  if (unmeasured(trial) !== undefined) return false;
  return hasError(trial) || scoredRows(set)[trial] !== 1 || unscored(trial)?.includes(metric) === true;
}

// As close as shares are compared: they are stored in 32 bits.
const SAME = 1e-6;

/** True where the values of the metric decide on the rule. */
export function looksAt({ value }: Rule, metric: string, { now, baseline }: Sides): boolean {
  if (value.of === "metric") return value.metric === metric;
  return countsYesNo(value) && [now, baseline].some((set) => set?.metrics.get(metric)?.kind === "binary");
}

/** The cases without a score that the baseline has, and that no rule which binds looks at: those are judged with both ends. */
export function unjudgedScores(looked: Looked): EntryList {
  const { rules, allowances } = looked;
  const binding = rules.filter(({ isWarning }) => !isWarning);
  const allowsErrors = allowances.allows("errors", "error_rate");
  const unexplained = new Map<string, Set<number>>();
  const casesWithout = (metric: string) => {
    const known = unexplained.get(metric) ?? casesOf(missingScores(looked, metric, UNEXPLAINED).lost, looked.now);
    unexplained.set(metric, known);
    return known;
  };
  return list(function* () {
    for (const entry of listCases(looked).missing) {
      const { metric = "", at } = entry;
      if (MEASURES.has(metric) || (allowsErrors && !casesWithout(metric).has(at))) continue;
      const isJudged = binding.some((rule) => {
        return looksAt(rule, metric, looked) && partOf(looked, rule.filters).hasNow(at);
      });
      if (!isJudged) yield entry;
    }
  });
}

const UNEXPLAINED: SoughtSides = { now: "unexplained", before: "none" };

export function casesOf(trials: readonly number[], set: CaseSet): Set<number> {
  const { first } = columnsOf(set);
  const cases = new Set<number>();
  let at = 0;
  for (const trial of trials) {
    while (first(at + 1) <= trial) at += 1;
    cases.add(at);
  }
  return cases;
}

/** The largest count of one run of the baseline: a limit is about one run, however many are pooled. */
export function mostInOneRun({ runs }: Baseline, countIn: (run: CaseSet) => number): number {
  return Math.max(0, ...runs.map(countIn));
}

/** How many scores that the baseline lacks are missing in one of its runs at most. */
export function missingInOneRun(baseline: Baseline, missing: ReadonlyMap<string, MissingScores>): number {
  const lacking = [...missing].map(([metric, { before }]) => [metric, casesOf(before, baseline)] as const);
  if (lacking.every(([, cases]) => cases.size === 0)) return 0;
  return mostInOneRun(baseline, (run) => {
    const trials = columnsOf(run);
    const { pairs } = pairCases(baseline, run);
    let count = 0;
    for (const [metric, cases] of lacking) {
      const values = valuesIn(run, metric);
      for (const [index, place] of pairs.now.entries()) {
        if (!cases.has(place)) continue;
        const from = pairs.baseline[index] ?? 0;
        for (let trial = trials.first(from); trial < trials.first(from + 1); trial++) {
          if (Number.isNaN(values[trial]) && saysMissing(run, trial, metric)) count += 1;
        }
      }
    }
    return count;
  });
}

/** The least and the largest value that a missing score may have. */
export interface Ends {
  readonly low: number;
  readonly high: number;
  /** False where nothing bounds the values on that side: the number stands for one that is larger than any other. */
  readonly isLowKnown: boolean;
  readonly isHighKnown: boolean;
}

/** The two sides with each missing score at an end. Where nothing is missing, they are the same as they were. */
export type FilledSides = ReturnType<typeof filledSides>;

/** Fills the missing scores of these metrics: for levels `low` and `high`, of this run alone, for changes the others. */
export function filledSides(sides: Sides, metrics: Iterable<string>, sought: SoughtSides) {
  const { now, baseline } = sides;
  const [missing, ends] = [new Map<string, MissingScores>(), new Map<string, Ends>()];
  const fills = { low: fill(now), high: fill(now), worst: fill(now), best: fill(now) };
  const before = baseline && { worst: fill(baseline), best: fill(baseline) };
  for (const metric of metrics) {
    const found = missingScores(sides, metric, sought);
    if (found.level.length + found.lost.length + found.before.length === 0) continue;
    const facts = factsOf(now.metrics.get(metric), baseline?.metrics.get(metric));
    const { low, high, ...known } = endsOf(facts, seenIn([now, baseline], metric));
    missing.set(metric, found);
    ends.set(metric, { low, high, ...known });
    const [bad, good] = facts.direction === "higher" ? [low, high] : [high, low];
    fills.low.put(metric, found.level, low);
    fills.high.put(metric, found.level, high);
    // At worst, what this run lost is as bad as it may be, and what the baseline lacks as good.
    fills.worst.put(metric, found.lost, bad);
    fills.best.put(metric, found.lost, good);
    before?.worst.put(metric, found.before, good);
    before?.best.put(metric, found.before, bad);
  }
  const whole = (set: CaseSet | undefined) => baseline && set && { ...baseline, ...set };
  return {
    low: fills.low.filled(),
    high: fills.high.filled(),
    worst: { now: fills.worst.filled(), baseline: whole(before?.worst.filled()) },
    best: { now: fills.best.filled(), baseline: whole(before?.best.filled()) },
    missing,
    ends,
  };
}

/** Beyond all that was seen, and small enough to add up. */
const BEYOND = 1e6;

function endsOf(facts: MetricFacts, seen: Extremes): Ends {
  const { kind, direction } = facts;
  const bounds = boundsOf(facts);
  if (bounds) return { ...bounds, isLowKnown: true, isHighKnown: true };
  const { least, most } = seen;
  // The ratio to 0 is not a number.
  if (kind === "positive") {
    const { high = most * BEYOND } = facts;
    return { low: least / BEYOND, high, isLowKnown: true, isHighKnown: facts.high !== undefined };
  }
  if (knownRange(seen).kind === "signed share") return { low: -1, high: 1, isLowKnown: true, isHighKnown: true };
  const beyond = BEYOND * Math.max(1, Math.abs(least), Math.abs(most));
  // Marks and percentages begin at 0; a loss such as the perplexity may have any range.
  const isFloored = least >= 0 && direction === "higher";
  return { low: isFloored ? 0 : -beyond, high: beyond, isLowKnown: isFloored, isHighKnown: false };
}

/** Values that stand in for missing ones. */
function fill(set: CaseSet) {
  const replaced = new Map<string, Float64Array>();
  return {
    put: (metric: string, trials: readonly number[], value: number): void => {
      if (!set.metrics.has(metric) || trials.length === 0) return;
      const values = Float64Array.from(valuesIn(set, metric));
      for (const trial of trials) values[trial] = value;
      replaced.set(metric, values);
    },
    filled: () => withValues(set, replaced),
  };
}
