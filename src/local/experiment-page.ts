import { comparePath, datasetTrail } from "./dataset-page.ts";
import {
  errorCount,
  scoreText,
  secondsText,
  shortNumber,
  shownRow,
  shownScores,
  whenText,
} from "./experiment-cells.ts";
import type { DatasetView, ExperimentView } from "./experiment-view.ts";
import { escapeHtml, nameText, page, table } from "./html.ts";
import { pager, type ShownPage } from "./pager.ts";
import { rowCard } from "./row-card.ts";
import { objectCell, proseCell } from "./text-cell.ts";

const SHOWN_VALUES = 20;

/** One experiment: its scores, and a page of its rows. */
export function experimentPage(
  dataset: DatasetView,
  experiment: ExperimentView & { readonly summary_scores: string | null },
  texts: readonly string[],
  shown: ShownPage,
): string {
  const path = comparePath(dataset, [experiment.id]);
  const isPending = experiment.run_count === null;
  const summary = shownScores(experiment.summary_scores).map((score) => [
    escapeHtml(nameText(score.label)),
    escapeHtml(nameText(scoreText(score))),
  ]);
  const body = [
    table(["", ""], factsOf(experiment)),
    "<h2>Scores</h2>",
    isPending
      ? '<p class="soft">They are being counted, and will be here in a moment.</p>'
      : table(["Key", "n", "Mean", "Values"], statisticsOf(experiment)),
    summary.length === 0 ? "" : `<h2>Scores of the whole experiment</h2>\n${table(["Key", "Score"], summary)}`,
    '<h2 id="rows">Rows</h2>',
    pager(path, "rows", shown),
    ...cardsOf(texts),
    texts.length === 0 ? "" : pager(path, "rows", shown),
  ];
  return page(experiment.name, body.join("\n"), { refresh: isPending, wide: true, trail: datasetTrail(dataset) });
}

function cardsOf(texts: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const row = shownRow(text);
    const times = (seen.get(row.rowId) ?? 0) + 1;
    seen.set(row.rowId, times);
    return rowCard(row, times);
  });
}

function factsOf(experiment: ExperimentView): readonly (readonly string[])[] {
  const errors = errorCount(experiment);
  const facts: readonly (readonly [string, string])[] = [
    ["Experiment", `<code>${escapeHtml(experiment.id)}</code>`],
    ["Number", `${String(experiment.test_run_number)} of its dataset`],
    ["About", proseCell(experiment.description)],
    ["Time", `${whenText(experiment.start_time)} to ${whenText(experiment.end_time)}`],
    ["Rows", experiment.run_count === null ? "being counted" : String(experiment.run_count)],
    ["Rows with an error", errors === undefined ? "" : String(errors)],
    ["Latency", latencyText(experiment)],
    ["Metadata", objectCell(experiment.extra?.metadata.text)],
  ];
  return facts.filter(([, value]) => value !== "");
}

function latencyText({ latency_p50, latency_p99 }: ExperimentView): string {
  if (latency_p50 === null || latency_p99 === null) return "";
  return `median ${secondsText(latency_p50)}, 99th percentile ${secondsText(latency_p99)}`;
}

function statisticsOf(experiment: ExperimentView): readonly (readonly string[])[] {
  return Object.entries(experiment.feedback_stats ?? {}).map(([key, { n, avg, values }]) => {
    const counted = Object.entries(values).map(([value, times]) => `${nameText(value)} × ${String(times)}`);
    const more = counted.length > SHOWN_VALUES ? `, and ${String(counted.length - SHOWN_VALUES)} more` : "";
    const cells = [nameText(key), String(n), shortNumber(avg, 4), counted.slice(0, SHOWN_VALUES).join(", ") + more];
    return cells.map(escapeHtml);
  });
}
