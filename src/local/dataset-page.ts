import { shortNumber } from "./experiment-cells.ts";
import { READ_BACK } from "./experiment-routes.ts";
import type { DatasetView, ExperimentView } from "./experiment-view.ts";
import { escapeHtml, link, page, table } from "./html.ts";

/** The address of the page of all datasets, for a tenant whose id does not matter here. */
export function datasetsPath(tenantId: string): string {
  return `/o/${encodeURIComponent(tenantId)}/datasets`;
}

/** The address of a dataset's page. */
export function datasetPath({ id, tenant_id }: Pick<DatasetView, "id" | "tenant_id">): string {
  return `${datasetsPath(tenant_id)}/${id}`;
}

/** The address of one experiment's page, or of the comparison of two. */
export function comparePath(dataset: Pick<DatasetView, "id" | "tenant_id">, ids: readonly string[]): string {
  return `${datasetPath(dataset)}/compare?selectedSessions=${ids.join(",")}`;
}

/** All datasets, and how the experiments are read back over HTTP. */
export function datasetsPage(datasets: readonly DatasetView[]): string {
  const rows = datasets.map((dataset) => [
    link(datasetPath(dataset), dataset.name),
    String(dataset.session_count),
    String(dataset.example_count),
    dataset.externally_managed ? "uploads" : "this service",
    escapeHtml(dataset.modified_at),
  ]);
  const paths = READ_BACK.map(([path, what]) => [`<code>GET ${escapeHtml(path)}</code>`, escapeHtml(what)]);
  const body = [
    rows.length === 0
      ? "<p>There is no dataset yet. The first experiment that is uploaded makes one.</p>"
      : table(["Name", "Experiments", "Examples", "Managed by", "Changed"], rows),
    "<h2>Over HTTP</h2>",
    table(["Path", "Answers"], paths),
    "<p>Each path is there under <code>/api/v1</code> as well. Lists take <code>limit</code> and <code>offset</code>, " +
      "and answer <code>resources</code> and the <code>offset</code> of the next page.</p>",
    `<p>${link("/", "All deployments")}</p>`,
  ];
  return page("Datasets", body.join("\n"));
}

/** One dataset: its experiments, newest first, and a form that compares two of them. */
export function datasetPage(dataset: DatasetView, experiments: readonly ExperimentView[]): string {
  const keys = [...new Set(experiments.flatMap(({ feedback_stats }) => Object.keys(feedback_stats ?? {})))].toSorted();
  const rows = experiments.map((experiment) => [
    String(experiment.test_run_number),
    link(comparePath(dataset, [experiment.id]), experiment.name),
    experiment.run_count === null ? "being counted" : String(experiment.run_count),
    shortNumber(experiment.error_rate),
    ...keys.map((key) => shortNumber(experiment.feedback_stats?.[key]?.avg)),
    escapeHtml(experiment.start_time),
  ]);
  const body = [
    dataset.description === null ? "" : `<p>${escapeHtml(dataset.description)}</p>`,
    `<p>Dataset <code>${escapeHtml(dataset.id)}</code>, ${String(dataset.example_count)} examples</p>`,
    "<h2>Experiments</h2>",
    rows.length === 0 ? "<p>There is none.</p>" : table(["", "Name", "Rows", "Error rate", ...keys, "Started"], rows),
    experiments.length < 2 ? "" : compareForm(dataset, experiments),
    `<p>${link(datasetsPath(dataset.tenant_id), "All datasets")}</p>`,
  ];
  const refresh = experiments.some(({ run_count }) => run_count === null);
  return page(dataset.name, body.join("\n"), { refresh, wide: true });
}

function compareForm(dataset: DatasetView, experiments: readonly ExperimentView[]): string {
  const choice = (label: string, chosen: number) => {
    const options = experiments.map(
      ({ id, name }, index) =>
        `<option value="${escapeHtml(id)}"${index === chosen ? " selected" : ""}>${escapeHtml(name)}</option>`,
    );
    return `<label>${label} <select name="selectedSessions">${options.join("")}</select></label>`;
  };
  return `<h2>Compare</h2>
<form action="${escapeHtml(datasetPath(dataset))}/compare" method="get">
${choice("Baseline", 1)}
${choice("with", 0)}
<button>Compare</button>
</form>`;
}
