import { GraphDeployError } from "../../contract/graph-deploy-error.ts";
import type { CompareExperiments, ShownComparison } from "../../pages/experiment-comparison.ts";
import { Markup, markup, prose, type Content } from "../../pages/markup.ts";
import { breakableName, link } from "../../pages/names.ts";
import { factList, table } from "../../pages/table.ts";
import { scriptedPage, type HttpResponse } from "../http/response.ts";
import { timeCell } from "../pages/cells.ts";
import { page } from "../pages/frame.ts";
import { comparePath, datasetPath } from "../pages/paths.ts";
import { FRAME_STYLE } from "../pages/style.ts";
import { errorCount, meanCell, scoredKeys, secondsText, shortNumber } from "./cells.ts";
import type { Experiments } from "./experiments.ts";
import type { DatasetView, ExperimentView } from "./view.ts";

/** What is shown of two experiments, or a sentence that says why they are not compared. */
type Comparison = ShownComparison | { readonly refusal: string };

const NOBODY = "This service was started without the function `compare`, so nothing is judged here.";

/** Compares experiments, the first of which is the baseline, by the function that the service was started with. */
export function comparer(experiments: Experiments, compare: CompareExperiments | undefined) {
  // The last one: it is large, and takes a while. Rows that were uploaded do not change.
  let last: { readonly ids: string; readonly made: Promise<Comparison> } | undefined;
  const make = async (one: string, other: string): Promise<Comparison> => {
    if (!compare) return { refusal: NOBODY };
    const [baseline, compared] = [experiments.uploaded(one), experiments.uploaded(other)];
    try {
      return await compare(baseline, compared);
    } catch (error) {
      if (!(error instanceof GraphDeployError)) throw error;
      return { refusal: `The two cannot be compared: ${error.message}` };
    }
  };
  return async (one: string, other: string): Promise<Comparison> => {
    const ids = `${one} ${other}`;
    if (last?.ids !== ids) last = { ids, made: make(one, other) };
    const { made } = last;
    return await made.catch((error: unknown) => {
      // Another pair may have been asked for meanwhile.
      if (last?.made === made) last = undefined;
      throw error;
    });
  };
}

/** Two experiments; the first is the baseline. */
export async function comparisonPage(
  dataset: DatasetView,
  [one, other]: readonly [ExperimentView, ExperimentView],
  compare: ReturnType<typeof comparer>,
): Promise<HttpResponse> {
  const pathTo = (...ids: readonly string[]) => comparePath(dataset.tenant_id, dataset.id, ids);
  const [baseline, compared] = [one, other].map(({ id, name, test_run_number, start_time }) => {
    return markup`${link(pathTo(id), name)} <span class="soft">#${test_run_number}</span><br>${timeCell(start_time)}`;
  });
  const both = [
    factList([
      ["Baseline", baseline],
      ["Compared", compared],
    ]),
    markup`<p>${link(pathTo(other.id, one.id), "Swap the two")}</p>`,
  ];
  const trail = [link(datasetPath(dataset.tenant_id, dataset.id), dataset.name)];
  const settings = { section: "Datasets", trail } as const;
  if (one.run_count === null || other.run_count === null) {
    const body = [both, markup`<p class="soft">The scores are being counted; the page reloads itself.</p>`];
    return { status: 200, html: page("Comparison", body, { ...settings, refresh: true }) };
  }
  const comparison = await compare(one.id, other.id);
  if ("refusal" in comparison) {
    const body = [both, markup`<p class="prose">${prose(comparison.refusal)}</p>`, numbersOf([one, other])];
    return { status: 200, html: page("Comparison", body, settings) };
  }
  const { html, style, script } = comparison;
  const content = { hasHeading: true, style: `${FRAME_STYLE}${style}`, script };
  return scriptedPage(page("Comparison", [both, new Markup(html)], { ...settings, ...content }), script);
}

/** The numbers of both beside each other, without a word on which are better. */
function numbersOf(both: readonly ExperimentView[]): Content {
  const stats = both.map(({ feedback_stats }) => new Map(Object.entries(feedback_stats ?? {})));
  const means = scoredKeys(both).map((key) => {
    return [breakableName(`Mean of ${key}`), ...stats.map((each) => meanCell(each.get(key)))];
  });
  return table(
    "Comparison",
    ["Measure", { number: "Baseline" }, { number: "Compared" }],
    [
      ["Rows", ...both.map(({ run_count }) => run_count ?? 0)],
      ["Rows with an error", ...both.map((each) => shortNumber(errorCount(each)))],
      ...means,
      ["Latency, median", ...both.map(({ latency_p50 }) => secondsText(latency_p50))],
      ["Latency, 99th percentile", ...both.map(({ latency_p99 }) => secondsText(latency_p99))],
    ],
  );
}
