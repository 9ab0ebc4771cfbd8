import type { ResultFormat } from "../shared/format.ts";
import { documentRest, listedPieces, parsedPiece } from "../shared/listed-values.ts";
import { nativeDataset, firstLine } from "./dataset.ts";
import { isNativeRow, mayBeNativeRow, NativeReader } from "./row.ts";
import { linePieces, lineRecord } from "../shared/json-records.ts";

/** The body of an upload as the service takes it. */
export const native: ResultFormat = {
  name: "native",
  detect: ({ json }) => {
    if (json?.kind !== "object") return false;
    const row = json.keysAt(["results"]);
    const has = (key: string) => json.topKeys.includes(key);
    if (isNativeRow(row)) return true;
    // Behind a long list nothing is seen any more, and before one perhaps no row yet.
    return (has("results") && NAMES.some(has) && mayBeNativeRow(row)) || (RUN_SIGNS.some(has) && !has("type"));
  },
  run: (file, describeRun) => {
    describeRun(nativeDataset(documentRest(file, ["results"])));
  },
  rows: function* (file, context) {
    const reader = new NativeReader(context);
    const whole = { file: file.name };
    const rest = (document: Parameters<NativeReader["run"]>[0]) => {
      reader.run(document, whole);
    };
    for (const { piece, place } of listedPieces(file, ["results"], { rest })) {
      const row = reader.verbatim(piece, place) ?? reader.row(parsedPiece(piece, place, context), place);
      if (row !== undefined) yield row;
    }
  },
};

// experiment_metadata alone is not a sign: pydantic-evals has it, too.
const RUN_SIGNS = ["experiment_start_time", "experiment_end_time", "summary_experiment_scores"];
const NAMES = ["experiment_name", "dataset_name", "dataset_id"];

/** One row of an upload a line; a line `{"type":"experiment", …}` has the fields of the experiment. */
export const nativeJsonl: ResultFormat = {
  name: "native-jsonl",
  detect: ({ json, text }) => {
    const isLine = json?.kind === "lines" || (json?.kind === "object" && !text.trimEnd().includes("\n"));
    if (json === undefined || !isLine || json.topKeys.includes("results")) return false;
    const has = (key: string) => json.topKeys.includes(key);
    return isNativeRow(json.topKeys) || (has("type") && (has("experiment_name") || has("experiment_start_time")));
  },
  run: (file, describeRun) => {
    describeRun(nativeDataset(firstLine(file)));
  },
  rows: function* (file, context) {
    const reader = new NativeReader(context);
    for (const line of linePieces(file)) {
      const verbatim = reader.verbatim(line.piece, line.place);
      const record = verbatim === undefined ? lineRecord(line, file, context) : undefined;
      if (record?.["type"] === "experiment") reader.run(record, line.place);
      else {
        const row = verbatim ?? reader.row(record, line.place);
        if (row !== undefined) yield row;
      }
    }
  },
};
