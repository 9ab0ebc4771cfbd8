import * as z from "zod";
import { DataFileError } from "../../../files/json/errors.ts";
import { splitJsonLines } from "../../../files/json/line-split.ts";
import { parseJsonValue } from "../../../files/json/parsed-value.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRun } from "../../rows/source-row.ts";
import { textField } from "../shared/shape.ts";

const Dataset = z.looseObject({ dataset_id: textField, dataset_name: textField });

/** The dataset of an experiment without its rows; reading the rows reports what is wrong with the document. */
export function nativeDataset(document: JsonValue | undefined): SourceRun {
  const parsed = Dataset.safeParse(document);
  if (!parsed.success) return {};
  const { dataset_id: id, dataset_name: name } = parsed.data;
  return { ...(id == null ? {} : { datasetId: id }), ...(name == null ? {} : { datasetName: name }) };
}

/** The first value of a file of JSON lines, which may describe the experiment; undefined if it cannot be read. */
export function firstLine(file: ResultFile): JsonValue | undefined {
  try {
    for (const { bytes, line } of splitJsonLines(file.bytes)) return parseJsonValue(bytes, { file: file.name, line });
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
  }
  return undefined;
}
