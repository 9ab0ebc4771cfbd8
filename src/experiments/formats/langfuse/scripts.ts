import type { FormatContext } from "../shared/format.ts";
import { isJsonObject } from "../../../files/json-object.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import { canonicalJson } from "../../../text/canonical-json.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { evaluationScores, itemRow, LEFT_OUT_OF_ITEM } from "./item.ts";
import { elementsAhead } from "../shared/listed-values.ts";
import { listedFields } from "../shared/listed-fields.ts";
import { Fields } from "../shared/fields.ts";
import { ScoreKeys } from "../shared/scores.ts";

/**
 * True for the output `result_json` of langfuse/experiment-action, schema v1: the experiments of one or more scripts.
 */
export function areScripts({ json }: ResultFile): boolean {
  if (json.kind !== "object" || !json.topKeys.includes("results")) return false;
  const script = json.keysAt(SCRIPTS);
  const isScript = script.includes("script_path") || script.includes("experiment_result");
  return json.topKeys.includes("schema_version") && (isScript || json.topKeys.includes("action_metadata"));
}

const SCRIPTS = ["results"];

/** The items of all scripts. An output of a job is 1 MiB at most, so that a script may be in memory as a whole. */
export function* scriptRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const isOne = [...elementsAhead(file, SCRIPTS).take(2)].length === 1;
  const keys = new ScoreKeys();
  const summaryScores: SourceScore[] = [];
  let [count, without, rows] = [0, 0, 0];
  const scripts = listedFields(file, context, {
    path: SCRIPTS,
    isOfGroups: true,
    leftOut: ["script_name", "runtime", "duration_ms", "status", "langfuse_experiment_url", "error"],
    leftOutAround: ["schema_version"],
    runOf: (result) => {
      const metadata = result.value("action_metadata");
      return { metadata: isJsonObject(metadata) ? metadata : undefined, summaryScores };
    },
  });
  for (const script of scripts) {
    const { place } = script;
    const path = script.text("script_path") ?? "";
    const result = script.object("experiment_result", LEFT_OUT_OF_RUN);
    const name = result.text("run_name");
    const items = result.someValues("item_results");
    const scores = evaluationScores(result, "run_evaluations", keys);
    if (!script.end()) continue;
    count += 1;
    if (!result.isThere) without += 1;
    summaryScores.push(...scores);
    for (const [index, element] of items.entries()) {
      const below = `${place.path ?? "results"}.experiment_result.item_results.${String(index)}`;
      const item = Fields.of(element, { file: place.file, row: ++rows, path: below }, context, LEFT_OUT_OF_ITEM);
      const row = itemRow(item, { script: path, run_name: name });
      if (!item.end()) continue;
      const { id, inputs = null, expected = null } = row;
      // Two scripts may have the same items.
      yield isOne ? row : { ...row, id: canonicalJson([path, id ?? [inputs, expected]]) };
    }
  }
  // An item that broke is in no list either, but of that the file says nothing.
  if (without === 0) return;
  const which = `${String(without)} of ${String(count)}`;
  context.warn(`${file.name}: ${which} scripts left no results, and their rows are missing.`);
}

const LEFT_OUT_OF_RUN = ["experiment_id", "name", "description", "dataset_run_id", "dataset_run_url"];
