import { errorCount, scoredKeys, secondsText, shortNumber, whenText } from "./experiment-cells.ts";
import { READ_BACK, UPLOAD_PATH } from "./experiment-routes.ts";
import type { DatasetView, ExperimentView } from "./experiment-view.ts";
import { escapeHtml, link, nameText, page, table } from "./html.ts";
import { pager, type ShownPage } from "./pager.ts";
import { proseCell } from "./text-cell.ts";

/** More columns than this are no table any more; the page of an experiment has all keys. */
const SHOWN_KEYS = 8;

/** The address of the page of all datasets, for a tenant whose id does not matter here. */
export function datasetsPath(tenantId: string): string {
  return `/o/${encodeURIComponent(tenantId)}/datasets`;
}

/** The address of a dataset's page. */
function datasetPath({ id, tenant_id }: Pick<DatasetView, "id" | "tenant_id">): string {
  return `${datasetsPath(tenant_id)}/${id}`;
}

/** The address of one experiment's page, or of the comparison of two. */
export function comparePath(dataset: Pick<DatasetView, "id" | "tenant_id">, ids: readonly string[]): string {
  return `${datasetPath(dataset)}/compare?selectedSessions=${ids.join(",")}`;
}

/** The way down to a dataset, as HTML. */
export function datasetTrail(dataset: DatasetView): readonly string[] {
  return [...trailTo(dataset.tenant_id), link(datasetPath(dataset), dataset.name)];
}

function trailTo(tenantId: string): readonly string[] {
  return [link("/", "Deployments"), link(datasetsPath(tenantId), "Datasets")];
}

/** The datasets, and how experiments come in and are read back over HTTP. */
export function datasetsPage(datasets: readonly DatasetView[], tenantId: string, shown: ShownPage): string {
  const rows = datasets.map((dataset) => [
    link(datasetPath(dataset), dataset.name),
    String(dataset.session_count),
    String(dataset.example_count),
    dataset.externally_managed ? "uploads" : "this service",
    whenText(dataset.modified_at),
  ]);
  const paths = [
    [`<code>POST ${escapeHtml(UPLOAD_PATH)}</code>`, "takes an experiment, as JSON"],
    ...READ_BACK.map(([path, what]) => [`<code>GET ${escapeHtml(path)}</code>`, escapeHtml(what)]),
  ];
  const body = [
    shown.total === 0
      ? "<p>There is no dataset yet. The first experiment that is uploaded makes one.</p>"
      : table(["Name", "Experiments", "Rows", "Managed by", "Changed"], rows),
    shown.total > shown.limit ? pager(datasetsPath(tenantId), "datasets", shown) : "",
    "<h2>Over HTTP</h2>",
    table(["Path", ""], paths),
    `<p class="soft">Each path is there under <code>/api/v1</code> as well. Lists take <code>limit</code> and
<code>offset</code>, and answer <code>resources</code> and the <code>offset</code> of the next page.</p>`,
  ];
  return page("Datasets", body.join("\n"), { trail: trailTo(tenantId).slice(0, 1) });
}

/** One dataset: its experiments, newest first, and a form that compares two of them. */
export function datasetPage(dataset: DatasetView, experiments: readonly ExperimentView[], shown: ShownPage): string {
  const keys = scoredKeys(experiments);
  const first = keys.slice(0, SHOWN_KEYS);
  const headings = ["", "Experiment", "Started", "Rows", "Errors", ...first, "Median latency", ""];
  const rows = experiments.map((experiment, index) => [
    ...experimentCells(dataset, experiment, first),
    before(dataset, experiment, experiments[index + 1]),
  ]);
  const body = [
    proseCell(dataset.description),
    `<p class="soft">Dataset <code>${escapeHtml(dataset.id)}</code>, ${String(dataset.example_count)} rows</p>`,
    "<h2>Experiments</h2>",
    rows.length === 0 ? '<p class="soft">There is none.</p>' : table(headings, rows),
    keys.length > first.length
      ? `<p class="soft">${String(keys.length - first.length)} more scores are on the pages of the experiments.</p>`
      : "",
    shown.total > shown.limit ? pager(datasetPath(dataset), "experiments", shown) : "",
    experiments.length < 2 ? "" : compareForm(dataset, experiments),
  ];
  const refresh = experiments.some(({ run_count }) => run_count === null);
  return page(dataset.name, body.join("\n"), { refresh, wide: true, trail: trailTo(dataset.tenant_id) });
}

function experimentCells(dataset: DatasetView, experiment: ExperimentView, keys: readonly string[]) {
  const stats = new Map(Object.entries(experiment.feedback_stats ?? {}));
  const errors = errorCount(experiment) ?? 0;
  return [
    String(experiment.test_run_number),
    link(comparePath(dataset, [experiment.id]), experiment.name),
    whenText(experiment.start_time),
    experiment.run_count === null ? '<span class="soft">being counted</span>' : String(experiment.run_count),
    errors > 0 ? `<b class="worse">${String(errors)}</b>` : experiment.run_count === null ? "" : "0",
    ...keys.map((key) => shortNumber(stats.get(key)?.avg, 4)),
    secondsText(experiment.latency_p50),
  ];
}

function before(dataset: DatasetView, experiment: ExperimentView, baseline: ExperimentView | undefined): string {
  if (baseline === undefined) return "";
  const name = `compare with ${String(baseline.test_run_number)}`;
  return link(comparePath(dataset, [baseline.id, experiment.id]), name);
}

function compareForm(dataset: DatasetView, experiments: readonly ExperimentView[]): string {
  const choice = (label: string, chosen: number) => {
    const options = experiments.map(({ id, name, test_run_number }, index) => {
      const text = escapeHtml(nameText(`${String(test_run_number)} · ${name}`));
      return `<option value="${escapeHtml(id)}"${index === chosen ? " selected" : ""}>${text}</option>`;
    });
    return `<label>${label} <select name="selectedSessions">${options.join("")}</select></label>`;
  };
  return `<h2>Compare</h2>
<form action="${escapeHtml(datasetPath(dataset))}/compare" method="get">
${choice("Baseline", 1)}
${choice("Compared", 0)}
<button>Compare</button>
</form>`;
}
