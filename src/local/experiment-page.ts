import { comparePath, datasetPath } from "./dataset-page.ts";
import {
  deltaText,
  objectCell,
  scoreText,
  shortNumber,
  shownRow,
  shownScores,
  textCell,
  type ShownRow,
  type ShownScore,
} from "./experiment-cells.ts";
import type { RowPair } from "./experiment-rows.ts";
import type { DatasetView, ExperimentView } from "./experiment-view.ts";
import { escapeHtml, link, page, table } from "./html.ts";

/** Which rows a page shows, of how many. */
export interface ShownPage {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
}

/** How the rows of two experiments meet. */
export interface PairCounts {
  readonly both: number;
  readonly onlyOne: number;
  readonly onlyOther: number;
}

/** One experiment: its scores, and a page of its rows. */
export function experimentPage(
  dataset: DatasetView,
  experiment: ExperimentView & { readonly summary_scores: string | null },
  texts: readonly string[],
  shown: ShownPage,
): string {
  const path = comparePath(dataset, [experiment.id]);
  const statistics = Object.entries(experiment.feedback_stats ?? {}).map(([key, { n, avg, values }]) => [
    escapeHtml(key),
    String(n),
    shortNumber(avg),
    escapeHtml(
      Object.entries(values)
        .map(([value, times]) => `${value} × ${String(times)}`)
        .slice(0, 20)
        .join(", "),
    ),
  ]);
  const summary = shownScores(experiment.summary_scores).map((score) => [escapeHtml(score.label), scoreText(score)]);
  const body = [
    table(["", ""], factsOf(dataset, experiment)),
    "<h2>Scores</h2>",
    isPending(experiment) ? PENDING : table(["Key", "n", "Mean", "Values"], statistics),
    summary.length === 0 ? "" : `<h2>Scores of the whole experiment</h2>\n${table(["Key", "Score"], summary)}`,
    "<h2>Rows</h2>",
    pager(path, shown),
    table(
      ROW_HEADINGS,
      texts.map((text) => rowCells(shownRow(text))),
    ),
    pager(path, shown),
    `<p>${link(datasetPath(dataset), `Dataset ${dataset.name}`)}</p>`,
  ];
  return page(experiment.name, body.join("\n"), { refresh: isPending(experiment), wide: true });
}

/** Two experiments, row by row; the first is what the second is measured against. */
export function comparisonPage(
  dataset: DatasetView,
  [one, other]: readonly [ExperimentView, ExperimentView],
  pairs: readonly RowPair[],
  counts: PairCounts,
  shown: ShownPage,
): string {
  const path = comparePath(dataset, [one.id, other.id]);
  const pending = isPending(one) || isPending(other);
  const head = ["", one.name, other.name];
  const body = [
    `<p>Baseline ${link(comparePath(dataset, [one.id]), one.name)}, compared with ${link(comparePath(dataset, [other.id]), other.name)} (${link(comparePath(dataset, [other.id, one.id]), "the other way round")}).</p>`,
    `<p>${String(counts.both)} rows in both, ${String(counts.onlyOne)} only in the baseline, ${String(counts.onlyOther)} only in the other.</p>`,
    "<h2>Scores</h2>",
    pending ? PENDING : table([...head, "Change"], comparedStatistics(one, other)),
    "<h2>Rows</h2>",
    pager(path, shown),
    table(["Row", "Inputs", "Expected", one.name, other.name, "Scores", "Errors"], pairs.map(pairCells)),
    pager(path, shown),
    `<p>${link(datasetPath(dataset), `Dataset ${dataset.name}`)}</p>`,
  ];
  return page("Comparison", body.join("\n"), { refresh: pending, wide: true });
}

const PENDING = "<p>They are being counted, and will be here in a moment.</p>";
const ROW_HEADINGS = ["Row", "Inputs", "Expected", "Output", "Scores", "Error", "Seconds"];

function isPending({ run_count }: ExperimentView): boolean {
  return run_count === null;
}

function factsOf(dataset: DatasetView, experiment: ExperimentView): readonly (readonly string[])[] {
  const facts: readonly (readonly [string, string | null])[] = [
    [
      "Experiment",
      `<code>${escapeHtml(experiment.id)}</code>, number ${String(experiment.test_run_number)} of its dataset`,
    ],
    ["Dataset", link(datasetPath(dataset), dataset.name)],
    ["About", experiment.description === null ? null : escapeHtml(experiment.description)],
    ["Time", escapeHtml(`${experiment.start_time} to ${experiment.end_time}`)],
    ["Rows", experiment.run_count === null ? null : String(experiment.run_count)],
    ["Error rate", shortNumber(experiment.error_rate)],
    ["Latency", latencyText(experiment)],
    ["Metadata", objectCell(experiment.extra?.metadata.text)],
  ];
  return facts.flatMap(([name, value]) => (value === null || value === "" ? [] : [[name, value]]));
}

function latencyText({ latency_p50, latency_p99 }: ExperimentView): string | null {
  if (latency_p50 === null || latency_p99 === null) return null;
  return `median ${shortNumber(latency_p50)} s, 99th percentile ${shortNumber(latency_p99)} s`;
}

function rowCells(row: ShownRow): readonly string[] {
  return [
    `<code>${escapeHtml(row.rowId)}</code>`,
    objectCell(row.inputs),
    objectCell(row.expected),
    objectCell(row.outputs),
    row.scores.map((score) => `${escapeHtml(score.label)}: ${scoreText(score)}`).join("<br>"),
    textCell(row.error),
    shortNumber(row.seconds),
  ];
}

function comparedStatistics(one: ExperimentView, other: ExperimentView): readonly (readonly string[])[] {
  const stats = [one.feedback_stats ?? {}, other.feedback_stats ?? {}] as const;
  const keys = [...new Set(stats.flatMap((each) => Object.keys(each)))].toSorted();
  const line = (name: string, a: number | null | undefined, b: number | null | undefined) => [
    escapeHtml(name),
    shortNumber(a),
    shortNumber(b),
    deltaText(a, b),
  ];
  return [
    ...keys.map((key) => line(key, stats[0][key]?.avg, stats[1][key]?.avg)),
    line("rows", one.run_count, other.run_count),
    line("error rate", one.error_rate, other.error_rate),
    line("latency, median, s", one.latency_p50, other.latency_p50),
    line("latency, 99th percentile, s", one.latency_p99, other.latency_p99),
  ];
}

function pairCells(pair: RowPair): readonly string[] {
  const one = pair.one === null ? undefined : shownRow(pair.one);
  const other = pair.other === null ? undefined : shownRow(pair.other);
  return [
    `<code>${escapeHtml(pair.row_id)}</code>`,
    bothCells(objectCell(one?.inputs), objectCell(other?.inputs), one && other),
    bothCells(objectCell(one?.expected), objectCell(other?.expected), one && other),
    one === undefined ? "<em>only in the other</em>" : objectCell(one.outputs),
    other === undefined ? "<em>only in the baseline</em>" : objectCell(other.outputs),
    comparedScores(one?.scores ?? [], other?.scores ?? []),
    bothErrors(one, other),
  ];
}

// The rows of one id need not be the same question.
function bothCells(one: string, other: string, inBoth: unknown): string {
  if (inBoth === undefined || one === other) return one === "" ? other : one;
  return `baseline: ${one} other: ${other}`;
}

function bothErrors(one: ShownRow | undefined, other: ShownRow | undefined): string {
  const [before, after] = [textCell(one?.error), textCell(other?.error)];
  if (before === after) return before;
  return [before === "" ? "" : `baseline: ${before}`, after === "" ? "" : `other: ${after}`].join(" ");
}

function comparedScores(one: readonly ShownScore[], other: readonly ShownScore[]): string {
  const labels = [...new Set([...one, ...other].map(({ label }) => label))];
  const lines = labels.map((label) => {
    const [a, b] = [one, other].map((scores) => scores.find((score) => score.label === label));
    const [before, after] = [a, b].map((score) => (score === undefined ? "none" : scoreText(score)));
    const delta = deltaText(a?.score, b?.score);
    const change = before === after ? (after ?? "") : `${before ?? ""} → ${after ?? ""}`;
    return `${escapeHtml(label)}: ${change}${delta === "" || delta === "0" ? "" : ` <strong>(${delta})</strong>`}`;
  });
  return lines.join("<br>");
}

function pager(path: string, { offset, limit, total }: ShownPage): string {
  if (total === 0) return "<p>There are no rows.</p>";
  const at = (start: number) => `${path}&offset=${String(start)}`;
  const parts = [
    `Rows ${String(Math.min(offset + 1, total))} to ${String(Math.min(offset + limit, total))} of ${String(total)} `,
    offset > 0 ? link(at(Math.max(0, offset - limit)), "previous") : "",
    offset + limit < total ? link(at(offset + limit), "next") : "",
  ];
  return `<nav>${parts.join(" ")}</nav>`;
}
