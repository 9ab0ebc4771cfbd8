import * as z from "zod";
import { datasetPage, datasetsPage } from "./dataset-page.ts";
import { comparisonPage, experimentPage } from "./experiment-page.ts";
import type { Experiments } from "./experiments.ts";
import type { HttpAnswer } from "./http-answer.ts";
import { offsetParam, readQuery } from "./query.ts";
import { invalid, unknownId } from "./refusal.ts";
import { param, type Route } from "./router.ts";

const SHOWN_DATASETS = 100;
const SHOWN_EXPERIMENTS = 100;
const SHOWN_ROWS = 50;

const CompareQuery = z.object({ offset: offsetParam });
const DATASETS = "/o/:tenant/datasets";

/** Pages for people: the datasets, their experiments, and two of them side by side. They need no script. */
export function experimentPageRoutes(experiments: Experiments): readonly Route[] {
  return [
    {
      method: "GET",
      path: DATASETS,
      answer: () => html(datasetsPage(experiments.datasets({ limit: SHOWN_DATASETS, offset: 0 }))),
    },
    {
      method: "GET",
      path: `${DATASETS}/:dataset_id`,
      answer: (_call, params) => {
        const dataset = experiments.dataset(param(params, "dataset_id"));
        return html(datasetPage(dataset, experiments.list(dataset.id, { limit: SHOWN_EXPERIMENTS, offset: 0 })));
      },
    },
    {
      method: "GET",
      path: `${DATASETS}/:dataset_id/compare`,
      answer: (call, params) => {
        const { offset } = readQuery(CompareQuery, call.query);
        const ids = call.query.getAll("selectedSessions").flatMap((text) => text.split(","));
        return html(compare(experiments, param(params, "dataset_id"), ids, offset));
      },
    },
  ];
}

// One experiment by itself, or the first two against each other.
function compare(experiments: Experiments, datasetId: string, ids: readonly string[], offset: number): string {
  const dataset = experiments.dataset(datasetId);
  const [one, other] = ids.slice(0, 2).map((id) => experimentOf(experiments, datasetId, id.toLowerCase()));
  const page = { limit: SHOWN_ROWS, offset };
  if (one === undefined) {
    throw invalid([{ loc: ["query", "selectedSessions"], msg: "Name one experiment, or two", type: "missing" }]);
  }
  if (other === undefined) {
    const { texts, total } = experiments.rows(one.id, page);
    const { summary_scores } = experiments.record(one.id);
    return experimentPage(dataset, { ...one, summary_scores }, texts, { ...page, total });
  }
  const { rows, count, ...counts } = experiments.pairs(one.id, other.id, page);
  return comparisonPage(dataset, [one, other], rows, counts, { ...page, total: count });
}

function experimentOf(experiments: Experiments, datasetId: string, id: string) {
  const experiment = experiments.get(id);
  if (experiment.reference_dataset_id !== datasetId) throw unknownId("Experiment", id);
  return experiment;
}

function html(text: string): HttpAnswer {
  return { status: 200, html: text };
}
