import type { Judgement, ListedCase } from "../../../../src/judgement/judgement.ts";
import { restOf, valuesText, type NamedList } from "../../../../src/judgement/words/cases.ts";
import { metricCells } from "../../../../src/judgement/words/metrics.ts";
import { outcomeText } from "../../../../src/judgement/words/outcomes.ts";
import { ENDINGS, endingOf } from "../../../../src/judgement/words/standing.ts";
import { countText } from "../../../../src/text/number.ts";
import { markdownTable } from "../../../account/markdown.ts";
import type { MarkdownPen } from "../../../account/markdown-pen.ts";

/** How much of a table is shown. */
export interface TableRoom {
  readonly rows: number;
  /** Bytes of UTF-8. */
  readonly bytes: number;
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
    left -= sizeOf(row);
    if (left < 0) break;
    shown.push(row);
  }
  const rest = restAfter(shown.length);
  if (shown.length === 0) return `${countText(rest)} rows, which are too long to be shown here`;
  const table = markdownTable(head, shown);
  return rest > 0 ? `${table}\n\nand ${countText(rest)} more` : table;
}

// With ` | ` between two cells, and the ends of the line.
function sizeOf(row: readonly string[]): number {
  return row.reduce((sum, cell) => sum + Buffer.byteLength(cell) + 3, 4);
}

/** The metrics, those of rules first: now and before with their limits, the change with its limits, and the verdict. */
export function metricsTable({ metrics, rules, baseline }: Judgement, pen: MarkdownPen, room: TableRoom): string {
  const rows = metrics.map((metric) => {
    const { p, ...cells } = metricCells(metric, rules);
    return { ...cells, p: p.replace(/^p /, "") };
  });
  const isAlone = baseline === undefined;
  const head = isAlone
    ? ["Metric", "Now (95 %)", ""]
    : ["Metric", "Now (95 %)", "Baseline (95 %)", "Change (95 %)", "p", "Verdict"];
  const cells = rows.map(({ name, better, now, baseline: before, change, p, verdict }) => {
    const others = isAlone ? [now, verdict] : [now, before, change, p, verdict];
    // A column more would push the verdict out of a narrow page.
    return [`${pen.text(name)}<br>_better: ${pen.text(better)}_`, ...others.map((cell) => pen.text(cell))];
  });
  // Without a baseline only a broken rule says more.
  const width = isAlone && rows.every(({ verdict }) => verdict === "") ? 2 : head.length;
  return fittingTable(
    head.slice(0, width),
    cells.map((row) => row.slice(0, width)),
    room,
  );
}

/** The rules, those that do not hold first. */
export function rulesTable({ rules }: Judgement, pen: MarkdownPen, room: TableRoom): string {
  const order = Object.keys(ENDINGS);
  const sorted = rules.toSorted((a, b) => order.indexOf(endingOf(a)) - order.indexOf(endingOf(b)));
  const rows = sorted.map((outcome) => [
    ENDINGS[endingOf(outcome)].sign,
    pen.code(outcome.rule.text),
    pen.sentence(outcomeText(outcome)),
  ]);
  return fittingTable(["", "Rule", "Found"], rows, room);
}

/** A list of cases, each with the place of its first row. */
export function casesTable(list: NamedList, pen: MarkdownPen, room: TableRoom): string {
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
