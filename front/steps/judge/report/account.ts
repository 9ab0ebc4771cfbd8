import type { Judgement } from "../../../../src/judgement/judgement.ts";
import { countTexts, listsOf } from "../../../../src/judgement/words/cases.ts";
import { metricNotes, ORIGIN, runText, unmeasuredText, type RunFact } from "../../../../src/judgement/words/metrics.ts";
import { ageText } from "../../../../src/judgement/words/numbers.ts";
import { STATUSES } from "../../../../src/judgement/words/standing.ts";
import { countOf, countText } from "../../../../src/text/number.ts";
import { markdownTable } from "../../../account/markdown.ts";
import type { MarkdownPen } from "../../../account/markdown-pen.ts";
import { everywhere, firstOf, inComment, inLog, inSummary, onPages, type Account } from "../../../account/part.ts";
import { joined, warningsPart } from "../../../account/account.ts";
import type { JudgeFacts, Shown } from "./facts.ts";
import { gateFaultLines, judgeFailure } from "./failure.ts";
import { casesTable, metricsTable, rulesTable, type TableRoom } from "./tables.ts";

/** What happened and what to do, the metrics, the rules, the cases that changed, closed at first, and what was compared. */
export const account: Account<JudgeFacts> = ({ judged, warnings, ended }, { runUrl }, pen) => {
  const error = ended?.error;
  if (error) {
    return [
      ...everywhere({ failure: judgeFailure(error) }, { copied: gateFaultLines(error) }),
      ...onPages({ warnings }),
    ];
  }
  if (!judged) return onPages({ heading: "Judgement: the run did not finish" }, { warnings });
  const { headline, headlineParts, status, gaps } = judged.judgement;
  return [
    ...inLog({ label: "Verdict", text: headline }),
    ...onPages(
      { heading: `${STATUSES[status].sign} ${pen.sentence(headlineParts.first)}` },
      { sentence: headlineParts.rest },
      // The first one is in the headline.
      { list: gaps.slice(1).map(({ message }) => pen.sentence(message)) },
    ),
    ...inSummary(
      { warnings },
      { written: metricsTable(judged.judgement, pen, SUMMARY.metrics) },
      {
        list: firstOf(
          judged.judgement.metrics.flatMap(metricNotes).map((note) => pen.sentence(note)),
          MOST_NOTES,
        ),
      },
      { written: rulesTable(judged.judgement, pen, SUMMARY.rules) },
      ...listsOf(judged.judgement).map((list) => casesTable(list, pen, SUMMARY.cases)),
      { written: joined([...factsOf(judged, pen), runLink(runUrl, pen)]) },
    ),
    ...inComment(
      { written: warningsPart(warnings, pen, COMMENT.warningBytes) },
      { written: metricsTable(judged.judgement, pen, COMMENT.metrics) },
      { written: rulesTable(judged.judgement, pen, COMMENT.rules) },
      ...worseCases(judged.judgement, pen),
      { written: joined([...footerOf(judged, pen), runLink(runUrl, pen)]) },
    ),
  ];
};

// Together they stay below what a summary may have: a part that does not fit would be left out as a whole.
const SUMMARY = {
  metrics: { rows: 100, bytes: 150_000 },
  rules: { rows: 200, bytes: 200_000 },
  cases: { rows: 200, bytes: 45_000 },
} as const satisfies Record<string, TableRoom>;

const COMMENT = {
  warningBytes: 8_000,
  metrics: { rows: 20, bytes: 14_000 },
  rules: { rows: 20, bytes: 18_000 },
  // Of all lists together.
  cases: { rows: 10, bytes: 12_000 },
} as const;

const MOST_NOTES = 20;

/** The cases that got worse: a reader of a comment looks at no other, and at few. */
function worseCases(judgement: Judgement, pen: MarkdownPen) {
  let left: number = COMMENT.cases.rows;
  return listsOf(judgement).flatMap((list) => {
    if (!list.isHarm || left <= 0) return [];
    const part = casesTable(list, pen, { ...COMMENT.cases, rows: left });
    left -= list.cases.length;
    return [part];
  });
}

/** What was compared, in as many facts as are known of a side. */
function factsOf(shown: Shown, pen: MarkdownPen): readonly string[] {
  const { now, baseline } = shown.judgement;
  const { age, anchors } = shown.against;
  const rows = ROWS.flatMap(([title, of]) => {
    const cells = [of(now), baseline && of(baseline)].map((cell) => (cell === undefined ? "" : pen.text(cell)));
    return cells.join("") === "" ? [] : [[title, ...cells]];
  });
  if (baseline) rows.push(["Runs", "1", countText(baseline.runs)], ["Files", "", pen.names(baseline.sources, 5)]);
  if (age !== undefined) rows.push(["Age", "", ageText(age)]);
  return [
    markdownTable(baseline ? ["", "Now", "Baseline"] : ["", "Now"], rows),
    baseline ? "" : `Baseline: ${pen.sentence(baselineText(shown))}`,
    anchors.length === 0 ? "" : `Anchor: ${pen.names(anchors, 5)}`,
  ];
}

const ROWS: readonly RunFact[] = [
  ["Dataset", ({ dataset: { name, id } }) => name ?? id],
  ["Cases", ({ cases }) => countText(cases)],
  ["Trials", ({ trials }) => countText(trials)],
  ["Errors", ({ errors }) => countText(errors)],
  ["Not measured", (run) => unmeasuredText(run) || undefined],
  ...ORIGIN,
  ["Concurrency", ({ concurrency }) => (concurrency === undefined ? undefined : countText(concurrency))],
  [
    "Measured (UTC)",
    ({ created, isCreatedUnsure }) => (isCreatedUnsure === true ? undefined : created.slice(0, 16).replace("T", " ")),
  ],
];

function footerOf(shown: Shown, pen: MarkdownPen): readonly string[] {
  const counts = countTexts(listsOf(shown.judgement));
  return [counts.length === 0 ? "" : `Cases: ${counts.join(", ")}`, `Baseline: ${pen.sentence(baselineText(shown))}`];
}

function runLink(runUrl: string | undefined, pen: MarkdownPen): string {
  return runUrl === undefined ? "" : `Workflow run: ${pen.link(runUrl)}`;
}

/** The baseline in a line, or why it is missing. */
export function baselineText({ judgement: { baseline, now, leftOut }, against: { patterns, age } }: Shown): string {
  if (baseline) {
    const runs = `${someOf(baseline.sources)}: ${countOf(baseline.runs, "run")}, ${runText(baseline)}`;
    return age === undefined ? runs : `${runs}, ${ageText(age)} old`;
  }
  if (now.isReset === true) return "none (`baseline: reset` starts a new one)";
  if (patterns.length === 0) return "none (the input `baseline` is not set)";
  if (leftOut) return `none (the runs in ${someOf(patterns)} are left out)`;
  return `none yet (no earlier run in ${someOf(patterns)})`;
}

const MOST_SOURCES = 3;

export function someOf(names: readonly string[]): string {
  const more = names.length - MOST_SOURCES;
  return `${names.slice(0, MOST_SOURCES).join(", ")}${more > 0 ? ` and ${String(more)} more` : ""}`;
}
