import type { ResultFormat } from "./shared/format.ts";
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "../../files/json/value.ts";
import type { SourceRow } from "../rows/source-row.ts";
import { recordList } from "./table/container-records.ts";
import { Fields } from "./shared/fields.ts";
import { factsOf, isScoreValue } from "./shared/tool-values.ts";

/** What lm-evaluation-harness writes with `--log_samples` (0.4.13): one document and one filter a line. */
export const lmEval: ResultFormat = {
  tool: "lm-eval",
  detect: ({ json }) => SIGNS.every((key) => json.topKeys.includes(key)),
  rows: function* (file, context) {
    // The task in the name that the harness gives the file, `samples_arc_easy_2024-06-11T12-34-56.789012.jsonl`.
    const task = /(?:^|[\\/])samples_(.+)_\d{4}-\d\d-\d\dT[\d.:-]+\.jsonl$/.exec(file.name)?.[1];
    const seen = new Set<string>();
    for (const { record, place } of recordList(file, context)) {
      const sample = Fields.of(record, place, context, ["prompt_hash", "target_hash"]);
      const row = rowOf(sample, record, task);
      if (!sample.end()) continue;
      // Files from before 0.4.4 have a line for each filter, and do not say which: their scores have one name.
      if (seen.has(row.id)) context.fault(place, `the document ${row.id} appears twice, ${ONE_FILTER}`);
      seen.add(row.id);
      yield row;
    }
  },
};

const ONE_FILTER = "and no `filter` distinguishes its lines; keep one line per document";
const SIGNS = ["doc_id", "doc", "resps", "filtered_resps"];

/** Of a sample, besides its metrics, which files from before 0.4.4 do not list. */
const NO_METRICS: ReadonlySet<string> = new Set([
  ...["doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"],
  ...["doc_hash", "prompt_hash", "target_hash"],
]);

function rowOf(sample: Fields, record: JsonObject, task: string | undefined): SourceRow & { readonly id: string } {
  const [said, listed, hash] = [sample.text("filter"), sample.texts("metrics"), sample.text("doc_hash")];
  const filter = said === "none" ? undefined : said;
  const isListed = sample.given("metrics") !== undefined;
  const names = isListed ? listed : Object.keys(record).filter((name) => !NO_METRICS.has(name));
  const metrics = names.map((name) => [name, sample.value(name)] as const);
  // A metric of the whole, such as perplexity, has a list for each document, of which only the mean is made.
  const scores = metrics.filter(([, value]) => isScoreValue(value));
  // The hash distinguishes documents where the name of the file says no task, and what one filter takes from an answer
  // is scored by itself.
  const end = hash === undefined ? "" : `-${hash.slice(0, 8)}`;
  const document = `${task === undefined ? "" : `${task}/`}${String(sample.someId("doc_id"))}${end}`;
  const resps = sample.value("resps");
  return {
    place: sample.place,
    id: filter === undefined ? document : `${document} ${filter}`,
    inputs: sample.value("doc"),
    expected: sample.given("target"),
    outputs: onlyOf(sample.value("filtered_resps")),
    // As the harness names the mean of them.
    scores: scores.map(([name, value]) => ({ key: filter === undefined ? name : `${name},${filter}`, value })),
    metadata: factsOf({
      ...Object.fromEntries(metrics.filter(([, value]) => !isScoreValue(value))),
      task,
      filter,
      resps: filter === undefined ? undefined : resps,
      arguments: sample.value("arguments"),
    }),
  };
}

function onlyOf(responses: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonList(responses) || responses.length !== 1) return responses;
  const [only] = responses;
  return isJsonObject(only) || typeof only === "string" ? only : responses;
}
