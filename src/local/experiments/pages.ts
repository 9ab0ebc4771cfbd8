import { EXPERIMENTS } from "../../contract/operations/experiments.ts";
import { endpointOf, NO_QUERY } from "../../contract/operations/operation.ts";
import { invalid, notFound } from "../http/error.ts";
import { pageRange, pageRoute, serve, type Route } from "../http/router.ts";
import { searchedList, type ShownPart } from "../../pages/list.ts";
import { isEmpty, markup, type Content, type Markup } from "../../pages/markup.ts";
import { breakableName, link, nameText } from "../../pages/names.ts";
import { factList, linkTable, table } from "../../pages/table.ts";
import { codeCell, endpointTable, objectCell, proseCell, spanText, timeCell } from "../pages/cells.ts";
import { page } from "../pages/frame.ts";
import { comparePath, datasetPath, datasetsPath } from "../pages/paths.ts";
import { errorCount, meanCell, scoredKeys, secondsText, scoreText, shownScores } from "./cells.ts";
import { comparer, comparisonPage } from "./comparison-page.ts";
import type { CompareExperiments } from "../../pages/experiment-comparison.ts";
import type { Experiments } from "./experiments.ts";
import { READ_BACK } from "./routes.ts";
import { rowCards } from "./row-card.ts";
import type { DatasetView, ExperimentView } from "./view.ts";

const SHOWN_DATASETS = 100;
const SHOWN_EXPERIMENTS = 100;
const SHOWN_ROWS = 50;

const DATASETS = "/o/{tenant}/datasets";

/** The datasets, their experiments, and the comparison of two. */
export function experimentPageRoutes(
  experiments: Experiments,
  compare: CompareExperiments | undefined,
): readonly Route[] {
  const comparison = comparer(experiments, compare);
  return [
    pageRoute(DATASETS, ({ call, param }) => {
      const range = pageRange(call, SHOWN_DATASETS);
      const shown = { ...range, total: experiments.datasetCount(range) };
      const rows = experiments
        .datasets(range)
        .map((dataset) => [
          link(datasetPath(dataset.tenant_id, dataset.id), dataset.name),
          dataset.session_count,
          dataset.example_count,
          dataset.externally_managed ? "uploads" : "this service",
          timeCell(dataset.modified_at),
        ]);
      const body = [
        searchedList({
          ...{ path: datasetsPath(param("tenant")), noun: "datasets", shown },
          items: linkTable(
            "Datasets",
            ["Name", { number: "Experiments" }, { number: "Rows" }, "Managed by", "Changed"],
            rows,
          ),
          none: markup`<p>No datasets yet. Uploading an experiment creates one.</p>`,
        }),
        markup`<h2>Over HTTP</h2>`,
        endpointTable("Over HTTP", [
          [endpointOf(EXPERIMENTS.upload), "uploads an experiment, as JSON"],
          ...READ_BACK.map(([path, what]) => [`GET ${path}`, what] as const),
        ]),
        markup`<p class="soft">Each path also exists under <code>/api/v1</code>. Lists take <code>limit</code> and
<code>offset</code>, and return <code>resources</code> and the <code>offset</code> of the next page.</p>`,
      ];
      return page("Datasets", body, { section: "Datasets" });
    }),
    pageRoute(`${DATASETS}/{dataset_id}`, ({ call, param }) => {
      const dataset = experiments.dataset(param("dataset_id"));
      const range = { ...pageRange(call, SHOWN_EXPERIMENTS), datasetIds: [dataset.id] };
      return datasetPage(dataset, experiments.list(range), { ...range, total: experiments.count(range) });
    }),
    serve({ method: "GET", path: `${DATASETS}/{dataset_id}/compare`, query: NO_QUERY }, async ({ call, param }) => {
      const dataset = experiments.dataset(param("dataset_id"));
      const ids = call.query.getAll("selectedSessions").flatMap((text) => text.split(","));
      const [one, other] = ids.slice(0, 2).map((id) => {
        const experiment = experiments.get(id.toLowerCase());
        if (experiment.reference_dataset_id !== dataset.id) notFound("Experiment", id.toLowerCase());
        return experiment;
      });
      if (!one) {
        throw invalid([{ loc: ["query", "selectedSessions"], msg: "Name one experiment, or two", type: "missing" }]);
      }
      if (other) return await comparisonPage(dataset, [one, other], comparison);
      const range = pageRange(call, SHOWN_ROWS);
      const { texts, total } = experiments.rows(one.id, range);
      const { summary_scores } = experiments.record(one.id);
      return { status: 200, html: experimentPage(dataset, { ...one, summary_scores }, texts, { ...range, total }) };
    }),
  ];
}

// More columns would be unreadable; the page of an experiment has all keys.
const SHOWN_KEYS = 8;

// The experiments are newest first.
function datasetPage(dataset: DatasetView, experiments: readonly ExperimentView[], shown: ShownPart): string {
  const keys = scoredKeys(experiments);
  const first = keys.slice(0, SHOWN_KEYS);
  const columns = [
    "Experiment",
    ...[...first, "Errors", "Rows", "Median latency"].map((number) => ({ number })),
    "Started",
    "Compare",
  ];
  const rows = experiments.map((experiment, index) => {
    const baseline = experiments[index + 1];
    const { tenant_id, id } = dataset;
    const { name, test_run_number, run_count, start_time, latency_p50 } = experiment;
    const stats = new Map(Object.entries(experiment.feedback_stats ?? {}));
    const errors = errorCount(experiment) ?? 0;
    const cells = [
      markup`${link(comparePath(tenant_id, id, [experiment.id]), name)} <span class="soft">#${test_run_number}</span>`,
      ...first.map((key) => meanCell(stats.get(key))),
      errors > 0 ? markup`<b class="worse">${errors}</b>` : run_count !== null && 0,
      run_count ?? markup`<span class="soft">being counted</span>`,
      secondsText(latency_p50),
      timeCell(start_time),
    ];
    if (!baseline) return [...cells, ""];
    const compare = comparePath(dataset.tenant_id, dataset.id, [baseline.id, experiment.id]);
    return [...cells, link(compare, `compare with #${String(baseline.test_run_number)}`)];
  });
  const path = datasetPath(dataset.tenant_id, dataset.id);
  const body = [
    proseCell(dataset.description),
    markup`<p class="soft">${dataset.example_count} rows, dataset <code>${dataset.id}</code></p>`,
    // Before the list, whose many links would stand between the reader and the form.
    experiments.length > 1 && compareForm(path, experiments),
    markup`<h2>Experiments</h2>`,
    searchedList({ path, noun: "experiments", shown, items: linkTable("Experiments", columns, rows) }),
    first.length > 0 && markup`<p class="soft">Scores are means; the number of scores is in brackets.</p>`,
    keys.length > first.length &&
      markup`<p class="soft">${keys.length - first.length} more scores: see the pages of the experiments.</p>`,
  ];
  const refresh = experiments.some(({ run_count }) => run_count === null);
  return page(dataset.name, body, { section: "Datasets", refresh });
}

function compareForm(path: string, experiments: readonly ExperimentView[]): Markup {
  const choice = (label: string, chosen: number) => {
    const options = experiments.map(({ id, name, test_run_number }, index) => {
      const text = nameText(`#${String(test_run_number)} ${name}`);
      return markup`<option value="${id}"${index === chosen && " selected"}>${text}</option>`;
    });
    return markup`<label>${label} <select name="selectedSessions">${options}</select></label>`;
  };
  return markup`<h2>Compare</h2>
<form action="${path}/compare" method="get">
${choice("Baseline", 1)}
${choice("Compared", 0)}
<button>Compare</button>
</form>`;
}

const SHOWN_VALUES = 20;

function experimentPage(
  dataset: DatasetView,
  experiment: ExperimentView & { readonly summary_scores: string | null },
  texts: readonly string[],
  shown: ShownPart,
): string {
  const path = comparePath(dataset.tenant_id, dataset.id, [experiment.id]);
  const isPending = experiment.run_count === null;
  const summary = shownScores(experiment.summary_scores).map((score) => [
    breakableName(score.label),
    nameText(scoreText(score)),
  ]);
  const metadata = objectCell(experiment.extra?.metadata.text);
  const body = [
    proseCell(experiment.description),
    factList(factsOf(experiment)),
    markup`<h2>Scores</h2>`,
    isPending
      ? markup`<p class="soft">The scores are being counted; the page reloads itself.</p>`
      : scoreTable(experiment),
    summary.length > 0 &&
      markup`<h2>Scores of the whole experiment</h2>
${table("Scores of the whole experiment", ["Key", { number: "Score" }], summary)}`,
    !isEmpty(metadata) && markup`<h2>Metadata</h2>\n${metadata}`,
    markup`<h2 id="rows">Rows</h2>`,
    searchedList({
      ...{ path, noun: "rows", shown, none: markup`<p class="soft">No rows.</p>` },
      items: rowCards(texts),
      areLong: texts.length > 0,
    }),
  ];
  const trail = [link(datasetPath(dataset.tenant_id, dataset.id), dataset.name)];
  return page(experiment.name, body, { section: "Datasets", refresh: isPending, trail });
}

function factsOf(experiment: ExperimentView): readonly (readonly [string, Content])[] {
  const { id, test_run_number, start_time, end_time, run_count, latency_p50, latency_p99 } = experiment;
  const errors = errorCount(experiment);
  return [
    ["Rows", run_count ?? "being counted"],
    ["Rows with an error", errors],
    ["Latency, median", secondsText(latency_p50)],
    ["Latency, 99th percentile", secondsText(latency_p99)],
    ["Started", timeCell(start_time)],
    ["Took", spanText(start_time, end_time)],
    ["Number in its dataset", `#${String(test_run_number)}`],
    ["Experiment", codeCell(id)],
  ];
}

function scoreTable({ feedback_stats }: ExperimentView): Markup {
  const rows = Object.entries(feedback_stats ?? {}).map(([key, statistics]) => {
    const counted = Object.entries(statistics.values).map(([value, times]) => `${nameText(value)} × ${String(times)}`);
    const more = counted.length > SHOWN_VALUES ? `, and ${String(counted.length - SHOWN_VALUES)} more` : "";
    const values = counted.slice(0, SHOWN_VALUES).join(", ") + more;
    return [breakableName(key), meanCell(statistics), values];
  });
  if (rows.length === 0) return markup`<p class="soft">No scores.</p>`;
  return table("Scores", ["Key", { number: "Mean (n)" }, { text: "Values" }], rows);
}
