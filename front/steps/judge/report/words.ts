import { placeText, type FilePlace } from "../../../../src/files/json/errors.ts";
import type {
  CaseLists,
  GateStatus,
  Judgement,
  ListedCase,
  MeasuredRun,
  MetricJudgement,
  RuleOutcome,
} from "../../../../src/judgement/judgement.ts";
import { badgesOf, endingOf, type Ending } from "../../../../src/judgement/standing.ts";
import {
  ageText,
  changeText,
  comparisonText,
  directionText,
  levelText,
  nameOf,
  neededText,
  pText,
  sharedText,
  sizeText,
  valueText,
} from "../../../../src/judgement/words.ts";
import { countOf, countText } from "../../../../src/text/number.ts";
import { withoutFullStop } from "../../../../src/text/reasons.ts";
import type { Against } from "../events.ts";

/** A judgement, and what it was made against. */
export interface Shown {
  readonly judgement: Judgement;
  readonly against: Against;
}

/** How a status looks at a glance. */
export const STATUS_SIGNS: Readonly<Record<GateStatus, string>> = {
  passed: "✅",
  failed: "❌",
  warned: "⚠️",
  bootstrap: "⚠️",
  incomplete: "❌",
  none: "ℹ️",
};

const MARKS = { broken: "✗", open: "?", warns: "!", "not judged": "–", holds: "✓" } as const satisfies Record<
  Ending,
  string
>;

/** How a rule came out, in one character. */
export function markOf(outcome: RuleOutcome): string {
  return MARKS[endingOf(outcome)];
}

/** What was found by a rule, its verdict, and what would decide: `…: inconclusive; about 770 cases would decide`. */
export function outcomeText({ found, verdict, needed, advice, holds }: RuleOutcome): string {
  // `x needs a baseline` says it already.
  const said = verdict === "no rule" || verdict === "not compared" ? "" : `: ${verdict}`;
  const decide = needed === undefined ? "" : `; ${neededText(needed)} would decide`;
  return `${found}${said}${decide}${advice === undefined || holds === true ? "" : `. ${withoutFullStop(advice)}`}`;
}

/** A broken rule or a gap as an annotation. */
export interface Annotation {
  readonly title: string;
  readonly sentence: string;
  readonly place: FilePlace | undefined;
}

/** The annotation of a rule that does not hold. */
export function annotationOf(outcome: RuleOutcome): Annotation {
  const { rule, found, needed, places, advice } = outcome;
  const decide = [
    ...(needed === undefined ? [] : [`${capital(neededText(needed))} would decide.`]),
    ...(advice === undefined ? [] : [advice]),
  ]
    .map((sentence) => ` ${sentence}`)
    .join("");
  const sentence = `${found}. The rule is \`${rule.text}\`.${decide}`;
  return { title: titleOf(outcome), sentence, place: places[0] };
}

function titleOf({ rule, verdict }: RuleOutcome): string {
  if (verdict === "regressed") return "Regressed";
  if (verdict === "incomplete") return "Incomplete";
  return rule.test.by === "not-worse" ? "Not proven harmless" : "Rule broken";
}

/** The annotations of a red judgement: one a gap, one a broken rule. */
export function errorsOf({ gaps, rules, status, headline }: Judgement): readonly Annotation[] {
  const found = [
    ...gaps.map(({ message }) => ({ title: "Incomplete", sentence: message, place: undefined })),
    ...rules.filter(({ rule, holds }) => holds === false && !rule.isWarning).map(annotationOf),
  ];
  // Without a baseline no rule is broken, and none was judged.
  return status === "failed" && found.length === 0
    ? [{ title: "No baseline", sentence: headline, place: undefined }]
    : found;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The cells of a metric: now, baseline, change, p; each empty where it is not known. */
export interface MetricCells {
  readonly name: string;
  /** Which direction is better. */
  readonly better: string;
  readonly now: string;
  readonly baseline: string;
  readonly change: string;
  readonly p: string;
  readonly verdict: string;
}

export function metricCells(judged: MetricJudgement, rules: readonly RuleOutcome[]): MetricCells {
  const { metric, facts, now, baseline, comparison, adjustedP } = judged;
  const level = (side: MetricJudgement["now"]) =>
    side === undefined ? "" : levelText(metric, side.mean, side.interval);
  const p = adjustedP ?? comparison?.p;
  return {
    name: nameOf(judged),
    better: directionText(facts),
    now: level(now),
    baseline: level(baseline),
    change: comparison === undefined ? "" : comparisonText(facts, comparison),
    p: p === undefined ? "" : pText(p),
    verdict: badgesOf(judged, rules)
      .map(({ text }) => text)
      .join(", "),
  };
}

/** What else is known of a metric, a clause each: the noise of the baseline, and what missing scores may hide. */
export function metricNotes(judged: MetricJudgement): readonly string[] {
  const { facts, comparison, noise, ifMissing } = judged;
  if (comparison === undefined) return [];
  const text = (change: number) => changeText(facts, comparison.scale, change);
  const shared = sharedText(judged);
  return [
    ...(shared === undefined ? [] : [`the change is ${shared}`]),
    ...(noise === undefined ? [] : [`two runs of the baseline differ by up to ${text(noise).replace(/^\+/, "")}`]),
    ...(ifMissing === undefined
      ? []
      : [`${text(ifMissing.worst)} to ${text(ifMissing.best)} with the worst or best for each missing score`]),
  ].map((note) => `${nameOf(judged)}: ${note}`);
}

/** A run in a line: `100 cases × 3 trials, 2 errors, commit 4f1c09a on main`. */
export function runText({ cases, trials, errors, commit, ref }: MeasuredRun): string {
  return [
    sizeText(cases, trials),
    ...(errors === 0 ? [] : [countOf(errors, "error")]),
    ...(commit === undefined ? [] : [`commit ${commit.slice(0, 7)}${ref === undefined ? "" : ` on ${ref}`}`]),
  ].join(", ");
}

const MOST_SOURCES = 3;

/** The baseline in a line, or why it is missing. */
export function baselineText({ judgement: { baseline, now, leftOut }, against: { patterns, age } }: Shown): string {
  if (baseline === undefined) {
    if (now.isReset === true) return "none (`baseline: reset` starts a new one)";
    if (patterns.length === 0) return "none (the input `baseline` is not set)";
    if (leftOut !== undefined) return `none (the runs in ${someOf(patterns)} are left out)`;
    return `none yet (no earlier run in ${someOf(patterns)})`;
  }
  return [
    `${someOf(baseline.sources)}: ${countOf(baseline.runs, "run")}`,
    runText(baseline),
    ...(age === undefined ? [] : [`${ageText(age)} old`]),
  ].join(", ");
}

export function someOf(names: readonly string[]): string {
  const more = names.length - MOST_SOURCES;
  return `${names.slice(0, MOST_SOURCES).join(", ")}${more > 0 ? ` and ${String(more)} more` : ""}`;
}

/** A list of cases, with what it is called. */
export interface NamedList {
  readonly title: string;
  /** The first of them, each with one metric. */
  readonly cases: readonly ListedCase[];
  /** How many cases there are, each once. */
  readonly count: number;
}

const LISTS: readonly (readonly [list: keyof CaseLists, title: string])[] = [
  ["newlyFailing", "Newly failing"],
  ["newlyFlaky", "Newly flaky"],
  ["worse", "Worse"],
  ["errors", "With an error"],
  ["missing", "Without a score now"],
  ["removed", "Only in the baseline"],
  ["fixed", "Fixed"],
  ["changed", "Changed, not compared"],
  ["added", "Only now"],
];

/** The lists that have cases, in the order in which they matter. */
export function listsOf({ cases, counts }: Judgement): readonly NamedList[] {
  return LISTS.map(([list, title]) => ({ title, cases: cases[list], count: counts[list] })).filter(
    ({ count }) => count > 0,
  );
}

/** The values of a case: `1 → 0`; empty for a case as a whole. */
export function valuesText({ metric, now, baseline }: ListedCase): string {
  if (metric === undefined) return "";
  const text = (value: number | undefined) => (value === undefined ? "none" : valueText(metric, value));
  if (baseline === undefined) return text(now);
  return `${text(baseline)} → ${text(now)}`;
}

/** A case in the log: `refund: correct 1 → 0 (results.jsonl, line 12)`. */
export function caseText(listed: ListedCase): string {
  const { name, metric, place } = listed;
  const what = metric === undefined ? "" : `: ${metric} ${valuesText(listed)}`;
  return `${name}${what}${place === undefined ? "" : ` (${placeText(place)})`}`;
}

/** How many cases each list has: `12 newly failing`, `2 fixed`. */
export function countTexts(lists: readonly NamedList[]): readonly string[] {
  return lists.map(({ title, count }) => `${countText(count)} ${title.charAt(0).toLowerCase()}${title.slice(1)}`);
}

/** How many cases of a list are not shown, where each is shown once. */
export function restOf({ cases, count }: NamedList, shown: number): number {
  return count - new Set(cases.slice(0, shown).map(({ key }) => key)).size;
}
