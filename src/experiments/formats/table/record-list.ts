import type { FormatContext } from "../shared/format.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { JsonRecord } from "../shared/json-records.ts";
import { containerRecords } from "./container-records.ts";

/** The objects of a file of a tool, which stand in a JSON list, one a line, or alone. Throws `DataFileError`. */
export function recordList(file: ResultFile, context: FormatContext): Generator<JsonRecord, void, undefined> {
  const kind = file.json?.kind;
  if (kind === "array") return containerRecords({ shape: "list", path: [], beside: [] }, file, context);
  return containerRecords({ shape: kind === "object" ? "one" : kind === "texts" ? "texts" : "lines" }, file, context);
}
