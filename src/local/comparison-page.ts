import { comparePath, datasetTrail } from "./dataset-page.ts";
import { errorCount, scoredKeys, secondsText, shortNumber, shownRow, whenText } from "./experiment-cells.ts";
import type { DatasetView, ExperimentView } from "./experiment-view.ts";
import { escapeHtml, link, nameText, page, table } from "./html.ts";
import { pager, type ShownPage } from "./pager.ts";
import { changeText, pairCard, verdictLink, VERDICT_WORDS } from "./row-card.ts";
import type { RowPair, VerdictCounts } from "./row-pairs.ts";
import { changeOf, Directions, VERDICTS, type Verdict } from "./row-verdict.ts";

/** What the comparison shows of its pairs. */
export interface ShownPairs {
  readonly pairs: readonly RowPair[];
  readonly counts: VerdictCounts;
  /** All when absent. */
  readonly show: Verdict | undefined;
  readonly page: ShownPage;
}

/** Two experiments, row by row; the first is what the second is measured against. */
export function comparisonPage(
  dataset: DatasetView,
  [one, other]: readonly [ExperimentView, ExperimentView],
  { pairs, counts, show, page: shown }: ShownPairs,
): string {
  const all = comparePath(dataset, [one.id, other.id]);
  const path = show === undefined ? all : `${all}&show=${show}`;
  const isPending = one.run_count === null || other.run_count === null;
  const ways = Directions.of([one, other].map(({ extra }) => extra?.metadata.text));
  const cards = pairs.map((pair) => {
    const [before, after] = [pair.one, pair.other].map((text) => (text === null ? undefined : shownRow(text)));
    return pairCard(pair, before, after, ways);
  });
  const body = [
    table(["", "Baseline", "Compared", "Change"], facts(dataset, one, other, ways)),
    isPending ? '<p class="soft">The scores are being counted, and will be here in a moment.</p>' : "",
    `<p class="soft">A score counts as better when it is higher, unless the metadata of an experiment has it in
<code>score_directions</code> as <code>lower</code>. ${link(comparePath(dataset, [other.id, one.id]), "The other way round")}</p>`,
    '<h2 id="rows">Rows</h2>',
    verdictLinks(all, counts, show),
    pager(path, "rows", shown),
    ...cards,
    cards.length === 0 ? "" : pager(path, "rows", shown),
  ];
  return page("Comparison", body.join("\n"), { refresh: isPending, wide: true, trail: datasetTrail(dataset) });
}

function verdictLinks(path: string, counts: VerdictCounts, show: Verdict | undefined): string {
  const total = VERDICTS.reduce((sum, verdict) => sum + counts[verdict], 0);
  const links = [
    verdictLink(path, "all", total, show === undefined),
    ...VERDICTS.map((verdict) =>
      verdictLink(`${path}&show=${verdict}`, VERDICT_WORDS[verdict], counts[verdict], show === verdict),
    ),
  ];
  return `<nav>${links.join(" ")}</nav>`;
}

type Number = number | null | undefined;

function facts(dataset: DatasetView, one: ExperimentView, other: ExperimentView, ways: Directions) {
  const stats = [one, other].map(({ feedback_stats }) => new Map(Object.entries(feedback_stats ?? {})));
  const measure = (name: string, [a, b]: readonly Number[], isLower: boolean, text: (value: Number) => string) => [
    escapeHtml(nameText(name)),
    escapeHtml(text(a)),
    escapeHtml(text(b)),
    a == null || b == null ? "" : changeText(a, b, changeOf(a, b, isLower)),
  ];
  const both = [one, other];
  return [
    ["Experiment", ...both.map(({ id, name }) => link(comparePath(dataset, [id]), name)), ""],
    ["Started", ...both.map(({ start_time }) => whenText(start_time)), ""],
    ["Rows", ...both.map(({ run_count }) => (run_count === null ? "being counted" : String(run_count))), ""],
    measure("Rows with an error", both.map(errorCount), true, shortNumber),
    ...scoredKeys([one, other]).map((key) =>
      measure(
        `Mean of ${key}`,
        stats.map((each) => each.get(key)?.avg),
        ways.isLower(key),
        (value) => shortNumber(value, 4),
      ),
    ),
    ...(["latency_p50", "latency_p99"] as const).map((name) =>
      measure(
        name === "latency_p50" ? "Latency, median" : "Latency, 99th percentile",
        both.map((each) => each[name]),
        true,
        secondsText,
      ),
    ),
  ];
}
