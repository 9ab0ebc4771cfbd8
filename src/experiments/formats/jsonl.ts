import type { FormatContext, ResultFormat } from "./shared/format.ts";
import { DataFileError, placeText } from "../../files/json/errors.ts";
import type { JsonValue } from "../../files/json/value.ts";
import type { ResultFile } from "../rows/result-file.ts";
import { quotedName, listed } from "../../text/quoted.ts";
import { containerRecords } from "./table/container-records.ts";
import { listsText, recordLists, rowsLine } from "./table/record-lists.ts";
import { isScoreListName } from "./table/column-names.ts";
import { RecordNames } from "./table/record-names.ts";
import { containerOf, type Container } from "./table/container.ts";
import { jsonDialect } from "./table/dialect.ts";
import { tableRows } from "./table/reader.ts";
import type { OutlinedMember } from "../../files/json/outline.ts";
import { countOf } from "../../text/number.ts";
import type { JsonRecord } from "./shared/json-records.ts";

/**
 * Objects of any tool, one a line or in any of the containers of a document, read by a mapping or by the names of their
 * keys.
 */
export const jsonl: ResultFormat = {
  isGeneric: true,
  takesMapping: true,
  detect: (file, mapping) => {
    const { json } = file;
    if (json.kind === "object" && json.fault) return false;
    if (FOREIGN.some((keys) => keys.every((key) => json.topKeys.includes(key)))) return false;
    return json.topKeys.length > 0 && containerOf(file, mapping) !== undefined;
  },
  rows: function* (file, context) {
    const container = containerOf(file, context.mapping) ?? otherwise(file, context);
    if ("beside" in container) takeBeside(container.beside, context);
    if (container.shape === "one") warnOfLists(file, context);
    const records = containerRecords(container, file, context);
    const rows = rowRecords(records, new RecordNames(context.mapping), context);
    yield* tableRows(rows, { file: file.name, dialect: jsonDialect, context });
  },
};

/** A file without a container is read line by line, which reports where it breaks, unless the mapping names rows. */
function otherwise({ name, json }: ResultFile, { mapping }: FormatContext): Container {
  if (mapping?.rows !== undefined) {
    const fault = `the \`rows\` of the mapping, ${quotedName(mapping.rows)}, lead neither to a list of objects nor to an object of them`;
    throw new DataFileError({ file: name }, fault, { advice: "Correct the mapping." });
  }
  return { shape: json.kind === "object" ? "one" : "lines" };
}

/** A document that is one record may be what stands around the records. */
function warnOfLists(file: ResultFile, context: FormatContext): void {
  const names = new RecordNames(context.mapping);
  const lists = recordLists(file).filter(
    ({ path }) => !names.isPart(path.split(".", 1)[0] ?? "") && !isScoreListName(path),
  );
  const [first] = lists;
  if (!first) return;
  context.warn(
    `${file.name}: the whole document is read as one record, in which ${listsText(lists)}. If these are the rows, name them in a mapping: ${rowsLine(first)}.`,
  );
}

/** Keys by which lines of other tools are known. */
const FOREIGN: readonly (readonly string[])[] = [
  ["evaluation_scores"],
  ["type", "experiment_name"],
  ["type", "experiment_start_time"],
  ["type", "row_id"],
  ["promptIdx", "testIdx"],
  ["spec"],
  ["final_report"],
  ["event_id", "sample_id"],
  ["experimentName", "scores"],
  ["experiment_name", "scores"],
  ["ExperimentName", "Scores"],
];

/**
 * Takes what stands beside the rows: plain values that are not long go to the metadata of the experiment, all others
 * are reported as not read.
 */
function takeBeside(members: readonly OutlinedMember[], { describeRun, columns }: FormatContext): void {
  const taken = members.filter(isTaken).slice(0, MOST_TAKEN);
  const metadata = taken.map(({ key, value = null }): [string, JsonValue] => [key, value]);
  if (metadata.length > 0) describeRun({ metadata: Object.fromEntries(metadata) });
  const unread = members.filter((member) => !taken.includes(member)).map(({ key }) => key);
  if (members.length > 0) {
    columns(
      taken.map(({ key }) => ({ name: key, role: { part: "metadata", key } })),
      unread.slice(0, MOST_UNREAD),
    );
  }
}

const MOST_TAKEN = 50;
const MOST_UNREAD = 50;
const LONGEST_TEXT = 200;
/** What the step says itself of the run of the workflow, and what should not be stored for others to read. */
const LEFT_OUT =
  /^(?:commit|ref|pull_request|repository|workflow|job|actor|run_url|run_id|run_attempt)$|key|secret|password|credential|authorization|(?:^|_)token$/i;

function isTaken({ key, kind, value }: OutlinedMember): boolean {
  if (kind !== "plain" || value === undefined || value === null || LEFT_OUT.test(key)) return false;
  return typeof value !== "string" || value.length <= LONGEST_TEXT;
}

/**
 * The records that are rows. Before the first row and behind the last one there may be others, such as a line with the
 * means: they have no part of a row, and keys that no row has. They are reported, and not taken as rows.
 */
function* rowRecords(records: Iterable<JsonRecord>, names: RecordNames, context: FormatContext): Iterable<JsonRecord> {
  // The keys of the rows that were seen, and for each key that was whether it is one of a part of a row.
  const ofRows = new Set<string>();
  const areParts = new Map<string, boolean>();
  const isPart = (key: string) => {
    const isOne = areParts.get(key) ?? names.isPart(key);
    if (areParts.size < MOST_KEYS) areParts.set(key, isOne);
    return isOne;
  };
  // True where at least one key is of no row.
  const isForeign = (keys: readonly string[]) => ofRows.size < MOST_KEYS && keys.some((key) => !ofRows.has(key));
  const apart: JsonRecord[] = [];
  let held: JsonRecord[] = [];
  let rows = 0;
  for (const each of records) {
    const keys = Object.keys(each.record);
    if (keys.some(isPart)) {
      rows += 1;
      if (ofRows.size < MOST_KEYS) for (const key of keys) ofRows.add(key);
      // What stands before the first row is looked at again, beside a row; between two rows it is one.
      for (const other of held) {
        if (rows === 1 && isForeign(Object.keys(other.record))) apart.push(other);
        else yield other;
      }
      held = [];
      yield each;
    } else if (held.length < MOST_HELD && (rows === 0 || isForeign(keys))) held.push(each);
    else {
      yield* held;
      held = [];
      yield each;
    }
  }
  // Without any row, reading the records reports what is missing.
  if (rows === 0) yield* held;
  else report([...apart, ...held], context);
}

const MOST_HELD = 100;
const MOST_KEYS = 10_000;
const MOST_SHOWN = 5;

function report(records: readonly JsonRecord[], context: FormatContext): void {
  const [first] = records;
  if (!first) return;
  const keys = Object.keys(first.record).map(quotedName);
  const what = `a record with ${listed(keys, { conjunction: "and", most: MOST_SHOWN })} has no inputs`;
  const all = records.length === 1 ? "" : `; ${countOf(records.length, "record")} are left out`;
  const advice = "Scores of the whole belong in the summary scores.";
  context.warn(`${placeText(first.place)}: ${what} and is not taken as a row${all}. ${advice}`);
}
