import { countOf, countText } from "../../text/number.ts";
import { nameList, quoted } from "../../text/quoted.ts";
import { LATENCY, type RunOfCases } from "../cases/case-set.ts";
import { ACCEPT_BY_RESET, type Gap } from "../judgement.ts";
import type { EntryList } from "./case-lists.ts";
import { countOf as countIn } from "./counted.ts";
import { withoutScores } from "./coverage.ts";
import { gapOf, type Looked } from "./gap.ts";
import { unjudgedScores } from "./missing-scores.ts";
import { scaleGaps } from "./scale.ts";
import { rowGaps } from "./rows-of-cases.ts";
import { failingUncompared, lostParts } from "./survivors.ts";

/** Gaps that come from the baseline, which one run can reset. */
const OF_BASELINE: ReadonlySet<Gap["kind"]> = new Set([
  ...(["changed-cases", "failing-uncompared", "lost-metric", "lost-part", "missing-cases", "missing-scores"] as const),
  ...(["missing-trials", "nothing-shared", "other-concurrency", "other-scale"] as const),
]);

/**
 * What keeps a judgement from being whole: rules that need not be written. They fail closed. A gap that comes from the
 * baseline says how to accept it: a wanted change is not incomplete for ever.
 */
export function findGaps(looked: Looked): readonly Gap[] {
  return allGaps(looked).map((gap) => {
    const isAcceptable = looked.baseline !== undefined && OF_BASELINE.has(gap.kind);
    return isAcceptable ? { ...gap, ...withAdvice(gap.message, ACCEPT_BY_RESET) } : gap;
  });
}

function withAdvice(found: string, advice: string): Pick<Gap, "message" | "parts"> {
  return { message: `${found} ${advice}`, parts: { found, advice } };
}

function allGaps(looked: Looked): readonly Gap[] {
  const { now, baseline, entries, pairing, rules } = looked;
  const gaps: Gap[] = [];
  const { allows } = looked.allowances;
  const gap = (kind: Gap["kind"], list: EntryList, message: (cases: number) => string) => {
    gaps.push(...gapOf(kind, list, looked, message));
  };
  if (now.cases.length === 0) {
    gaps.push({ kind: "no-rows", message: "The results have no rows." });
    return gaps;
  }
  if (!now.run.isComplete) {
    gaps.push({ kind: "run-not-ended", message: "A result file says that its run did not end." });
  }
  if (now.otherRun !== undefined) {
    gaps.push({
      kind: "other-run",
      ...withAdvice(
        now.otherRun,
        "Give the files of one run, or set `on-run-change: warn` (in the library, `onRunChange`).",
      ),
    });
  }
  gaps.push(...withoutScores(looked).gaps, ...scaleGaps(looked));
  if (baseline === undefined || pairing === undefined) return [...gaps, ...rowGaps(looked)];
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
  gaps.push(...lostParts(looked, "binding").map((message) => ({ kind: "lost-part" as const, message })));
  gaps.push(...failingUncompared(looked));
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
    gap("missing-scores", unjudgedScores(looked), (cases) => {
      const scores = countIn({ filters: [] }, "missing_scores", looked) ?? 0;
      return `${countOf(cases, "case")} ${cases === 1 ? "lacks" : "lack"} a score that the baseline has (a rule such as \`missing_scores <= ${String(scores)}\` allows it)`;
    });
  }
  gaps.push(...rowGaps(looked));
  return gaps;
}

// The keys of the cases follow from the dataset, so a name on one side only makes all of them differ.
function unnamedDataset({ dataset: now }: RunOfCases, { dataset: before }: RunOfCases): string {
  const isNamed = ({ id, name }: RunOfCases["dataset"]) => id !== undefined || name !== undefined;
  if (isNamed(now) === isNamed(before)) return "";
  const [named, side, other] = isNamed(now) ? [now, "this run", "the baseline"] : [before, "the baseline", "this run"];
  return `: ${side} is of the dataset ${quoted(named.name ?? named.id ?? "")}, and ${other} names none`;
}
