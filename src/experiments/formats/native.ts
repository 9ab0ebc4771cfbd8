import type { ResultFormat } from "../format.ts";
import { documentRest } from "./document-rest.ts";
import { listedPieces, parsedPiece } from "./listed-values.ts";
import { nativeDataset } from "./native-dataset.ts";
import { NativeReader } from "./native-row.ts";

/** The body of an upload as the service takes it. */
export const native: ResultFormat = {
  name: "native",
  detect: ({ json }) => {
    if (json?.kind !== "object") return false;
    const row = json.keysAt(["results"]);
    const isRow = row.includes("inputs") && ROW_SIGNS.some((key) => row.includes(key));
    const has = (key: string) => json.topKeys.includes(key);
    // Behind a long list nothing is seen any more, and before one perhaps no row yet.
    return isRow || (has("results") && NAMES.some(has)) || (RUN_SIGNS.some(has) && !has("type"));
  },
  run: (file, tell) => {
    tell(nativeDataset(documentRest(file, ["results"])));
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

const ROW_SIGNS = ["row_id", "evaluation_scores", "actual_outputs", "expected_outputs", "start_time"];
// experiment_metadata alone is no sign: pydantic-evals has it, too.
const RUN_SIGNS = ["experiment_start_time", "experiment_end_time", "summary_experiment_scores"];
const NAMES = ["experiment_name", "dataset_name", "dataset_id"];
