import type { Judgement, RuleOutcome } from "../../../../src/judgement/judgement.ts";
import { caseText, countTexts, listsOf, restOf } from "../../../../src/judgement/words/cases.ts";
import { metricCells, metricNotes, runText } from "../../../../src/judgement/words/metrics.ts";
import { annotationOf, errorsOf, outcomeText } from "../../../../src/judgement/words/outcomes.ts";
import { ENDINGS, endingOf, STATUSES } from "../../../../src/judgement/words/standing.ts";
import { bytesText } from "../../../../src/text/bytes.ts";
import type { ForeignText } from "../../../../src/text/foreign-text.ts";
import { countText } from "../../../../src/text/number.ts";
import { firstOf, longGroup, type Block } from "../../../account/part.ts";
import { readLines, rowRemarks } from "../../../account/results-words.ts";
import { COMMON_LINES, type LogTable } from "../../../account/step-log.ts";
import type { JudgeEvent } from "../events.ts";
import { baselineText, someOf } from "./account.ts";
import type { JudgeFacts, Shown } from "./facts.ts";

/** The log of a judgement: what was read, a line a metric, a line a rule, and what was written. */
export const LINES: LogTable<JudgeEvent, JudgeFacts> = {
  ...COMMON_LINES,
  read: ({ results, milliseconds }) => [
    ...readLines(results, milliseconds),
    { label: "Notes", items: rowRemarks(results) },
  ],
  judged: (shown, { text }) => judgedLines(shown, text),
  written: ({ what, path, bytes }) => ({ label: TITLES[what], text: `${path}, ${bytesText(bytes)}` }),
};

const TITLES = { report: "Report", comment: "Comment", snapshot: "Snapshot", judgement: "Judgement" } as const;

const MOST_METRICS = 30;

function judgedLines({ judgement, against }: Shown, text: ForeignText): readonly Block[] {
  const { now, metrics, rules, gaps } = judgement;
  const { anchors } = against;
  const lists = listsOf(judgement);
  const all = metrics.map((metric) => {
    const { name, better, now: level, baseline, change, p, verdict } = metricCells(metric, rules);
    const parts = [level || "none", baseline && `baseline ${baseline}`, change, p, verdict, `better: ${better}`];
    return `${name} ${parts.filter((part) => part !== "").join(" · ")}`;
  });
  return [
    { label: "Cases", text: runText(now) },
    { label: "Baseline", text: baselineText({ judgement, against }) },
    { label: "Anchor", lines: anchors.length === 0 ? [] : [someOf(anchors)] },
    {
      label: "Metrics",
      lines: firstOf(all, MOST_METRICS),
    },
    ...(all.length > MOST_METRICS ? [longGroup("Metrics", all)] : []),
    { label: "", lines: metrics.slice(0, MOST_METRICS).flatMap(metricNotes) },
    { label: "Rules", lines: rules.length === 0 ? ["none; nothing was judged"] : ruleLines(rules, text) },
    { label: "Gaps", lines: gaps.map(({ message }) => message) },
    { label: "Changes", items: countTexts(lists) },
    ...lists.map((list) => {
      const left = restOf(list, list.cases.length);
      const more = left > 0 ? [`and ${countText(left)} more`] : [];
      return { group: `${list.title} (${countText(list.count)})`, lines: [...list.cases.map(caseText), ...more] };
    }),
    ...annotationsOf(judgement),
  ];
}

// A longer rule does not push what was found out of sight.
const WIDEST_RULE = 48;

function ruleLines(rules: readonly RuleOutcome[], text: ForeignText): readonly string[] {
  const texts = rules.map(({ rule }) => text.line(rule.text));
  const width = Math.min(WIDEST_RULE, Math.max(...texts.map(({ length }) => length)));
  return rules.map((outcome, index) => {
    return `${ENDINGS[endingOf(outcome)].mark} ${(texts[index] ?? "").padEnd(width)}  ${outcomeText(outcome)}`;
  });
}

// A runner keeps ten annotations of a type for each step; one is left for other writers in this step.
const MOST_ERRORS = 9;

/** One annotation for each gap and each rule that does not hold; the lines above have those that no runner keeps. */
function annotationsOf(judgement: Judgement): readonly Block[] {
  const errors = STATUSES[judgement.status].isRed ? errorsOf(judgement).slice(0, MOST_ERRORS) : [];
  const warned = judgement.rules.filter(({ holds, rule }) => holds === false && rule.isWarning).map(annotationOf);
  return [
    ...errors.map(({ title, sentence, place }) => ({ error: sentence, frame: { ...place, title } })),
    ...warned.map(({ title, sentence, place }) => ({ warning: sentence, frame: { ...place, title } })),
  ];
}
