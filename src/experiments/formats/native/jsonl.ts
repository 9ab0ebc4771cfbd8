import type { ResultFormat } from "../shared/format.ts";
import { linePieces, lineRecord } from "../shared/json-records.ts";
import { firstLine, nativeDataset } from "./dataset.ts";
import { isNativeRow, NativeReader } from "./row.ts";

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
