import { countOf, countText } from "../../text/number.ts";
import { nameList, printable, quoted } from "../../text/quoted.ts";
import { LATENCY, type CaseSet, type MetricFacts, type RunOfCases } from "../cases/case-set.ts";
import type { Counter, Rule } from "../gates/rule.ts";
import type { CaseCounts, CaseLists, Gap, ListedCase } from "../judgement.ts";
import { columnOf } from "./values.ts";

/** What may have gaps. */
export interface Looked {
  readonly now: CaseSet;
  readonly baseline: CaseSet | undefined;
  readonly lists: CaseLists;
  readonly counts: CaseCounts;
  readonly rules: readonly Rule[];
  /** True where the two sides share a case. */
  readonly isShared: boolean;
}

/** What keeps a judgement from being whole: rules that need not be written. They fail closed. */
export function findGaps({ now, baseline, lists, counts, rules, isShared }: Looked): readonly Gap[] {
  const gaps: Gap[] = [];
  const allows = (...counters: readonly Counter[]) =>
    rules.some(({ value }) => value.of === "counter" && counters.includes(value.counter));
  if (now.cases.length === 0) {
    gaps.push({ kind: "no-rows", message: "The results have no rows." });
    return gaps;
  }
  if (!now.run.isComplete) {
    gaps.push({ kind: "run-not-ended", message: "A result file says that its run did not end." });
  }
  if (baseline === undefined) return gaps;
  if (!isShared) {
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
  const compared = rules.flatMap(({ value, test }) =>
    value.of === "metric" && test.by !== "number" ? value.metric : [],
  );
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
  if (counts.removed > 0 && !allows("unmatched")) {
    const verb = counts.removed === 1 ? "has" : "have";
    gaps.push({
      kind: "missing-cases",
      message: `${countOf(counts.removed, "case")} of the baseline ${verb} no row now: ${namesOf(lists.removed, counts.removed)}.`,
    });
  }
  if (counts.missing > 0 && !allows("missing_scores", "errors", "error_rate")) {
    const verb = counts.missing === 1 ? "lacks" : "lack";
    gaps.push({
      kind: "missing-scores",
      message: `${countOf(counts.missing, "case")} ${verb} a score that the baseline has: ${namesOf(lists.missing, counts.missing)}.`,
    });
  }
  return gaps;
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
function namesOf(cases: readonly ListedCase[], count: number): string {
  const names = [...new Set(cases.map(({ name }) => printable(name)))].slice(0, MOST_NAMES);
  const more = count - names.length;
  return more > 0 ? `${names.join(", ")} and ${countText(more)} more` : names.join(", ");
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
