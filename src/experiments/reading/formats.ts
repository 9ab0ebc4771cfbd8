import { FORMAT_NAMES, type FormatName } from "../format-names.ts";
import type { ResultFormat } from "../formats/shared/format.ts";
import { azureAi } from "../formats/azure-ai.ts";
import { bedrock } from "../formats/bedrock.ts";
import { braintrust } from "../formats/braintrust/braintrust.ts";
import { csv } from "../formats/csv.ts";
import { deepeval } from "../formats/deepeval/deepeval.ts";
import { evalite } from "../formats/evalite.ts";
import { inspect } from "../formats/inspect/inspect.ts";
import { jest, vitest } from "../formats/test-runners/test-report.ts";
import { jsonl } from "../formats/jsonl.ts";
import { junit } from "../formats/junit/junit.ts";
import { langfuse } from "../formats/langfuse.ts";
import { lmEval } from "../formats/lm-eval.ts";
import { mlflow } from "../formats/mlflow.ts";
import { nativeJsonl, native } from "../formats/native.ts";
import { openaiEvalItems } from "../formats/openai/eval-items.ts";
import { openaiEvals } from "../formats/openai/evals.ts";
import { opik } from "../formats/opik.ts";
import { phoenixEvals, phoenix } from "../formats/phoenix.ts";
import { promptfoo } from "../formats/promptfoo/promptfoo.ts";
import { refuseOlderTable } from "../formats/promptfoo/table.ts";
import { pydanticEvals } from "../formats/pydantic-evals.ts";
import { pytestJson } from "../formats/test-runners/pytest-json.ts";
import { ragasCsv } from "../formats/ragas-csv.ts";
import { trulens } from "../formats/trulens.ts";
import { weave } from "../formats/weave.ts";
import type { Mapping } from "../rows/mapping.ts";
import { csvHead, raggedFault } from "../formats/shared/csv-file.ts";
import { NO_ROW_WRITTEN, refuseAggregate, UNPACK, WRITE_ROWS } from "../formats/shared/foreign-file.ts";
import { listsText, recordLists, rowsLine } from "../formats/table/record-lists.ts";
import { isZip } from "../formats/shared/zip-file.ts";
import { DataFileError } from "../../files/json/errors.ts";
import { FAULT } from "../../files/json/faults.ts";
import { MARK_BYTES } from "../../files/json/encoding.ts";
import { startOfBadLine } from "../../files/json/byte-window.ts";
import type { ResultFile } from "../rows/result-file.ts";

const FORMAT_OF: Readonly<Record<FormatName, ResultFormat>> = {
  native,
  "native-jsonl": nativeJsonl,
  promptfoo,
  deepeval,
  inspect,
  "ragas-csv": ragasCsv,
  csv,
  jsonl,
  evalite,
  vitest,
  jest,
  junit,
  braintrust,
  "openai-evals": openaiEvals,
  "pydantic-evals": pydanticEvals,
  langfuse,
  opik,
  "lm-eval": lmEval,
  bedrock,
  "openai-eval-items": openaiEvalItems,
  "azure-ai": azureAi,
  "pytest-json": pytestJson,
  phoenix,
  "phoenix-evals": phoenixEvals,
  mlflow,
  weave,
  trulens,
};

/** A kind of result file with its name, as the input `format` takes it. */
export interface NamedFormat extends ResultFormat {
  readonly name: FormatName;
}

/** Every kind of result file. */
export const FORMATS: readonly NamedFormat[] = FORMAT_NAMES.map(formatNamed);

/** The kind of result file that has this name. */
export function formatNamed(name: FormatName): NamedFormat {
  return { name, ...FORMAT_OF[name] };
}

const MOST_KEYS = 12;

/**
 * The format of a file, by its content alone: a tool's own form first, and then rows of any tool. Throws DataFileError
 * when none fits, or more than one does.
 */
export function chooseFormat(file: ResultFile, formats: readonly NamedFormat[], mapping?: Mapping): NamedFormat {
  const ofTools = formats.filter((format) => format.isGeneric !== true && format.detect(file));
  if (ofTools.length === 0) refuseAggregate(file);
  if (ofTools.length === 0 && !mapping) refuseOlderTable(file);
  const fitting =
    ofTools.length > 0
      ? ofTools
      : formats.filter((format) => format.isGeneric === true && format.detect(file, mapping));
  const [format, ...others] = fitting;
  if (format && others.length === 0) return format;
  if (format) {
    const names = fitting.map(({ name }) => name).join(" or ");
    throw new DataFileError({ file: file.name }, `the file may be ${names}`, {
      reasons: ["FORMAT_AMBIGUOUS"],
    });
  }
  refuseBroken(file);
  // True for the first line of a CSV file without any other.
  const { header, line, records } = csvHead(file);
  if (header.length > 0 && records.length === 0 && file.text.trimEnd().split("\n").length === line) {
    throw new DataFileError({ file: file.name }, "the file has only one line, and no rows", { advice: NO_ROW_WRITTEN });
  }
  throw new DataFileError({ file: file.name }, `could not detect the format: the file is ${describe(file)}`, {
    advice: adviceFor(file),
    reasons: ["FORMAT_UNKNOWN"],
  });
}

function adviceFor(file: ResultFile): string {
  if (isZip(file.head)) return UNPACK;
  if (file.json.kind !== "object") return WRITE_ROWS;
  const lists = recordLists(file);
  const [first] = lists;
  if (!first) return `${WRITE_ROWS} ${NAME_ROWS}`;
  return `In it, ${listsText(lists)}. If these are the rows, name them in a mapping: ${rowsLine(first)}. ${WRITE_ROWS}`;
}

const NAME_ROWS = "If the rows are deeper in the file, name their list in a mapping, for example `rows: report.cases`.";

/** Refuses a file that is not text, or is broken JSON or CSV: more helpful than an unknown format. */
function refuseBroken(file: ResultFile): void {
  const { name, head, text, json } = file;
  if (isZip(head)) return;
  const zero = text.indexOf("\0");
  if (zero >= 0) throw new DataFileError({ file: name, line: lineOf(text, zero) }, FAULT.zeroByte);
  if (json.fault) throw new DataFileError({ file: name, line: json.fault.line }, json.fault.fault);
  const { header, records } = csvHead(file);
  // The last one may be cut by the end of what was looked at.
  const whole = file.size - head.length > MARK_BYTES ? records.slice(0, -1) : records;
  const ragged = whole.find(({ cells }) => cells.length !== header.length);
  if (ragged) {
    const what = `as CSV, ${raggedFault(ragged.cells, header)}`;
    const advice = "Quote each cell that contains the delimiter or a line break.";
    throw new DataFileError({ file: name, line: ragged.line }, what, { advice });
  }
  if (text !== "" || head.length === 0 || head.includes(0)) return;
  const line = lineOf(head.toString("latin1"), startOfBadLine(head));
  throw new DataFileError({ file: name, line }, FAULT.notUtf8, { advice: "Write the file as UTF-8." });
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** What the beginning of a file shows: names of fields, never their values. */
function describe({ head, text, json }: ResultFile): string {
  if (json.kind !== "none" && json.kind !== "other") {
    const { topKeys, kind } = json;
    const keys = topKeys.slice(0, MOST_KEYS).map((key) => JSON.stringify(key.slice(0, 60)));
    const more = topKeys.length > MOST_KEYS ? ` and ${String(topKeys.length - MOST_KEYS)} more` : "";
    const shape = { object: "a JSON object", array: "a JSON list", lines: "JSON lines", texts: "JSON texts" }[kind];
    return keys.length === 0 ? `${shape} without keys` : `${shape} with the keys ${keys.join(", ")}${more}`;
  }
  if (isZip(head)) return "a zip archive without a log of inspect_ai";
  if (text === "") return "not text";
  if (text.trim() === "") return "only white space, in its first 256 KiB";
  return "text, but not JSON, CSV or JUnit XML";
}
