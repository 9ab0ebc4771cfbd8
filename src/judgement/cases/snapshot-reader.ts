import { anyText, checkCall } from "../../contract/call-arguments.ts";
import { isUuid } from "../../contract/uuid.ts";
import { fileBytes, fileSize, firstBytes, memoryBytes, type ByteSource } from "../../files/json/byte-source.ts";
import { DataFileError } from "../../files/json/errors.ts";
import { kindOf } from "../../files/json/kind.ts";
import { splitJsonLines } from "../../files/json/line-split.ts";
import { parseJsonValue } from "../../files/json/parsed-value.ts";
import { ExactNumber, isJsonList, isJsonObject, type JsonValue } from "../../files/json/value.ts";
import type { FoundFile } from "../../files/find-files.ts";
import { quotedName } from "../../text/quoted.ts";
import type { CaseSet, MetricFacts } from "./case-set.ts";
import { CaseTable, nameOfKey } from "./case-table.ts";
import { SnapshotError } from "./errors.ts";
import { UNKNOWN_METRIC } from "./metric-facts.ts";
import { scoreKey } from "./metric-key.ts";
import { readHeader, SCHEMA_NAME, type SnapshotHeader } from "./snapshot-header.ts";
import { MEASURE_FIELDS } from "./snapshot-writer.ts";

const SUFFIX = ".snapshot.jsonl";
const BEGIN = Buffer.from(`{"schema":"${SCHEMA_NAME}@`);

/** True for a snapshot, by its name or by how it begins; false for a file that cannot be read. */
export function isSnapshot({ path, name }: FoundFile): boolean {
  if (name.endsWith(SUFFIX)) return true;
  try {
    const size = fileSize(path, name);
    return firstBytes(fileBytes(path, { name, size }), BEGIN.length).equals(BEGIN);
  } catch (error) {
    if (error instanceof DataFileError) return false;
    throw error;
  }
}

/** Reads a snapshot: the set that was written, without texts that are not in it. Throws SnapshotError. */
export function readSnapshot({ path, name }: FoundFile): CaseSet {
  return readFrom(name, () => fileBytes(path, { name, size: fileSize(path, name) }));
}

/** The same for the text of a snapshot; `name` is what errors call it. */
export function parseSnapshot(text: string, name = "snapshot"): CaseSet {
  checkCall("parseSnapshot", { text: [anyText, text], name: [anyText, name] });
  return readFrom(name, () => memoryBytes(name, Buffer.from(text)));
}

function readFrom(name: string, open: () => ByteSource): CaseSet {
  try {
    return readLines(name, open());
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    throw new SnapshotError(error.place, error.fault, { cause: error, advice: ADVICE });
  }
}

const ADVICE = "Restore the snapshot, or delete it and let a successful run write a new one.";

type Fault = (fault: string) => never;

function readLines(name: string, source: ByteSource): CaseSet {
  const table = new CaseTable();
  let header: SnapshotHeader | undefined;
  let [cases, trials, lastKey] = [0, 0, ""];
  for (const { bytes, line } of splitJsonLines(source)) {
    const place = { file: name, line };
    const fault: Fault = (message) => {
      throw new DataFileError(place, message);
    };
    const value = parseJsonValue(bytes, place);
    if (!header) {
      header = readHeader(value, fault);
      continue;
    }
    const read = caseOf(value, header, lastKey, fault);
    lastKey = read.ofCase.key;
    cases += 1;
    trials += read.trials.length;
    for (const trial of read.trials) table.add({ ...read.ofCase, ...trial });
  }
  if (!header) throw new DataFileError({ file: name }, "the file is empty");
  if (cases !== header.cases || trials !== header.trials) {
    const stated = `${String(header.cases)} cases with ${String(header.trials)} trials`;
    const found = `${String(cases)} with ${String(trials)}`;
    throw new DataFileError({ file: name }, `the header states ${stated}, but the file has ${found}`);
  }
  const { run, metrics } = header;
  return table.finish(run, (metric) => metrics.get(metric) ?? UNKNOWN_METRIC);
}

function caseOf(value: JsonValue, header: SnapshotHeader, lastKey: string, fault: Fault) {
  if (!isJsonObject(value)) return fault(`the line is ${kindOf(value)}, not a case`);
  const { case: key, name, digest, metadata, trials, inputs, expected } = value;
  if (typeof key !== "string" || !isUuid(key) || key !== key.toLowerCase()) {
    return fault("`case` must be a UUID in lower case");
  }
  if (key === lastKey) return fault("the case appears twice");
  if (key < lastKey) return fault("the cases are not in the order of their keys");
  if (typeof name !== "string") return fault(`\`name\` is ${kindOf(name)}, not a text`);
  if (typeof digest !== "string" || !DIGEST.test(digest)) return fault("`digest` must be 32 hex digits");
  const isObject = metadata === undefined || isJsonObject(metadata);
  if (!isObject || Object.values(metadata ?? {}).some((member) => !SCALARS.includes(typeof member))) {
    return fault("`metadata` must be an object of scalars");
  }
  if (!isJsonList(trials) || trials.length === 0) return fault("`trials` must be a list of at least one trial");
  return {
    ofCase: {
      ...{ key, name: name === nameOfKey(key) ? undefined : name, digest, metadata },
      ...{ inputs: textOf("inputs", inputs, fault), expected: textOf("expected", expected, fault) },
    },
    trials: trials.map((trial) => trialOf(trial, header, fault)),
  };
}

const DIGEST = /^[\da-f]{32}$/;

const SCALARS: readonly string[] = ["string", "number", "boolean"];

function trialOf(trial: JsonValue, { metrics, version }: SnapshotHeader, fault: Fault) {
  if (!isJsonObject(trial)) return fault(`a trial is ${kindOf(trial)}, not an object`);
  const { scores, outputs, error } = trial;
  if (!isJsonObject(scores)) return fault(`\`scores\` of a trial is ${kindOf(scores)}, not an object`);
  const values = Object.entries(scores).map(([metric, value]) => valueOf(metric, value, metrics, fault));
  for (const [metric, field] of MEASURE_FIELDS) {
    const value = trial[field];
    const key = metrics.has(metric) ? metric : scoreKey(metric);
    if (value !== undefined) values.push(valueOf(key, value, metrics, fault));
  }
  if (error !== undefined && error !== true && typeof error !== "string") {
    return fault(`\`error\` of a trial is ${kindOf(error)}, neither true nor a text`);
  }
  const texts = { outputs: textOf("outputs", outputs, fault), error: error === true ? undefined : error };
  const read = { values, hasError: error !== undefined, ...texts };
  if (version === 1) return read;
  const { unscored = [], unmeasured } = trial;
  const start = trial["start"] instanceof ExactNumber ? trial["start"].value : trial["start"];
  if (start !== undefined && typeof start !== "number") {
    return fault(`\`start\` of a trial is ${kindOf(start)}, not a number`);
  }
  if (unscored !== null && !(isJsonList(unscored) && unscored.every((name) => typeof name === "string"))) {
    return fault("`unscored` of a trial must be a list of texts");
  }
  return { ...read, start, unscored: unscored ?? undefined, unmeasured: textOf("unmeasured", unmeasured, fault) };
}

function valueOf(
  metric: string,
  value: JsonValue,
  metrics: SnapshotHeader["metrics"],
  fault: Fault,
): readonly [string, number] {
  const facts = metrics.get(metric);
  if (!facts) return fault(`${quotedName(metric)} is not among the metrics of the header`);
  if (typeof value !== "number") return fault(`${quotedName(metric)} is ${kindOf(value)}, not a number`);
  if (!fits(value, facts)) return fault(`${quotedName(metric)} has a value that its kind in the header does not have`);
  return [metric, value];
}

function fits(value: number, { kind, low = 0, high = 1 }: MetricFacts): boolean {
  if (kind === "unbounded") return true;
  if (kind === "positive") return value > 0;
  return kind === "binary" ? value === 0 || value === 1 : value >= low && value <= high;
}

function textOf(field: string, value: JsonValue | undefined, fault: Fault): string | undefined {
  if (value !== undefined && typeof value !== "string") return fault(`\`${field}\` is ${kindOf(value)}, not a text`);
  return value;
}
