import { countOf } from "../../text/number.ts";
import { nameList } from "../../text/quoted.ts";
import type { CaseSet } from "../cases/case-set.ts";
import type { Counter, Rule } from "../gates/rule.ts";
import type { CaseLists, Gap } from "../judgement.ts";

interface Looked {
  readonly now: CaseSet;
  readonly baseline: CaseSet | undefined;
  readonly lists: CaseLists;
  readonly rules: readonly Rule[];
  /** True where the two sides share a case. */
  readonly isShared: boolean;
}

/** What keeps a judgement from being whole: rules that need not be written. They fail closed. */
export function findGaps({ now, baseline, lists, rules, isShared }: Looked): readonly Gap[] {
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
    gaps.push({ kind: "nothing-shared", message: "The results and the baseline share no case." });
    return gaps;
  }
  const lost = [...baseline.metrics.keys()].filter((metric) => !now.metrics.has(metric));
  if (lost.length > 0) {
    gaps.push({
      kind: "lost-metric",
      message: `${lost.length === 1 ? "A metric" : countOf(lost.length, "metric")} of the baseline ${lost.length === 1 ? "is" : "are"} missing now: ${nameList(lost)}.`,
    });
  }
  if (lists.removed.length > 0 && !allows("unmatched")) {
    const names = nameList(lists.removed.map(({ name }) => name));
    gaps.push({
      kind: "missing-cases",
      message: `${countOf(lists.removed.length, "case")} of the baseline ${lists.removed.length === 1 ? "has" : "have"} no row now: ${names}.`,
    });
  }
  if (lists.missing.length > 0 && !allows("missing_scores", "errors", "error_rate")) {
    const names = nameList([...new Set(lists.missing.map(({ name }) => name))]);
    gaps.push({
      kind: "missing-scores",
      message: `${countOf(lists.missing.length, "score")} of the baseline ${lists.missing.length === 1 ? "is" : "are"} missing now, of ${names}.`,
    });
  }
  return gaps;
}
