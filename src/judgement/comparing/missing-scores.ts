import { MEASURES, type Baseline, type CaseSet } from "../cases/case-set.ts";
import { columnsOf } from "../cases/stored-case.ts";
import { measuredRows, scoredRows, valuesIn } from "../cases/trial-list.ts";
import { countsYesNo, type Rule } from "../gates/rule.ts";
import { list, listCases, type EntryList, type Sides } from "./case-lists.ts";
import type { Looked } from "./gap.ts";
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

/** Which are looked for in this run, and which in the baseline. */
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
  if (baseline && pairing) {
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
