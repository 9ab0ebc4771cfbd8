import type { Judgement } from "../../../../src/judgement/judgement.ts";
import { countTexts, listsOf, restOf, valuesText, type NamedList } from "../../../../src/judgement/words/cases.ts";
import {
  metricCells,
  metricNotes,
  ORIGIN,
  runText,
  unmeasuredText,
  type RunFact,
} from "../../../../src/judgement/words/metrics.ts";
import { ageText } from "../../../../src/judgement/words/numbers.ts";
import { outcomeText } from "../../../../src/judgement/words/outcomes.ts";
import { ENDINGS, endingOf, STATUSES } from "../../../../src/judgement/words/standing.ts";
import { countOf, countText } from "../../../../src/text/number.ts";
import { nameList } from "../../../../src/text/quoted.ts";
import { markdownTable } from "../../../account/markdown.ts";
import type { MarkdownPen } from "../../../account/markdown-pen.ts";
import {
  everywhere,
  firstOf,
  inComment,
  inLog,
  inSummary,
  onPages,
  type Account,
  type Block,
} from "../../../account/part.ts";
import { joined, warningsPart } from "../../../account/account.ts";
import type { JudgeFacts, Shown } from "./facts.ts";
import { gateFaultLines, judgeFailure } from "./failure.ts";

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

export function someOf(names: readonly string[]): string {
  return nameList(names, 3);
}

interface TableRoom {
  readonly rows: number;
  /** Bytes of UTF-8. */
  readonly bytes: number;
}

/** The metrics, those of rules first: now and before with their limits, the change with its limits, and the verdict. */
function metricsTable({ metrics, rules, baseline }: Judgement, pen: MarkdownPen, room: TableRoom): string {
  const isAlone = !baseline;
  const all = metrics.map((metric) => metricCells(metric, rules));
  const rows = all.map(({ name, better, now, baseline: before, change, p, verdict }) => {
    const others = isAlone ? [now, verdict] : [now, before, change, p.replace(/^p /, ""), verdict];
    // A column more would push the verdict out of a narrow page.
    return [`${pen.text(name)}<br>_better: ${pen.text(better)}_`, ...others.map((cell) => pen.text(cell))];
  });
  const head = isAlone
    ? ["Metric", "Now (95 %)", ""]
    : ["Metric", "Now (95 %)", "Baseline (95 %)", "Change (95 %)", "p", "Verdict"];
  // Without a baseline only a broken rule says more.
  const width = isAlone && all.every(({ verdict }) => verdict === "") ? 2 : head.length;
  const narrow = rows.map((row) => row.slice(0, width));
  return fittingTable(head.slice(0, width), narrow, room);
}

function rulesTable({ rules }: Judgement, pen: MarkdownPen, room: TableRoom): string {
  const order = Object.keys(ENDINGS);
  const sorted = rules.toSorted((a, b) => order.indexOf(endingOf(a)) - order.indexOf(endingOf(b)));
  const rows = sorted.map((outcome) => {
    return [ENDINGS[endingOf(outcome)].sign, pen.code(outcome.rule.text), pen.sentence(outcomeText(outcome))];
  });
  return fittingTable(["", "Rule", "Found"], rows, room);
}

/** A list of cases, closed at first, each with the place of its first row. */
function casesTable(list: NamedList, pen: MarkdownPen, room: TableRoom): Block {
  const { title, cases, count } = list;
  const hasValues = cases.some(({ metric }) => metric !== undefined);
  const rows = cases.slice(0, room.rows).map((listed) => {
    const { name, metric = "", place } = listed;
    const row = place?.row === undefined ? "" : `, row ${String(place.row)}`;
    const line = place?.line === undefined ? row : `:${String(place.line)}`;
    const at = place ? pen.code(`${place.file}${line}`) : "";
    return hasValues ? [pen.code(name), pen.text(metric), pen.text(valuesText(listed)), at] : [pen.code(name), at];
  });
  const head = hasValues ? ["Case", "Metric", "Before → now", "Where"] : ["Case", "Where"];
  const table = fittingTable(head, rows, room, (shown) => restOf(list, shown));
  return { details: `${title} (${countText(count)})`, body: [{ written: table }] };
}

/** A table of as many whole rows as there is room for, and the count of the others; empty without rows. */
function fittingTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { rows: mostRows, bytes }: TableRoom,
  restAfter = (shown: number): number => rows.length - shown,
): string {
  if (rows.length === 0) return "";
  let left = bytes;
  const shown: (readonly string[])[] = [];
  for (const row of rows.slice(0, mostRows)) {
    // With ` | ` between two cells, and the ends of the line.
    left -= row.reduce((sum, cell) => sum + Buffer.byteLength(cell) + 3, 4);
    if (left < 0) break;
    shown.push(row);
  }
  const rest = restAfter(shown.length);
  if (shown.length === 0) return `${countText(rest)} rows, which are too long to be shown here`;
  const table = markdownTable(head, shown);
  return rest > 0 ? `${table}\n\nand ${countText(rest)} more` : table;
}
