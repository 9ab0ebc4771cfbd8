import { errorCount, meanCell, scoredKeys, secondsText } from "./cells.ts";
import { READ_BACK, UPLOAD_PATH } from "./routes.ts";
import type { DatasetView, ExperimentView } from "./view.ts";
import { endpointTable, escapeHtml, link, linkTable, nameText } from "../pages/html.ts";
import { page } from "../pages/frame.ts";
import { comparePath, datasetPath, datasetsPath } from "../pages/paths.ts";
import { pager, type ShownPage } from "../pages/pager.ts";
import { proseCell } from "../pages/text-cell.ts";
import { timeCell } from "../pages/time-cell.ts";

/** More columns than this are no table any more; the page of an experiment has all keys. */
const SHOWN_KEYS = 8;

/** The datasets, and how experiments come in and are read back over HTTP. */
export function datasetsPage(datasets: readonly DatasetView[], tenantId: string, shown: ShownPage): string {
  const rows = datasets.map((dataset) => [
    link(datasetPath(dataset.tenant_id, dataset.id), dataset.name),
    String(dataset.session_count),
    String(dataset.example_count),
    dataset.externally_managed ? "uploads" : "this service",
    timeCell(dataset.modified_at),
  ]);
  const body = [
    shown.total === 0
      ? "<p>There is no dataset yet. The first experiment that is uploaded makes one.</p>"
      : linkTable("Datasets", ["Name", { number: "Experiments" }, { number: "Rows" }, "Managed by", "Changed"], rows),
    shown.total > shown.limit ? pager(datasetsPath(tenantId), "datasets", shown) : "",
    "<h2>Over HTTP</h2>",
    endpointTable("Over HTTP", [
      [`POST ${UPLOAD_PATH}`, "takes an experiment, as JSON"],
      ...READ_BACK.map(([path, what]) => [`GET ${path}`, what] as const),
    ]),
    `<p class="soft">Each path is there under <code>/api/v1</code> as well. Lists take <code>limit</code> and
<code>offset</code>, and answer <code>resources</code> and the <code>offset</code> of the next page.</p>`,
  ];
  return page("Datasets", body.join("\n"), { section: "Datasets" });
}

/** One dataset: its experiments, newest first, and a form that compares two of them. */
export function datasetPage(dataset: DatasetView, experiments: readonly ExperimentView[], shown: ShownPage): string {
  const keys = scoredKeys(experiments);
  const first = keys.slice(0, SHOWN_KEYS);
  const columns = [
    "Experiment",
    ...[...first, "Errors", "Rows", "Median latency"].map((number) => ({ number })),
    "Started",
    "Compare",
  ];
  const rows = experiments.map((experiment, index) => [
    ...experimentCells(dataset, experiment, first),
    before(dataset, experiment, experiments[index + 1]),
  ]);
  const path = datasetPath(dataset.tenant_id, dataset.id);
  const body = [
    proseCell(dataset.description),
    `<p class="soft">${String(dataset.example_count)} rows, dataset <code>${escapeHtml(dataset.id)}</code></p>`,
    "<h2>Experiments</h2>",
    rows.length === 0 ? '<p class="soft">There is none.</p>' : linkTable("Experiments", columns, rows),
    first.length === 0 ? "" : '<p class="soft">Scores are means, with the number of scores in brackets.</p>',
    keys.length > first.length
      ? `<p class="soft">${String(keys.length - first.length)} more scores are on the pages of the experiments.</p>`
      : "",
    shown.total > shown.limit ? pager(path, "experiments", shown) : "",
    experiments.length < 2 ? "" : compareForm(path, experiments),
  ];
  const refresh = experiments.some(({ run_count }) => run_count === null);
  return page(dataset.name, body.join("\n"), { section: "Datasets", refresh });
}

function experimentCells({ tenant_id, id }: DatasetView, experiment: ExperimentView, keys: readonly string[]) {
  const { name, test_run_number, run_count, start_time, latency_p50 } = experiment;
  const stats = new Map(Object.entries(experiment.feedback_stats ?? {}));
  const errors = errorCount(experiment) ?? 0;
  return [
    `${link(comparePath(tenant_id, id, [experiment.id]), name)} <span class="soft">#${String(test_run_number)}</span>`,
    ...keys.map((key) => meanCell(stats.get(key))),
    errors > 0 ? `<b class="worse">${String(errors)}</b>` : run_count === null ? "" : "0",
    run_count === null ? '<span class="soft">being counted</span>' : String(run_count),
    secondsText(latency_p50),
    timeCell(start_time),
  ];
}

function before(dataset: DatasetView, experiment: ExperimentView, baseline: ExperimentView | undefined): string {
  if (baseline === undefined) return "";
  const name = `compare with #${String(baseline.test_run_number)}`;
  return link(comparePath(dataset.tenant_id, dataset.id, [baseline.id, experiment.id]), name);
}

function compareForm(path: string, experiments: readonly ExperimentView[]): string {
  const choice = (label: string, chosen: number) => {
    const options = experiments.map(({ id, name, test_run_number }, index) => {
      const text = escapeHtml(nameText(`#${String(test_run_number)} ${name}`));
      return `<option value="${escapeHtml(id)}"${index === chosen ? " selected" : ""}>${text}</option>`;
    });
    return `<label>${label} <select name="selectedSessions">${options.join("")}</select></label>`;
  };
  return `<h2>Compare</h2>
<form action="${escapeHtml(path)}/compare" method="get">
${choice("Baseline", 1)}
${choice("Compared", 0)}
<button>Compare</button>
</form>`;
}
