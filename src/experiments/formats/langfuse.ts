import * as z from "zod";
import type { FormatContext, ResultFormat } from "../format.ts";
import { isJsonObject } from "../../files/json-object.ts";
import { splitJsonArray } from "../../files/json/array-split.ts";
import type { JsonValue } from "../../files/json/value.ts";
import type { ResultFile } from "../result-file.ts";
import { canonicalJson } from "../../text/canonical-json.ts";
import type { SourceRow, SourceScore } from "../source-row.ts";
import { listedValues } from "./listed-values.ts";
import { metadataOf } from "./row-metadata.ts";
import { ScoreKeys } from "./score-keys.ts";
import { anyField, readShape, textField, type ShapePlace } from "./shape.ts";

/** The output `result_json` of langfuse/experiment-action, schema v1: the experiments of one or more scripts. */
export const langfuse: ResultFormat = {
  name: "langfuse",
  detect: ({ json }) => {
    if (json?.kind !== "object" || !json.topKeys.includes("results")) return false;
    const script = json.keysAt(["results"]);
    const isScript = script.includes("script_path") || script.includes("experiment_result");
    return json.topKeys.includes("schema_version") && (isScript || json.topKeys.includes("action_metadata"));
  },
  rows: readRows,
};

const SCRIPTS = ["results"];

/** An output of a job is 1 MiB at most, so that a script and its items may be in memory as a whole. */
function* readRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  context.tell({ tool: "langfuse" });
  const reader = new ScriptReader(file, context);
  const tellAction = (document: JsonValue) => {
    const metadata = isJsonObject(document) ? document["action_metadata"] : undefined;
    if (isJsonObject(metadata)) context.tell({ metadata });
  };
  for (const { value, place } of listedValues(file, SCRIPTS, context, { rest: tellAction, isOfGroups: true }))
    yield* reader.rows(value, place);
  reader.end();
}

const EVALUATION = z.object({
  name: z.string(),
  value: anyField,
  comment: textField,
  data_type: textField,
});
type Evaluation = z.infer<typeof EVALUATION>;

const SCRIPT = z.object({
  script_path: textField,
  experiment_result: z
    .object({
      run_name: textField,
      item_results: z.array(z.custom<JsonValue>()),
      run_evaluations: z.array(EVALUATION).nullish(),
    })
    .nullish(),
});

const ITEM = z.object({
  item: z.object({ id: textField, input: anyField, expected_output: anyField, metadata: anyField }).nullish(),
  input: anyField,
  expected_output: anyField,
  output: anyField,
  evaluations: z.array(EVALUATION).nullish(),
  trace_id: textField,
});
type Item = z.infer<typeof ITEM>;

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
    this.#isOne = countElements(file, SCRIPTS) === 1;
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
    const scores = (result.run_evaluations ?? []).filter(isScore);
    this.#summary.push(...scores.map((score) => ({ ...scoreOf(score), key: this.#keys.next(score.name) })));
    this.#context.tell({ summaryScores: this.#summary });
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
    const inputs = read.input ?? read.item?.input;
    const expected = read.expected_output ?? read.item?.expected_output ?? undefined;
    const own = read.item?.id ?? undefined;
    const keys = new ScoreKeys();
    const evaluations = read.evaluations ?? [];
    const labels = evaluations.filter((evaluation) => !isScore(evaluation));
    return {
      place,
      // Two scripts may have the same items.
      id: this.#isOne ? own : canonicalJson([script, own ?? [inputs ?? null, expected ?? null]]),
      inputs,
      expected,
      outputs: read.output,
      scores: evaluations.filter(isScore).map((score) => ({ ...scoreOf(score), key: keys.next(score.name) })),
      metadata: metadataOf(read.item?.metadata, {
        script,
        run_name: run,
        labels: Object.fromEntries(labels.map(({ name, value }) => [name, value ?? null])),
        trace_id: read.trace_id,
      }),
    };
  }
}

/** A text is a category, unless it is said to be a number. */
function isScore({ value, data_type: type }: Evaluation): boolean {
  return typeof value !== "string" || type === "NUMERIC";
}

function scoreOf({ name, value, comment }: Evaluation): SourceScore {
  return { key: name, value, comment: comment ?? undefined };
}

function countElements(file: ResultFile, path: readonly string[]): number {
  const split = splitJsonArray(file.bytes, path);
  let count = 0;
  while (split.next().done !== true) count += 1;
  return count;
}
