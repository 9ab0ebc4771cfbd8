import type { Judgement, ListedCase } from "../../../../src/judgement/judgement.ts";
import { listsOf, countTexts, restOf, valuesText, type NamedList } from "../../../../src/judgement/words/cases.ts";
import { metricCells, metricNotes, ORIGIN, runText, type RunFact } from "../../../../src/judgement/words/metrics.ts";
import { ageText } from "../../../../src/judgement/words/numbers.ts";
import { outcomeText } from "../../../../src/judgement/words/outcomes.ts";
import { ENDINGS, endingOf, STATUSES } from "../../../../src/judgement/words/standing.ts";
import { countOf, countText } from "../../../../src/text/number.ts";
import { markdownTable } from "../../../account/markdown.ts";
import type { MarkdownPen } from "../../../account/markdown-pen.ts";
import { warningsPart } from "../../../account/summary.ts";
import type { Against } from "../events.ts";

/** A judgement, and what it was made against. */
export interface Shown {
  readonly judgement: Judgement;
  readonly against: Against;
}

/** What is told of a judgement, and by whom. */
export interface Telling extends Shown {
  readonly warnings: readonly string[];
  /** The page of the workflow run. */
  readonly runUrl: string | undefined;
  readonly pen: MarkdownPen;
}

type Place = "comment" | "summary";

/** The parts of a judgement as markdown that show in one place, the most important first. Empty parts leave nothing. */
export function accountOf(place: Place, telling: Telling): readonly string[] {
  return PARTS.flatMap(([shows, part]) => (shows === "both" || shows === place ? part(telling, ROOM[place]) : []));
}

type Part = (telling: Telling, room: Room) => readonly string[] | string;

const PARTS: readonly (readonly [shows: Place | "both", part: Part])[] = [
  [
    "both",
    ({ judgement: { headlineParts, status }, pen }) =>
      `### ${STATUSES[status].sign} ${pen.sentence(headlineParts.first)}`,
  ],
  ["both", ({ judgement: { headlineParts }, pen }) => pen.sentence(headlineParts.rest)],
  // The first one is in the headline.
  [
    "both",
    ({ judgement: { gaps }, pen }) =>
      gaps
        .slice(1)
        .map(({ message }) => `- ${pen.sentence(message)}`)
        .join("\n"),
  ],
  ["both", ({ warnings, pen }, room) => warningsPart(warnings, pen, room.warnings)],
  ["both", metricsTable],
  ["summary", notesList],
  ["both", rulesTable],
  ["both", caseLists],
  ["summary", factsTable],
  ["comment", footer],
];

/** How much of a table is shown. */
interface TableRoom {
  readonly rows: number;
  /** Bytes of UTF-8. */
  readonly bytes: number;
}

interface Room {
  /** Bytes of UTF-8. */
  readonly warnings: number | undefined;
  readonly metrics: TableRoom;
  readonly rules: TableRoom;
  /** Of each list; in a comment, whose reader looks at few, of those that got worse together. */
  readonly cases: TableRoom & { readonly isOfHarm: boolean };
}

const ROOM: Readonly<Record<Place, Room>> = {
  // Together they stay below what a summary may have: a part that does not fit would be left out as a whole.
  summary: {
    warnings: undefined,
    metrics: { rows: 100, bytes: 150_000 },
    rules: { rows: 200, bytes: 200_000 },
    cases: { rows: 200, bytes: 45_000, isOfHarm: false },
  },
  comment: {
    warnings: 8_000,
    metrics: { rows: 20, bytes: 14_000 },
    rules: { rows: 20, bytes: 18_000 },
    cases: { rows: 10, bytes: 12_000, isOfHarm: true },
  },
};

/** The metrics, those of rules first: now and before with their limits, the change with its limits, and the verdict. */
function metricsTable({ judgement: { metrics, rules, baseline }, pen }: Telling, room: Room): string {
  const isAlone = baseline === undefined;
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
  return fittingTable(
    head.slice(0, width),
    rows.map((row) => row.slice(0, width)),
    room.metrics,
  );
}

const MOST_NOTES = 20;

function notesList({ judgement: { metrics }, pen }: Telling): string {
  const notes = metrics.flatMap(metricNotes);
  const lines = notes.slice(0, MOST_NOTES).map((note) => `- ${pen.sentence(note)}`);
  const rest = notes.length - lines.length;
  return [...lines, ...(rest > 0 ? [`- and ${countText(rest)} more`] : [])].join("\n");
}

/** The rules, those that do not hold first. */
function rulesTable({ judgement: { rules }, pen }: Telling, room: Room): string {
  const order = Object.keys(ENDINGS);
  const sorted = rules.toSorted((a, b) => order.indexOf(endingOf(a)) - order.indexOf(endingOf(b)));
  const rows = sorted.map((outcome) => {
    return [ENDINGS[endingOf(outcome)].sign, pen.code(outcome.rule.text), pen.sentence(outcomeText(outcome))];
  });
  return fittingTable(["", "Rule", "Found"], rows, room.rules);
}

/** The lists of cases, closed at first. */
function caseLists({ judgement, pen }: Telling, { cases: room }: Room): readonly string[] {
  let left = room.rows;
  return listsOf(judgement).flatMap((list) => {
    if (room.isOfHarm && (!list.isHarm || left <= 0)) return [];
    const table = casesTable(list, pen, { ...room, rows: left });
    if (room.isOfHarm) left -= list.cases.length;
    return [pen.details(`${list.title} (${countText(list.count)})`, table)];
  });
}

/** A list of cases, each with the place of its first row. */
function casesTable(list: NamedList, pen: MarkdownPen, room: TableRoom): string {
  const { cases } = list;
  const hasValues = cases.some(({ metric }) => metric !== undefined);
  const rows = cases.slice(0, room.rows).map((listed) => {
    const { name, metric = "", place } = listed;
    const at = place === undefined ? "" : pen.code(`${place.file}${lineOf(place)}`);
    return hasValues ? [pen.code(name), pen.text(metric), pen.text(valuesText(listed)), at] : [pen.code(name), at];
  });
  const head = hasValues ? ["Case", "Metric", "Before → now", "Where"] : ["Case", "Where"];
  return fittingTable(head, rows, room, (shown) => restOf(list, shown));
}

function lineOf({ line, row }: NonNullable<ListedCase["place"]>): string {
  if (line !== undefined) return `:${String(line)}`;
  return row === undefined ? "" : `, row ${String(row)}`;
}

/** What was compared, in as many facts as are known of a side. */
function factsTable({ judgement, against, runUrl, pen }: Telling): string {
  const { now, baseline } = judgement;
  const { age, anchors } = against;
  const rows = ROWS.flatMap(([title, of]) => {
    const cells = [of(now), baseline && of(baseline)].map((cell) => (cell === undefined ? "" : pen.text(cell)));
    return cells.join("") === "" ? [] : [[title, ...cells]];
  });
  if (baseline !== undefined)
    rows.push(["Runs", "1", countText(baseline.runs)], ["Files", "", pen.names(baseline.sources, 5)]);
  if (age !== undefined) rows.push(["Age", "", ageText(age)]);
  return [
    markdownTable(baseline === undefined ? ["", "Now"] : ["", "Now", "Baseline"], rows),
    baseline === undefined ? `Baseline: ${pen.sentence(baselineText({ judgement, against }))}` : "",
    anchors.length === 0 ? "" : `Anchor: ${pen.names(anchors, 5)}`,
    runLink(runUrl, pen),
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

function footer({ judgement, against, runUrl, pen }: Telling): string {
  const counts = countTexts(listsOf(judgement));
  return [
    counts.length === 0 ? "" : `Cases: ${counts.join(", ")}`,
    `Baseline: ${pen.sentence(baselineText({ judgement, against }))}`,
    runLink(runUrl, pen),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function runLink(runUrl: string | undefined, pen: MarkdownPen): string {
  return runUrl === undefined ? "" : `Workflow run: ${pen.link(runUrl)}`;
}

/** The baseline in a line, or why it is missing. */
export function baselineText({ judgement: { baseline, now, leftOut }, against: { patterns, age } }: Shown): string {
  if (baseline !== undefined) {
    const runs = `${someOf(baseline.sources)}: ${countOf(baseline.runs, "run")}, ${runText(baseline)}`;
    return age === undefined ? runs : `${runs}, ${ageText(age)} old`;
  }
  if (now.isReset === true) return "none (`baseline: reset` starts a new one)";
  if (patterns.length === 0) return "none (the input `baseline` is not set)";
  if (leftOut !== undefined) return `none (the runs in ${someOf(patterns)} are left out)`;
  return `none yet (no earlier run in ${someOf(patterns)})`;
}

const MOST_SOURCES = 3;

export function someOf(names: readonly string[]): string {
  const more = names.length - MOST_SOURCES;
  return `${names.slice(0, MOST_SOURCES).join(", ")}${more > 0 ? ` and ${String(more)} more` : ""}`;
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
