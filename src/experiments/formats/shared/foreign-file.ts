import { MARK_BYTES } from "../../../files/json/encoding.ts";
import { DataFileError } from "../../../files/json/errors.ts";
import { namesIn } from "./csv-file.ts";
import { rootName } from "./xml-root.ts";
import { isZip } from "./zip-file.ts";
import { quotedName } from "../../../text/quoted.ts";
import type { ResultFile } from "../../rows/result-file.ts";

/** Refuses a file that holds no rows in any format: names what it is, and what to upload in its place. */
export function refuseForeign(file: ResultFile): void {
  const isBinary = file.text === "" || file.text.includes("\0");
  const kind = isBinary ? (binaryKind(file.head) ?? blankKind(file)) : textKind(file);
  if (!kind) return;
  const { what, advice } = kind;
  throw new DataFileError({ file: file.name }, what, { advice });
}

/** Refuses what some tools write beside their rows: a summary of scores, or a list of where the rows are. */
export function refuseAggregate(file: ResultFile): void {
  const names = new Set(namesIn(file));
  const among = (kinds: readonly SignedKind[]) =>
    kinds.find(({ signs }) => signs.some((keys) => keys.every((key) => names.has(key))));
  const [aggregate, list] = [among(AGGREGATES), among(LISTS)];
  const kind = aggregate ?? list;
  if (!kind) return;
  const has = aggregate ? "has summary scores, but no rows" : "has ids, but neither inputs nor scores";
  throw new DataFileError({ file: file.name }, `${kind.what}, which ${has}`, { advice: kind.advice });
}

interface ForeignKind {
  readonly what: string;
  readonly advice: string;
}

const OF_PANDAS = 'With pandas: `df.to_json("results.jsonl", orient="records", lines=True)`.';
/** What helps with an archive. */
export const UNPACK = "Unpack it first, and name the files in it.";
/** What helps with a file in which nothing, or only a header, was written. */
export const NO_ROW_WRITTEN = "Look at the step that writes it: it may have failed before the first row.";
/** What can be read from anything. */
export const WRITE_ROWS =
  "Write the rows as CSV or JSON Lines, with the columns `input` and `output` and one for each score.";

const PICKLE_ADVICE = `A pickle is never loaded, because it can run code. ${OF_PANDAS}`;
const PICKLE: ForeignKind = { what: "the file is a Python pickle", advice: PICKLE_ADVICE };

const WORKBOOK: ForeignKind = {
  what: "the file is an Excel workbook",
  advice: "Save the sheet as CSV in UTF-8; with pandas, write the table with `to_csv`.",
};

/** What binary files begin with (their format specifications, and file(1)), as Latin-1. */
const BEGINNINGS: readonly (readonly [beginning: string, what: string, advice: string])[] = [
  ["PAR1", "a Parquet file", `Write it as JSON Lines. ${OF_PANDAS}`],
  ["ARROW1", "an Arrow file", `Write it as JSON Lines. ${OF_PANDAS}`],
  ["FEA1", "a Feather file", `Write it as JSON Lines. ${OF_PANDAS}`],
  ["\xff\xff\xff\xff", "an Arrow stream", `Write it as JSON Lines. ${OF_PANDAS}`],
  ["Obj\x01", "an Avro file", `Write it as JSON Lines. ${OF_PANDAS}`],
  ["\x89HDF", "an HDF5 file", `Write it as JSON Lines. ${OF_PANDAS}`],
  ["\x93NUMPY", "a NumPy array", WRITE_ROWS],
  ["SQLite format 3\0", "an SQLite database", `Export the rows of its table. ${WRITE_ROWS}`],
  ["\x1f\x8b", "packed with gzip", UNPACK],
  ["BZh", "packed with bzip2", UNPACK],
  ["\xfd7zXZ\0", "packed with xz", UNPACK],
  ["\x28\xb5\x2f\xfd", "packed with Zstandard", UNPACK],
  ["7z\xbc\xaf\x27\x1c", "a 7-Zip archive", UNPACK],
  ["Rar!\x1a", "a RAR archive", UNPACK],
  ["%PDF-", "a PDF document", WRITE_ROWS],
  ["\x89PNG", "an image", WRITE_ROWS],
  ["\xff\xd8\xff", "an image", WRITE_ROWS],
  ["GIF8", "an image", WRITE_ROWS],
  ...["\x02", "\x03", "\x04", "\x05"].map((protocol) => [`\x80${protocol}`, "a Python pickle", PICKLE_ADVICE] as const),
];
const OLE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
const TAR = { at: 257, mark: "ustar" };

function binaryKind(head: Buffer): ForeignKind | undefined {
  const start = head.toString("latin1", 0, 16);
  const known = BEGINNINGS.find(([beginning]) => start.startsWith(beginning));
  if (known) return { what: `the file is ${known[1]}`, advice: known[2] };
  if (start.startsWith(OLE)) return WORKBOOK;
  if (head.toString("latin1", TAR.at, TAR.at + TAR.mark.length) === TAR.mark) {
    return { what: "the file is a tar archive", advice: UNPACK };
  }
  return isZip(head) ? ZIPS.find(({ entries }) => entries.some((entry) => head.includes(entry))) : undefined;
}

/** Names of entries; Excel's first ones stand uncompressed at the beginning of the zip. */
const ZIPS: readonly (ForeignKind & { readonly entries: readonly string[] })[] = [
  { ...WORKBOOK, entries: ["xl/workbook", "xl/worksheets", "xl/_rels", "xl/styles", "xl/theme"] },
  {
    what: "the file is an OpenDocument file",
    advice: "Save the sheet as CSV in UTF-8.",
    entries: ["mimetypeapplication/vnd.oasis"],
  },
  {
    what: "the file is a PyTorch file of torch.save",
    advice: `A pickle is never loaded, because it can run code. ${WRITE_ROWS}`,
    entries: ["/data.pkl"],
  },
];

function blankKind({ head, size }: ResultFile): ForeignKind | undefined {
  if (size > head.length + MARK_BYTES || head.toString("latin1").trim() !== "") return undefined;
  const what = head.length === 0 ? "the file is empty" : "the file contains only white space";
  return { what, advice: NO_ROW_WRITTEN };
}

function textKind(file: ResultFile): ForeignKind | undefined {
  const { text, json } = file;
  const blank = blankKind(file);
  if (blank) return blank;
  if (json.kind === "object" && NOTEBOOK.every((key) => json.keysAt(["cells"]).includes(key))) {
    return { what: "the file is a Jupyter notebook", advice: `Let a cell write the results. ${OF_PANDAS}` };
  }
  if (TEXT_PICKLE.test(text)) return PICKLE;
  const root = rootName(text);
  if (HTML.has(root?.toLowerCase() ?? "") || /^\s*<!doctype html/i.test(text)) {
    return {
      what: "the file is an HTML page",
      advice: "Let the tool write its results as JSON, CSV or JUnit XML too.",
    };
  }
  if (root === undefined || JUNIT.has(root) || !text.trimStart().startsWith("<")) return undefined;
  return {
    what: `the file is XML with the root element ${quotedName(root)}; JUnit XML has \`testsuites\` or \`testsuite\``,
    advice: "Let the tool write JUnit XML.",
  };
}

// Protocol 0 is text: a list, a dict or a class of a module.
const TEXT_PICKLE = /^(?:\([ld]p\d+\n|c[\w.]+\n\w+\np\d+\n)/;
/** A page, or a part of one, as `to_html` of pandas writes it. */
const HTML: ReadonlySet<string> = new Set(["html", "table", "body", "div"]);
const NOTEBOOK = ["cell_type", "source"];
const JUNIT: ReadonlySet<string> = new Set(["testsuites", "testsuite"]);

/** With keys of the documents, of the objects in a list or of columns; any of the sets is enough. */
type SignedKind = ForeignKind & { readonly signs: readonly (readonly string[])[] };

const LISTS: readonly SignedKind[] = [
  {
    what: "the file is the list of the run items of Langfuse",
    advice: "Write the result of `run_experiment` as JSON in the script that runs it, or export the traces of the run.",
    signs: [["projectId", "datasetItemId", "traceId", "datasetName"], ["datasetRunItems"]],
  },
  {
    what: "the file is the result of `run_experiment` of Phoenix",
    advice: "Download the experiment from its page as JSON or CSV, or from `/v1/experiments/ID/json`.",
    signs: [["experiment_id", "task_runs", "evaluation_runs"]],
  },
];

const AGGREGATES: readonly SignedKind[] = [
  {
    what: "the file is the summary of lm-evaluation-harness",
    advice: "Run it with `--log_samples`, and upload the `samples_….jsonl`.",
    signs: [
      ["results", "versions", "configs"],
      ["results", "n-shot", "configs"],
      ["results", "group_subtasks"],
      ["results", "lm_eval_version"],
    ],
  },
  {
    what: "the file is a summary of HELM",
    advice: `Take the instances from its \`per_instance_stats.json\` and \`scenario_state.json\`. ${WRITE_ROWS}`,
    signs: [["name", "count", "sum", "sum_squared", "mean"]],
  },
  {
    what: "the file is the report of SWE-bench",
    advice: "Write a line for each instance, with its id, `input` and `resolved` as true or false.",
    signs: [
      ["total_instances", "resolved_instances"],
      ["resolved_ids", "unresolved_ids"],
    ],
  },
  {
    what: "the file is the summary of pytest-json-report",
    advice: "Run pytest without `--json-report-summary`, so that the report has the tests.",
    signs: [["exitcode", "root", "environment", "summary"]],
  },
];
