import type { FormatContext } from "../shared/format.ts";
import { isJsonObject } from "../../../files/json-object.ts";
import { splitJsonArray } from "../../../files/json/array-split.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import { canonicalJson } from "../../../text/canonical-json.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { evaluationScores, itemRow, LEFT_OUT_OF_ITEM } from "./item.ts";
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
  const reader = new ScriptReader(file, context);
  const scripts = listedFields(file, context, {
    path: SCRIPTS,
    isOfGroups: true,
    leftOut: ["script_name", "runtime", "duration_ms", "status", "langfuse_experiment_url", "error"],
    leftOutAround: ["schema_version"],
    runOf: (result) => {
      const metadata = result.value("action_metadata");
      return isJsonObject(metadata) ? { metadata } : {};
    },
  });
  for (const script of scripts) yield* reader.rows(script);
  reader.end();
}

const LEFT_OUT_OF_RUN = ["experiment_id", "name", "description", "dataset_run_id", "dataset_run_url"];

/** Reads scripts one after the other, and counts those that left nothing. */
class ScriptReader {
  readonly #context: FormatContext;
  readonly #file: string;
  readonly #isOne: boolean;
  readonly #keys = new ScoreKeys();
  readonly #summary: SourceScore[] = [];
  #scripts = 0;
  #rows = 0;
  #without = 0;

  constructor(file: ResultFile, context: FormatContext) {
    this.#context = context;
    this.#file = file.name;
    const split = splitJsonArray(file.bytes, SCRIPTS);
    let count = 0;
    while (split.next().done !== true) count += 1;
    this.#isOne = count === 1;
  }

  *rows(script: Fields): Iterable<SourceRow> {
    const { place } = script;
    const path = script.text("script_path") ?? "";
    const result = script.object("experiment_result", LEFT_OUT_OF_RUN);
    const name = result.text("run_name");
    const items = result.someValues("item_results");
    const scores = evaluationScores(result, "run_evaluations", this.#keys);
    if (!script.end()) return;
    this.#scripts += 1;
    if (!result.isThere) {
      this.#without += 1;
      return;
    }
    this.#summary.push(...scores);
    this.#context.describeRun({ summaryScores: this.#summary });
    for (const [index, element] of items.entries()) {
      const below = `${place.path ?? "results"}.experiment_result.item_results.${String(index)}`;
      const at = { file: place.file, row: ++this.#rows, path: below };
      const item = Fields.of(element, at, this.#context, LEFT_OUT_OF_ITEM);
      const row = itemRow(item, { script: path, run_name: name });
      if (!item.end()) continue;
      const { id, inputs = null, expected = null } = row;
      // Two scripts may have the same items.
      yield this.#isOne ? row : { ...row, id: canonicalJson([path, id ?? [inputs, expected]]) };
    }
  }

  /** An item that broke is in no list either, but of that the file says nothing. */
  end(): void {
    if (this.#without === 0) return;
    const count = `${String(this.#without)} of ${String(this.#scripts)}`;
    this.#context.warn(`${this.#file}: ${count} scripts left no results, and their rows are missing.`);
  }
}
