import * as z from "zod";
import type { FormatContext } from "../shared/format.ts";
import { isJsonObject } from "../../../files/json-object.ts";
import { splitJsonArray } from "../../../files/json/array-split.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import { canonicalJson } from "../../../text/canonical-json.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { EVALUATION, evaluationScores, ITEM, itemRow, type Item } from "./item.ts";
import { listedValues } from "../shared/listed-values.ts";
import { LEFT_OUT } from "../shared/ledger.ts";
import { ScoreKeys } from "../shared/scores.ts";
import { readShape, textField, type ShapePlace } from "../shared/shape.ts";

/**
 * True for the output `result_json` of langfuse/experiment-action, schema v1: the experiments of one or more scripts.
 */
export function areScripts({ json }: ResultFile): boolean {
  if (json?.kind !== "object" || !json.topKeys.includes("results")) return false;
  const script = json.keysAt(SCRIPTS);
  const isScript = script.includes("script_path") || script.includes("experiment_result");
  return json.topKeys.includes("schema_version") && (isScript || json.topKeys.includes("action_metadata"));
}

const SCRIPTS = ["results"];

/** The items of all scripts. An output of a job is 1 MiB at most, so that a script may be in memory as a whole. */
export function* scriptRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  const reader = new ScriptReader(file, context);
  const describe = (document: JsonValue) => {
    const metadata = isJsonObject(document) ? document["action_metadata"] : undefined;
    context.ledger.look(DOCUMENT, document);
    if (isJsonObject(metadata)) context.describeRun({ metadata });
  };
  for (const { value, place } of listedValues(file, SCRIPTS, context, { rest: describe, isOfGroups: true }))
    yield* reader.rows(value, place);
  reader.end();
}

const DOCUMENT = z.object({ action_metadata: z.unknown() }).register(LEFT_OUT, ["schema_version", "results"]);

const SCRIPT = z
  .object({
    script_path: textField,
    experiment_result: z
      .object({
        run_name: textField,
        item_results: z.array(z.custom<JsonValue>()),
        run_evaluations: z.array(EVALUATION).nullish(),
      })
      .register(LEFT_OUT, ["experiment_id", "name", "description", "dataset_run_id", "dataset_run_url"])
      .nullish(),
  })
  .register(LEFT_OUT, ["script_name", "runtime", "duration_ms", "status", "langfuse_experiment_url", "error"]);

/** Which script made an item, and in which run. */
interface Origin {
  readonly script: string;
  readonly run: string | null | undefined;
}

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

  *rows(value: JsonValue, place: ShapePlace): Generator<SourceRow, void, undefined> {
    const script = readShape(SCRIPT, value, place, this.#context);
    if (script === undefined) return;
    this.#scripts += 1;
    const { experiment_result: result, script_path: path } = script;
    if (result == null) {
      this.#without += 1;
      return;
    }
    this.#summary.push(...evaluationScores(result.run_evaluations ?? [], this.#keys));
    this.#context.describeRun({ summaryScores: this.#summary });
    for (const [index, element] of result.item_results.entries()) {
      const below = `${place.path ?? "results"}.experiment_result.item_results.${String(index)}`;
      const at = { file: place.file, row: ++this.#rows, path: below };
      const item = readShape(ITEM, element, at, this.#context);
      if (item !== undefined) yield this.#row(item, { script: path ?? "", run: result.run_name }, at);
    }
  }

  /** An item that broke is in no list either, but of that the file says nothing. */
  end(): void {
    if (this.#without === 0) return;
    const count = `${String(this.#without)} of ${String(this.#scripts)}`;
    this.#context.warn(`${this.#file}: ${count} scripts left no results, and their rows are missing.`);
  }

  #row(read: Item, { script, run }: Origin, place: ShapePlace): SourceRow {
    const row = itemRow(read, place, { script, run_name: run });
    const { id, inputs = null, expected = null } = row;
    // Two scripts may have the same items.
    return this.#isOne ? row : { ...row, id: canonicalJson([script, id ?? [inputs, expected]]) };
  }
}
