import { countOf, countText } from "../../text/number.ts";
import { nameList, printable, quoted } from "../../text/quoted.ts";
import {
  LATENCY,
  MEASURES,
  type Baseline,
  type CaseSet,
  type MetricFacts,
  type RunOfCases,
} from "../cases/case-set.ts";
import { trialCount, usualTrials } from "../cases/stored-case.ts";
import type { Counter, Rule } from "../gates/rule.ts";
import type { Gap, ListedCase } from "../judgement.ts";
import { caseOf, countOnce, shown, type Entries, type Entry, type EntryList, type ListedSides } from "./case-lists.ts";
import { columnOf } from "./values.ts";

/** What may have gaps. */
export interface Looked extends ListedSides {
  readonly entries: Entries;
  readonly rules: readonly Rule[];
}

/** What keeps a judgement from being whole: rules that need not be written. They fail closed. */
export function findGaps(looked: Looked): readonly Gap[] {
  const { now, baseline, entries, pairing, rules } = looked;
  const gaps: Gap[] = [];
  const allows = (...counters: readonly Counter[]) => isLimited(rules, counters);
  const gap = (kind: Gap["kind"], list: EntryList, message: (cases: number) => string) => {
    const cases = countOnce(list, looked);
    if (cases > 0) gaps.push({ kind, message: `${message(cases)}: ${namesOf(list, cases, looked)}.` });
  };
  if (now.cases.length === 0) {
    gaps.push({ kind: "no-rows", message: "The results have no rows." });
    return gaps;
  }
  if (!now.run.isComplete) {
    gaps.push({ kind: "run-not-ended", message: "A result file says that its run did not end." });
  }
  if (baseline === undefined || pairing === undefined) return gaps;
  if (pairing.pairs.now.length === 0) {
    gaps.push({
      kind: "nothing-shared",
      message: `The results and the baseline share no case${unnamedDataset(now.run, baseline.run)}.`,
    });
    return gaps;
  }
  const [atOnce, before] = [now.run.concurrency, baseline.run.concurrency];
  const comparesLatency = rules.some(({ value, test }) => {
    return test.by !== "number" && value.of === "metric" && value.metric === LATENCY;
  });
  if (comparesLatency && atOnce !== undefined && before !== undefined && atOnce !== before) {
    gaps.push({
      kind: "other-concurrency",
      message: `Latencies cannot be compared: the baseline was measured with ${countOf(before, "case")} at once, and this run with ${countText(atOnce)}.`,
    });
  }
  const compared = rules.flatMap((rule) => metricOnScale(rule, baseline) ?? []);
  const rescaled = [...new Set(compared)].filter((metric) => hasOtherScale(now, baseline, metric));
  if (rescaled.length > 0) {
    gaps.push({
      kind: "other-scale",
      message: `Scores on two scales cannot be compared: one run has them from 0 to 1, and the other above 1: ${nameList(rescaled)}.`,
    });
  }
  const lost = [...baseline.metrics.keys()].filter((metric) => !now.metrics.has(metric));
  if (lost.length > 0) {
    gaps.push({
      kind: "lost-metric",
      message: `${lost.length === 1 ? "A metric" : countOf(lost.length, "metric")} of the baseline ${lost.length === 1 ? "is" : "are"} missing now: ${nameList(lost)}.`,
    });
  }
  const hasOrHave = (cases: number) => (cases === 1 ? "has" : "have");
  if (!allows("unmatched")) {
    gap(
      "missing-cases",
      entries.removed,
      (cases) => `${countOf(cases, "case")} of the baseline ${hasOrHave(cases)} no row now`,
    );
  }
  const { pairs, changed } = pairing;
  if (changed.now.length > pairs.now.length && !allows("unmatched")) {
    gap(
      "changed-cases",
      entries.changed,
      (cases) =>
        `Only ${countOf(pairs.now.length, "case")} can be compared: ${countText(cases)} ${hasOrHave(cases)} other inputs or expected outputs than in the baseline`,
    );
  }
  if (!allows("missing_scores")) {
    const lost = lostScores(looked, allows("errors", "error_rate"));
    gap("missing-scores", lost, (cases) => {
      return `${countOf(cases, "case")} ${cases === 1 ? "lacks" : "lack"} a score that the baseline has (a rule such as \`missing_scores <= ${String(cases)}\` allows it)`;
    });
  }
  if (!allows("rows")) {
    gap("missing-trials", { [Symbol.iterator]: () => lostTrials(looked, baseline) }, (cases) => {
      return `${countOf(cases, "case")} ${hasOrHave(cases)} fewer rows than in the baseline, and than other cases of this run (a rule about \`rows\` allows it)`;
    });
  }
  return gaps;
}

/** True where a rule says how many there may be of all cases. One that only warns, or is about a part, allows nothing. */
export function isLimited(rules: readonly Rule[], counters: readonly Counter[]): boolean {
  return rules.some(({ value, filters, isWarning }) => {
    return value.of === "counter" && counters.includes(value.counter) && filters.length === 0 && !isWarning;
  });
}

/**
 * The cases without a score that the baseline has. Times, costs and tokens count where a rule names them; and where errors
 * are allowed, a score that is missing in rows with an error does not.
 */
function lostScores({ now, baseline, pairing, entries, rules }: Looked, allowsErrors: boolean): EntryList {
  const named = new Set(rules.flatMap(({ value }) => (value.of === "metric" ? value.metric : [])));
  const places = new Map([...now.metrics.keys()].map((metric, place) => [metric, place]));
  // Where the baseline has a case of now: a map would take as much as the scores.
  const pairOf = new Uint32Array(allowsErrors ? now.cases.length : 0);
  if (allowsErrors && pairing !== undefined) {
    for (const [index, at] of pairing.pairs.now.entries()) pairOf[at] = pairing.pairs.baseline[index] ?? 0;
  }
  const isUnexplained = (metric: string, entry: Entry) => {
    const place = places.get(metric) ?? -1;
    const trials = caseOf(entry, { now, baseline })?.trials ?? [];
    const lacking = trials.filter(({ hasError, values }) => !hasError && Number.isNaN(values[place] ?? Number.NaN));
    const before = baseline && columnOf(baseline, metric).missing?.[pairOf[entry.at] ?? 0];
    return lacking.length / trials.length > (before ?? 0) + SAME;
  };
  return {
    *[Symbol.iterator]() {
      for (const entry of entries.missing) {
        const { metric = "" } = entry;
        const isMeant = !MEASURES.has(metric) || named.has(metric);
        if (isMeant && (!allowsErrors || isUnexplained(metric, entry))) yield entry;
      }
    },
  };
}

// As close as shares are compared: they are stored in 32 bits.
const SAME = 1e-6;

/**
 * The cases of which rows are lost: they have fewer than is usual in this run, and had at least as many as is usual in the
 * baseline. A run that has fewer of every case was made so, and a case that was tried once more is no measure.
 */
function* lostTrials({ now, pairing }: Looked, baseline: Baseline): Generator<Entry> {
  const usual = usualTrials(now.cases);
  if (pairing === undefined || usual === 1) return;
  const usualBefore = Math.max(...baseline.runs.map(({ cases }) => usualTrials(cases)));
  const { pairs } = pairing;
  for (let index = 0; index < pairs.now.length; index++) {
    const at = pairs.now[index] ?? 0;
    const [one, other] = [now.cases.at(at), baseline.cases.at(pairs.baseline[index] ?? 0)];
    if (one === undefined || other === undefined) continue;
    // The trials of pooled runs add up.
    const before = Math.round(trialCount(other) / baseline.runs.length);
    if (trialCount(one) < Math.min(usual, before) && before >= usualBefore) {
      yield { at, isOfBaseline: false, metric: undefined, now: Number.NaN, baseline: Number.NaN };
    }
  }
}

// The keys of the cases follow from the dataset, so a name on one side only makes all of them differ.
function unnamedDataset({ dataset: now }: RunOfCases, { dataset: before }: RunOfCases): string {
  const isNamed = ({ id, name }: RunOfCases["dataset"]) => id !== undefined || name !== undefined;
  if (isNamed(now) === isNamed(before)) return "";
  const [named, side, other] = isNamed(now) ? [now, "this run", "the baseline"] : [before, "the baseline", "this run"];
  return `: ${side} is of the dataset ${quoted(named.name ?? named.id ?? "")}, and ${other} names none`;
}

const MOST_NAMES = 5;

/** The first names, and how many more there are. */
function namesOf(list: EntryList, count: number, sides: ListedSides): string {
  const cases: readonly ListedCase[] = shown(list, sides);
  const names = [...new Set(cases.map(({ name }) => printable(name)))].slice(0, MOST_NAMES);
  const more = count - names.length;
  return more > 0 ? `${names.join(", ")} and ${countText(more)} more` : names.join(", ");
}

/** The metric of a rule that compares with the baseline, or that any score above 1 would meet, as `accuracy >= 0.9`. */
function metricOnScale({ value, test }: Rule, { metrics }: CaseSet): string | undefined {
  if (value.of !== "metric") return undefined;
  if (test.by !== "number") return value.metric;
  const facts = metrics.get(value.metric);
  const isLeast = (test.operator === ">=" || test.operator === ">") && test.number.value <= 1;
  return isLeast && facts !== undefined && isShare(facts) ? value.metric : undefined;
}

/**
 * True where one run has a score from 0 to 1 and the other has it above 1 in most cases, as where 0.85 became 85. A count
 * may fall from 3 to 1: whole numbers are on another scale only where they grew, and more is better.
 */
function hasOtherScale(now: CaseSet, baseline: CaseSet, metric: string): boolean {
  const [ours, theirs] = [now.metrics.get(metric), baseline.metrics.get(metric)];
  if (ours === undefined || theirs === undefined || isShare(ours) === isShare(theirs)) return false;
  const [small, large] = isShare(ours) ? [now, baseline] : [baseline, now];
  const { means } = columnOf(large, metric);
  const [above, all] = [countWhere(means, (mean) => mean > 1), countWhere(means, (mean) => !Number.isNaN(mean))];
  if (above * 2 <= all) return false;
  const isWhole = columnOf(small, metric).means.every((mean) => Number.isNaN(mean) || Number.isInteger(mean));
  return !isWhole || (large === now && ours.direction === "higher");
}

function isShare({ kind, low = 0, high = 1 }: MetricFacts): boolean {
  return (kind === "binary" || kind === "bounded") && low >= 0 && high <= 1;
}

function countWhere(numbers: Float64Array, test: (number: number) => boolean): number {
  let count = 0;
  for (const number of numbers) if (test(number)) count += 1;
  return count;
}
