import * as z from "zod";
import { comparisonPage } from "./comparison-page.ts";
import { datasetPage, datasetsPage } from "./dataset-page.ts";
import { experimentPage } from "./page.ts";
import type { Experiments } from "./experiments.ts";
import { offsetParam, readQuery } from "../http/query.ts";
import { invalid, unknownId } from "../http/error.ts";
import { pageRoute, param, type Route } from "../http/router.ts";
import { VERDICTS } from "./row-verdict.ts";

const SHOWN_DATASETS = 100;
const SHOWN_EXPERIMENTS = 100;
const SHOWN_ROWS = 50;

const ListQuery = z.object({ offset: offsetParam });
const CompareQuery = ListQuery.extend({ show: z.enum(VERDICTS).optional() });
const DATASETS = "/o/:tenant/datasets";

/** Pages for people: the datasets, their experiments, and two of them side by side. They need no script. */
export function experimentPageRoutes(experiments: Experiments): readonly Route[] {
  return [
    pageRoute(DATASETS, (call, params) => {
      const page = { ...readQuery(ListQuery, call.query), limit: SHOWN_DATASETS };
      const shown = { ...page, total: experiments.datasetCount() };
      return datasetsPage(experiments.datasets(page), param(params, "tenant"), shown);
    }),
    pageRoute(`${DATASETS}/:dataset_id`, (call, params) => {
      const page = { ...readQuery(ListQuery, call.query), limit: SHOWN_EXPERIMENTS };
      const dataset = experiments.dataset(param(params, "dataset_id"));
      const shown = { ...page, total: dataset.session_count };
      return datasetPage(dataset, experiments.list(dataset.id, page), shown);
    }),
    pageRoute(`${DATASETS}/:dataset_id/compare`, (call, params) => {
      const query = readQuery(CompareQuery, call.query);
      const ids = call.query.getAll("selectedSessions").flatMap((text) => text.split(","));
      return compare(experiments, param(params, "dataset_id"), ids, query);
    }),
  ];
}

// One experiment by itself, or the first two against each other.
function compare(
  experiments: Experiments,
  datasetId: string,
  ids: readonly string[],
  { offset, show }: z.infer<typeof CompareQuery>,
): string {
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
  const pairs = experiments.pairs(one.id, other.id);
  const { counts } = pairs;
  const total = VERDICTS.reduce(
    (sum, verdict) => sum + (show === undefined || show === verdict ? counts[verdict] : 0),
    0,
  );
  const shown = { pairs: pairs.page({ ...page, show }), counts, show, page: { ...page, total } };
  return comparisonPage(dataset, [one, other], shown);
}

function experimentOf(experiments: Experiments, datasetId: string, id: string) {
  const experiment = experiments.get(id);
  if (experiment.reference_dataset_id !== datasetId) throw unknownId("Experiment", id);
  return experiment;
}
