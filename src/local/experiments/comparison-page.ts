import { joined, markup, type Content, type Markup } from "../../pages/markup.ts";
import { breakableName, link } from "../../pages/names.ts";
import { pager, type ShownPage } from "../../pages/pager.ts";
import { factList, table } from "../../pages/table.ts";
import { timeCell } from "../pages/cells.ts";
import { page } from "../pages/frame.ts";
import { comparePath, datasetPath } from "../pages/paths.ts";
import { errorCount, meanCell, scoredKeys, secondsText, shortNumber, shownRow } from "./cells.ts";
import { changeText, pairCard, verdictLink, VERDICT_WORDS } from "./row-card.ts";
import type { RowPair, VerdictCounts } from "./row-pairs.ts";
import { changeOf, Directions, VERDICTS, type Verdict } from "./row-verdict.ts";
import type { DatasetView, ExperimentView } from "./view.ts";

export interface ShownPairs {
  readonly pairs: readonly RowPair[];
  readonly counts: VerdictCounts;
  /** All if undefined. */
  readonly show: Verdict | undefined;
  readonly page: ShownPage;
}

/** Two experiments, row by row; the first is the baseline. */
export function comparisonPage(
  dataset: DatasetView,
  [one, other]: readonly [ExperimentView, ExperimentView],
  { pairs, counts, show, page: shown }: ShownPairs,
): string {
  const pathTo = (...ids: readonly string[]) => comparePath(dataset.tenant_id, dataset.id, ids);
  const all = pathTo(one.id, other.id);
  const path = show === undefined ? all : `${all}&show=${show}`;
  const isPending = one.run_count === null || other.run_count === null;
  const ways = Directions.of([one, other].map(({ extra }) => extra?.metadata.text));
  const cards = pairs.map((pair) => {
    const [before, after] = [pair.one, pair.other].map((text) => (text === null ? undefined : shownRow(text)));
    return pairCard(pair, before, after, ways);
  });
  const body = [
    factList([
      ["Baseline", experimentCell(pathTo(one.id), one)],
      ["Compared", experimentCell(pathTo(other.id), other)],
    ]),
    table(
      "Comparison",
      ["Measure", { number: "Baseline" }, { number: "Compared" }, "Change"],
      measures(one, other, ways),
    ),
    isPending && markup`<p class="soft">The scores are being counted; the page reloads itself.</p>`,
    markup`<p class="soft">A higher score is better, unless the metadata of an experiment lists it in
<code>score_directions</code> as <code>lower</code>. The number of scores behind a mean is in brackets. ${link(pathTo(other.id, one.id), "Swap the two")}</p>`,
    markup`<h2 id="rows">Rows</h2>`,
    verdictLinks(all, counts, show),
    pager(path, "rows", shown),
    ...cards,
    cards.length > 0 && pager(path, "rows", shown),
  ];
  const trail = [link(datasetPath(dataset.tenant_id, dataset.id), dataset.name)];
  return page("Comparison", body, { section: "Datasets", refresh: isPending, trail });
}

function experimentCell(path: string, { name, test_run_number, start_time }: ExperimentView): Markup {
  return markup`${link(path, name)} <span class="soft">#${test_run_number}</span><br>${timeCell(start_time)}`;
}

function verdictLinks(path: string, counts: VerdictCounts, show: Verdict | undefined): Markup {
  const total = VERDICTS.reduce((sum, verdict) => sum + counts[verdict], 0);
  const links = [
    verdictLink(path, "all", total, show === undefined),
    ...VERDICTS.map((verdict) =>
      verdictLink(`${path}&show=${verdict}`, VERDICT_WORDS[verdict], counts[verdict], show === verdict),
    ),
  ];
  return markup`<nav aria-label="Rows by verdict">${joined(links, " ")}</nav>`;
}

type Number = number | null | undefined;

function measures(one: ExperimentView, other: ExperimentView, ways: Directions): readonly (readonly Content[])[] {
  const both = [one, other];
  const stats = both.map(({ feedback_stats }) => new Map(Object.entries(feedback_stats ?? {})));
  const changed = ([a, b]: readonly Number[], isLower: boolean, textOf?: (size: number) => string) =>
    a != null && b != null && changeText(a, b, changeOf(a, b, isLower), textOf);
  const errors = both.map(errorCount);
  return [
    ["Rows", ...both.map(({ run_count }) => run_count ?? "being counted"), ""],
    ["Rows with an error", ...errors.map((count) => shortNumber(count)), changed(errors, true)],
    ...scoredKeys(both).map((key) => {
      const ofKey = stats.map((each) => each.get(key));
      const change = changed(
        ofKey.map((each) => each?.avg),
        ways.isLower(key),
      );
      return [breakableName(`Mean of ${key}`), ...ofKey.map(meanCell), change];
    }),
    ...(["latency_p50", "latency_p99"] as const).map((name) => {
      const latencies = both.map((each) => each[name]);
      const heading = name === "latency_p50" ? "Latency, median" : "Latency, 99th percentile";
      return [heading, ...latencies.map(secondsText), changed(latencies, true, secondsText)];
    }),
  ];
}
