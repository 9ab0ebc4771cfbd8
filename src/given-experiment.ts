import * as z from "zod";
import { type ArgumentReading, isIterable, type ShapesOf } from "./contract/call-arguments.ts";
import { shapesOf, withDefaults } from "./contract/options.ts";
import type { GivenExperimentOptions } from "./experiments/given-options.ts";
import { EXPERIMENT_OPTIONS, experimentOf, READING_OPTIONS } from "./experiments/options.ts";
import type { ExperimentRequest } from "./experiments/request.ts";
import { givenJson } from "./experiments/rows/given-json.ts";
import { faultsOfList } from "./experiments/reading/row-reader.ts";
import { readSummaryScores } from "./experiments/rows/given-scores.ts";
import { parseMapping, readMapping } from "./experiments/rows/mapping.ts";
import type { ResultRow } from "./experiments/rows/result-row.ts";
import type { SourceScore } from "./experiments/rows/source-row.ts";
import { isJsonObject } from "./files/json/value.ts";
import { readStatedTime } from "./files/source-time.ts";
import { readGivenFiles } from "./given-files.ts";

/** When something was: a Date, a text in ISO 8601, or the seconds or milliseconds since 1970. */
export type GivenTime = Date | string | number;

/** The results of an evaluation, given by a program: rows, or the files of a tool. */
export interface Experiment extends GivenExperimentOptions {
  /** The rows, which are read once, one after the other; either these or `files` are required. */
  readonly rows?: AsyncIterable<ResultRow> | Iterable<ResultRow> | undefined;
  /** When the experiment began and ended; from the first start of a row to the last end when not given. */
  readonly startTime?: GivenTime | undefined;
  /** The same of its end. */
  readonly endTime?: GivenTime | undefined;
}

const time = z.union([z.date(), z.string(), z.number()], "must be a Date, a text in ISO 8601 or a number").optional();

export const ExperimentShape = z.strictObject({
  ...shapesOf({ ...READING_OPTIONS, ...EXPERIMENT_OPTIONS }),
  // Rows of one upload are rows all the same where nothing divides them.
  splitBy: EXPERIMENT_OPTIONS.splitBy.kind.shape().optional(),
  rows: z
    .custom<NonNullable<Experiment["rows"]>>(
      isIterable,
      "must be an iterable or an async iterable of rows, such as an array",
    )
    .optional(),
  startTime: time,
  endTime: time,
} satisfies ShapesOf<Experiment>);

type Given = z.infer<typeof ExperimentShape>;

const OF_FILES = ["format", "mapping", "expectedFiles"] as const;

/**
 * The request of an upload, without what tells the call from others; undefined where there is nothing to upload. What is
 * wrong with arguments whose shapes are right is added to `faults`.
 */
async function readExperiment(
  { value: given = {}, wrong }: ArgumentReading<Given>,
  workingDirectory: string,
  faults: string[],
): Promise<Omit<ExperimentRequest, "defaultName" | "run"> | undefined> {
  const { rows, files, datasetName, datasetId } = given;
  const isOfRows = rows !== undefined || (files === undefined && !wrong.has("files"));
  if (rows && files !== undefined) faults.push("`rows` and `files` are both given; give one");
  else if (isOfRows && !rows && !wrong.has("rows")) faults.push("`rows` is missing; give it, or `files`");
  for (const field of OF_FILES)
    if (rows && given[field] !== undefined) faults.push(`\`${field}\` is for \`files\`, not for \`rows\``);
  const isNamed = datasetName !== undefined || datasetId !== undefined;
  if (isOfRows && !isNamed && !wrong.has("datasetName") && !wrong.has("datasetId"))
    faults.push("`datasetName` is missing");
  const json = givenJson(given.metadata ?? {}, { file: "metadata" });
  if (json.fault !== undefined) faults.push(`\`metadata\` ${json.fault}`);
  const metadata = json.fault === undefined && isJsonObject(json.value) ? json.value : {};
  const summaryScores = summaryScoresOf(given.summaryScores ?? {}, faults);
  const times = timesOf(given, faults);
  const ofFiles = !rows && files !== undefined;
  const results = ofFiles ? await resultsOf(given, workingDirectory, faults) : rows && { rows };
  if (!results) return undefined;
  return {
    results,
    ...experimentOf(withDefaults(EXPERIMENT_OPTIONS, given)),
    facts: {},
    metadata,
    summaryScores,
    times,
  };
}

/** What an upload is given, and its request. */
export const EXPERIMENT = {
  shape: ExperimentShape,
  read: readExperiment,
  moreFaults: (given: Given | undefined) => faultsOfList(given?.rows).map((fault) => `\`rows\`: ${fault}`),
};

async function resultsOf(
  { files = [], format, mapping }: Given,
  workspace: string,
  faults: string[],
): Promise<ExperimentRequest["results"]> {
  const found = await readGivenFiles(files, workspace, faults);
  const read = typeof mapping === "string" ? await parseMapping(mapping) : mapping && readMapping(mapping);
  if (read?.ok === false) faults.push(...read.faults.map((fault) => `\`mapping\`: ${fault}`));
  return { files: found, format, mapping: read?.ok === true ? read.mapping : undefined, workspace };
}

function summaryScoresOf(given: unknown, faults: string[]): readonly SourceScore[] {
  const json = givenJson(given, { file: "summaryScores" });
  const read = json.fault === undefined ? readSummaryScores(json.value) : undefined;
  if (read?.ok === true) return read.value;
  const found = read ? read.faults : [json.fault ?? ""];
  faults.push(...found.map((fault) => `\`summaryScores\` ${fault}`));
  return [];
}

/** The times of the experiment, as texts or numbers. */
function timesOf({ startTime, endTime }: Given, faults: string[]): ExperimentRequest["times"] {
  const read = (field: string, given: GivenTime | undefined) => {
    if (given === undefined) return undefined;
    const value = given instanceof Date ? given.toISOString() : given;
    const { time: at, fault } = readStatedTime(value);
    if (!at) faults.push(`\`${field}\` ${fault}`);
    return at && { value, at };
  };
  const [start, end] = [read("startTime", startTime), read("endTime", endTime)];
  if (start && end && end.at.microseconds < start.at.microseconds) faults.push("`endTime` is before `startTime`");
  return !start && !end ? undefined : { start: start?.value, end: end?.value };
}
