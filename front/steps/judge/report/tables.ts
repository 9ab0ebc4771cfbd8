import type { Judgement } from "../../../../src/judgement/judgement.ts";
import { restOf, valuesText, type NamedList } from "../../../../src/judgement/words/cases.ts";
import { metricCells } from "../../../../src/judgement/words/metrics.ts";
import { outcomeText } from "../../../../src/judgement/words/outcomes.ts";
import { ENDINGS, endingOf } from "../../../../src/judgement/words/standing.ts";
import { countText } from "../../../../src/text/number.ts";
import { markdownTable } from "../../../account/markdown.ts";
import type { MarkdownPen } from "../../../account/markdown-pen.ts";
import type { Block } from "../../../account/part.ts";

export interface TableRoom {
  readonly rows: number;
  /** Bytes of UTF-8. */
  readonly bytes: number;
}

/** The metrics, those of rules first: now and before with their limits, the change with its limits, and the verdict. */
export function metricsTable({ metrics, rules, baseline }: Judgement, pen: MarkdownPen, room: TableRoom): string {
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

export function rulesTable({ rules }: Judgement, pen: MarkdownPen, room: TableRoom): string {
  const order = Object.keys(ENDINGS);
  const sorted = rules.toSorted((a, b) => order.indexOf(endingOf(a)) - order.indexOf(endingOf(b)));
  const rows = sorted.map((outcome) => {
    return [ENDINGS[endingOf(outcome)].sign, pen.code(outcome.rule.text), pen.sentence(outcomeText(outcome))];
  });
  return fittingTable(["", "Rule", "Found"], rows, room);
}

/** A list of cases, closed at first, each with the place of its first row. */
export function casesTable(list: NamedList, pen: MarkdownPen, room: TableRoom): Block {
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
