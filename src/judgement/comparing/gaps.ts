import { countOf, countText } from "../../text/number.ts";
import { nameList, quoted } from "../../text/quoted.ts";
import { LATENCY, type RunOfCases } from "../cases/case-set.ts";
import { shardFault } from "../cases/shards.ts";
import { rowCounts, unmeasuredIn } from "../cases/stored-case.ts";
import { countsYesNo } from "../gates/rule.ts";
import { ACCEPT_BY_RESET, type Gap } from "../judgement.ts";
import { unmeasuredText } from "../words/metrics.ts";
import { listCases } from "./case-lists.ts";
import { missingCount } from "./counted.ts";
import { unmeasuredErrors, withoutScores } from "./coverage.ts";
import { gapOf, hasOrHave, withAdvice, type Looked } from "./gap.ts";
import { unjudgedScores } from "./missing-scores.ts";
import { scaleGaps } from "./scale.ts";
import { rowGaps, rowWarnings } from "./rows-of-cases.ts";
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

function allGaps(looked: Looked): readonly Gap[] {
  const { now, baseline, pairing } = looked;
  if (now.cases.length === 0) return [{ kind: "no-rows", message: "The results have no rows." }];
  const { rows, unmeasured } = rowCounts(now);
  const ofRun: Gap[] = [];
  // An outage says nothing of the agent: all of its rows are never allowed.
  if (unmeasured === rows || !looked.allowances.allows("unmeasured")) {
    const kinds = unmeasuredText({ unmeasured: unmeasuredIn(now) });
    const allowing = unmeasured < rows ? `; a rule such as \`unmeasured <= ${String(unmeasured)}\` allows it` : "";
    const message = () =>
      `Nothing was measured in ${countText(unmeasured)} of ${countOf(rows, "row")} (${kinds}${allowing})`;
    ofRun.push(...gapOf("unmeasured", listCases(looked).unmeasured, looked, message));
  }
  // What else is missing follows from that.
  if (unmeasured === rows) return ofRun;
  ofRun.push(...gapsOfRun(looked));
  if (!baseline) return [...ofRun, ...rowGaps(looked)];
  if (pairing.pairs.now.length === 0) {
    const message = `The results and the baseline share no case${unnamedDataset(now.run, baseline.run)}.`;
    return [...ofRun, { kind: "nothing-shared", message }];
  }
  return [...ofRun, ...lostMeasures(looked, baseline), ...uncomparedCases(looked), ...rowGaps(looked)];
}

/** What the results lack by themselves. */
function gapsOfRun(looked: Looked): readonly Gap[] {
  const { now } = looked;
  const gaps: Gap[] = [];
  if (!now.run.isComplete) {
    gaps.push({ kind: "run-not-ended", message: "A result file says that its run did not end." });
  }
  const shards = shardFault(now.run.shards);
  if (shards !== "") gaps.push({ kind: "missing-shards", message: `The results are not whole: ${shards}.` });
  if (now.otherRun !== undefined) {
    const advice = "Give the files of one run, or set `on-run-change: warn` (in the library, `onRunChange`).";
    gaps.push({ kind: "other-run", ...withAdvice(now.otherRun, advice) });
  }
  return [...gaps, ...withoutScores(looked).gaps, ...scaleGaps(looked)];
}

/** Latencies that were measured in another way, and metrics that are not there any more. */
function lostMeasures({ now, rules }: Looked, baseline: NonNullable<Looked["baseline"]>): readonly Gap[] {
  const gaps: Gap[] = [];
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
  return gaps;
}

/** Cases of the baseline that are not compared: they have no row now, fail and are others than before, or have no score. */
function uncomparedCases(looked: Looked): readonly Gap[] {
  const { pairs, changed } = looked.pairing;
  const { allows } = looked.allowances;
  const lists = listCases(looked);
  const gaps: Gap[] = [];
  if (!allows("unmatched")) {
    const message = (cases: number) => `${countOf(cases, "case")} of the baseline ${hasOrHave(cases)} no row now`;
    gaps.push(...gapOf("missing-cases", lists.removed, looked, message));
  }
  gaps.push(...lostParts(looked, "binding").map((message) => ({ kind: "lost-part" as const, message })));
  gaps.push(...failingUncompared(looked));
  if (changed.now.length > pairs.now.length && !allows("unmatched")) {
    const [compared, of] = [countOf(pairs.now.length, "case"), "other inputs or expected outputs than in the baseline"];
    const message = (cases: number) =>
      `Only ${compared} can be compared: ${countText(cases)} ${hasOrHave(cases)} ${of}`;
    gaps.push(...gapOf("changed-cases", lists.changed, looked, message));
  }
  if (!allows("missing_scores")) {
    const message = (cases: number) => {
      const scores = missingCount(looked);
      return `${countOf(cases, "case")} ${cases === 1 ? "lacks" : "lack"} a score that the baseline has (a rule such as \`missing_scores <= ${String(scores)}\` allows it)`;
    };
    gaps.push(...gapOf("missing-scores", unjudgedScores(looked), looked, message));
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

/** Sentences on what no rule sees: nothing is missing, and yet a green judgement may say less than it seems to. */
export function blindSpots(looked: Looked): readonly string[] {
  const { now, baseline, rules } = looked;
  // Only a yes/no score fails.
  const kinds = [...now.metrics.values(), ...(baseline?.metrics.values() ?? [])].map(({ kind }) => kind);
  const idle = !baseline || kinds.includes("binary") ? [] : rules.filter(({ value }) => countsYesNo(value));
  return [
    ...withoutScores(looked).warnings,
    ...unmeasuredErrors(looked),
    ...idle.map(({ text }) => `The rule \`${text}\` holds for any results: no score has only the values 0 and 1.`),
    ...lostParts(looked, "warning"),
    ...rowWarnings(looked),
  ];
}
