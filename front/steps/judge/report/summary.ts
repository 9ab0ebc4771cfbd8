import type { Judgement } from "../../../../src/judgement/judgement.ts";
import { listsOf, type NamedList } from "../../../../src/judgement/words/cases.ts";
import { metricNotes, ORIGIN, type RunFact } from "../../../../src/judgement/words/metrics.ts";
import { ageText } from "../../../../src/judgement/words/numbers.ts";
import { STATUSES } from "../../../../src/judgement/words/standing.ts";
import { ForeignText } from "../../../../src/text/foreign-text.ts";
import { countText } from "../../../../src/text/number.ts";
import { markdownTable } from "../../../account/markdown.ts";
import { MarkdownPen } from "../../../account/markdown-pen.ts";
import { failureParts, summaryText, warningsPart, type SummaryOptions } from "../../../account/summary.ts";
import type { JudgeFacts } from "./facts.ts";
import { gateFaultLines, judgeFailure } from "./failure.ts";
import { casesTable, metricsTable, rulesTable, type TableRoom } from "./tables.ts";
import { baselineText, type Shown } from "./words.ts";

const NO_END = "### Judgement: the run did not finish";
// Together they stay below what a summary may have: a part that does not fit would be left out as a whole.
const METRICS: TableRoom = { rows: 100, bytes: 150_000 };
const RULES: TableRoom = { rows: 200, bytes: 200_000 };
const LIST: TableRoom = { rows: 200, bytes: 45_000 };
const MOST_NOTES = 20;

/**
 * The job summary of a judgement as markdown: what happened and what to do, the metrics, the rules, the cases that changed,
 * closed at first, and what was compared. It ends with a line break.
 */
export function summaryOf(facts: JudgeFacts, { redact, runUrl, limitBytes }: SummaryOptions = {}): string {
  const text = new ForeignText(redact);
  const pen = new MarkdownPen(text);
  const error = facts.ended?.error;
  const shown = facts.judged;
  if (error !== undefined) {
    const lines = gateFaultLines(error).map((line) => text.lines(line).join(" "));
    const caret = lines.length === 0 ? "" : pen.copied(lines);
    return summaryText(
      [...failureParts(judgeFailure(error), undefined, pen), caret, warningsPart(facts.warnings, pen)],
      limitBytes,
    );
  }
  if (shown === undefined) return summaryText([NO_END, warningsPart(facts.warnings, pen)], limitBytes);
  return summaryText(
    [
      ...headParts(shown.judgement, pen),
      gapsPart(shown.judgement, pen),
      warningsPart(facts.warnings, pen),
      metricsTable(shown.judgement, pen, METRICS),
      notesPart(shown.judgement, pen),
      rulesTable(shown.judgement, pen, RULES),
      ...listParts(shown.judgement, pen),
      factsTable(shown, runUrl, pen),
    ],
    limitBytes,
  );
}

/** What happened as a heading, and what to do. */
export function headParts({ headlineParts, status }: Judgement, pen: MarkdownPen): readonly string[] {
  const { first, rest } = headlineParts;
  return [`### ${STATUSES[status].sign} ${pen.sentence(first)}`, pen.sentence(rest)];
}

/** What is missing; the first one is in the headline. */
export function gapsPart({ gaps }: Judgement, pen: MarkdownPen): string {
  return gaps
    .slice(1)
    .map(({ message }) => `- ${pen.sentence(message)}`)
    .join("\n");
}

function notesPart({ metrics }: Judgement, pen: MarkdownPen): string {
  const notes = metrics.flatMap(metricNotes);
  const rest = notes.length - MOST_NOTES;
  return [
    ...notes.slice(0, MOST_NOTES).map((note) => `- ${pen.sentence(note)}`),
    ...(rest > 0 ? [`- and ${countText(rest)} more`] : []),
  ].join("\n");
}

function listParts(judgement: Judgement, pen: MarkdownPen): readonly string[] {
  return listsOf(judgement).map((list) => listPart(list, pen, LIST));
}

/** A list of cases, closed at first. */
export function listPart(list: NamedList, pen: MarkdownPen, room: TableRoom): string {
  return pen.details(`${list.title} (${countText(list.count)})`, casesTable(list, pen, room));
}

/** What was compared, in as many facts as are known of a side. */
function factsTable(shown: Shown, runUrl: string | undefined, pen: MarkdownPen): string {
  const { now, baseline } = shown.judgement;
  const { age, anchors } = shown.against;
  const rows = ROWS.flatMap(([title, of]) => {
    const cells = [of(now), baseline && of(baseline)].map((cell) => (cell === undefined ? "" : pen.text(cell)));
    return cells.join("") === "" ? [] : [[title, ...cells]];
  });
  if (baseline !== undefined)
    rows.push(["Runs", "1", countText(baseline.runs)], ["Files", "", pen.names(baseline.sources, 5)]);
  if (age !== undefined) rows.push(["Age", "", ageText(age)]);
  return [
    markdownTable(baseline === undefined ? ["", "Now"] : ["", "Now", "Baseline"], rows),
    baseline === undefined ? `Baseline: ${pen.sentence(baselineText(shown))}` : "",
    anchors.length === 0 ? "" : `Anchor: ${pen.names(anchors, 5)}`,
    runUrl === undefined ? "" : `Workflow run: ${pen.link(runUrl)}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const ROWS: readonly RunFact[] = [
  ["Dataset", ({ dataset: { name, id } }) => name ?? id],
  ["Cases", ({ cases }) => countText(cases)],
  ["Trials", ({ trials }) => countText(trials)],
  ["Errors", ({ errors }) => countText(errors)],
  ...ORIGIN,
  ["Concurrency", ({ concurrency }) => (concurrency === undefined ? undefined : countText(concurrency))],
  [
    "Measured (UTC)",
    ({ created, isCreatedUnsure }) => (isCreatedUnsure === true ? undefined : created.slice(0, 16).replace("T", " ")),
  ],
];
