import { errorCount, meanCell, scoreText, secondsText, shownRow, shownScores } from "./cells.ts";
import type { DatasetView, ExperimentView } from "./view.ts";
import { escapeHtml, factList, link, nameHtml, nameText, table } from "../pages/html.ts";
import { page } from "../pages/frame.ts";
import { comparePath, datasetPath } from "../pages/paths.ts";
import { pager, type ShownPage } from "../pages/pager.ts";
import { rowCard } from "./row-card.ts";
import { objectCell, proseCell } from "../pages/text-cell.ts";
import { spanText, timeCell } from "../pages/time-cell.ts";

const SHOWN_VALUES = 20;

/** One experiment: its scores, and a page of its rows. */
export function experimentPage(
  dataset: DatasetView,
  experiment: ExperimentView & { readonly summary_scores: string | null },
  texts: readonly string[],
  shown: ShownPage,
): string {
  const path = comparePath(dataset.tenant_id, dataset.id, [experiment.id]);
  const isPending = experiment.run_count === null;
  const summary = shownScores(experiment.summary_scores).map((score) => [
    nameHtml(score.label),
    escapeHtml(nameText(scoreText(score))),
  ]);
  const metadata = objectCell(experiment.extra?.metadata.text);
  const body = [
    proseCell(experiment.description),
    factList(factsOf(experiment)),
    "<h2>Scores</h2>",
    isPending ? '<p class="soft">They are being counted, and will be here in a moment.</p>' : scoreTable(experiment),
    summary.length === 0
      ? ""
      : `<h2>Scores of the whole experiment</h2>\n${table("Scores of the whole experiment", ["Key", { number: "Score" }], summary)}`,
    metadata === "" ? "" : `<h2>Metadata</h2>\n${metadata}`,
    '<h2 id="rows">Rows</h2>',
    pager(path, "rows", shown),
    ...cardsOf(texts),
    texts.length === 0 ? "" : pager(path, "rows", shown),
  ];
  const trail = [link(datasetPath(dataset.tenant_id, dataset.id), dataset.name)];
  return page(experiment.name, body.join("\n"), { section: "Datasets", refresh: isPending, trail });
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

function factsOf(experiment: ExperimentView): readonly (readonly [string, string])[] {
  const { id, test_run_number, start_time, end_time, run_count, latency_p50, latency_p99 } = experiment;
  const errors = errorCount(experiment);
  return [
    ["Rows", run_count === null ? "being counted" : String(run_count)],
    ["Rows with an error", errors === undefined ? "" : String(errors)],
    ["Latency, median", escapeHtml(secondsText(latency_p50))],
    ["Latency, 99th percentile", escapeHtml(secondsText(latency_p99))],
    ["Started", timeCell(start_time)],
    ["Took", escapeHtml(spanText(start_time, end_time))],
    ["Number in its dataset", `#${String(test_run_number)}`],
    ["Experiment", `<code>${escapeHtml(id)}</code>`],
  ];
}

function scoreTable({ feedback_stats }: ExperimentView): string {
  const rows = Object.entries(feedback_stats ?? {}).map(([key, statistics]) => {
    const counted = Object.entries(statistics.values).map(([value, times]) => `${nameText(value)} × ${String(times)}`);
    const more = counted.length > SHOWN_VALUES ? `, and ${String(counted.length - SHOWN_VALUES)} more` : "";
    const values = counted.slice(0, SHOWN_VALUES).join(", ") + more;
    return [nameHtml(key), meanCell(statistics), escapeHtml(values)];
  });
  if (rows.length === 0) return '<p class="soft">No row has a score.</p>';
  return table("Scores", ["Key", { number: "Mean (n)" }, { text: "Values" }], rows);
}
