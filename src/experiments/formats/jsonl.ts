import type { FormatContext, ResultFormat } from "./shared/format.ts";
import { DataFileError } from "../../files/json/errors.ts";
import type { JsonValue } from "../../files/json/value.ts";
import type { ResultFile } from "../rows/result-file.ts";
import { quotedName } from "../../text/quoted.ts";
import { containerRecords } from "./table/container-records.ts";
import { RecordNames } from "./table/record-names.ts";
import { rowRecords } from "./table/summary-records.ts";
import { containerOf, type Container } from "./table/container.ts";
import { jsonDialect } from "./table/columns.ts";
import { TableReader } from "./table/reader.ts";
import type { OutlinedMember } from "../../files/json/outline.ts";

/**
 * Objects of any tool, one a line or in any of the containers of a document, read by a mapping or by the names of their
 * keys.
 */
export const jsonl: ResultFormat = {
  name: "jsonl",
  isGeneric: true,
  takesMapping: true,
  detect: (file, mapping) => {
    const { json } = file;
    if (json === undefined || (json.kind === "object" && json.fault !== undefined)) return false;
    if (FOREIGN.some((keys) => keys.every((key) => json.topKeys.includes(key)))) return false;
    return json.topKeys.length > 0 && containerOf(file, mapping) !== undefined;
  },
  rows: function* (file, context) {
    const container = containerOf(file, context.mapping) ?? otherwise(file, context);
    if ("beside" in container) takeBeside(container.beside, context);
    const reader = new TableReader({ file: file.name, dialect: jsonDialect, context });
    const records = containerRecords(container, file, context);
    for (const { record, place, bytes } of rowRecords(records, new RecordNames(context.mapping), context)) {
      yield* reader.take(record, place, bytes);
    }
    yield* reader.end();
  },
};

/** A file without a container is read line by line, which reports where it breaks, unless the mapping names rows. */
function otherwise({ name, json }: ResultFile, { mapping }: FormatContext): Container {
  if (mapping?.rows !== undefined) {
    const fault = `the \`rows\` of the mapping, ${quotedName(mapping.rows)}, lead neither to a list of objects nor to an object of them`;
    throw new DataFileError({ file: name }, fault, { advice: "Correct the mapping." });
  }
  return { shape: json?.kind === "object" ? "one" : "lines" };
}

/** Keys by which lines of other tools are known. */
const FOREIGN: readonly (readonly string[])[] = [
  ["evaluation_scores"],
  ["type", "experiment_name"],
  ["type", "experiment_start_time"],
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
