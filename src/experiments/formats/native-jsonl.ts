import type { ResultFormat } from "../format.ts";
import { jsonLines } from "./json-records.ts";
import { NativeReader } from "./native-row.ts";

/** One row of service.md §2.6 a line; a line `{"type":"experiment", …}` has the fields of the experiment. */
export const nativeJsonl: ResultFormat = {
  name: "native-jsonl",
  detect: ({ json, text }) => {
    const isLine = json?.kind === "lines" || (json?.kind === "object" && !text.trimEnd().includes("\n"));
    if (json === undefined || !isLine || json.topKeys.includes("results")) return false;
    const has = (key: string) => json.topKeys.includes(key);
    const isRow = has("inputs") && (has("row_id") || has("evaluation_scores"));
    return isRow || (has("type") && (has("experiment_name") || has("experiment_start_time")));
  },
  rows: function* (file, context) {
    const reader = new NativeReader(context);
    for (const { record, place } of jsonLines(file, context)) {
      if (record["type"] === "experiment") reader.run(record, place);
      else {
        const row = reader.row(record, place);
        if (row !== undefined) yield row;
      }
    }
  },
};
