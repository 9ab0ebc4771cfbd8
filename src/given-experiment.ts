import * as z from "zod";
import {
  anyObject,
  anyText,
  choice,
  count,
  flag,
  isIterable,
  milliseconds,
  orLeftOut,
  type ShapesOf,
  someText,
} from "./contract/argument-shapes.ts";
import type { ArgumentReading } from "./contract/call-arguments.ts";
import { uuidOf } from "./contract/uuid.ts";
import { UNCLEAR_POLICIES, type UnclearPolicy } from "./experiment-upload/next-step.ts";
import { FORMAT_NAMES, type FormatName } from "./experiments/format-names.ts";
import {
  NAME_POLICIES,
  type ExperimentRequest,
  type NamePolicy,
  type ResultsRequest,
  type RowsRequest,
} from "./experiments/request.ts";
import { givenJson } from "./experiments/rows/given-json.ts";
import { readSummaryScores, type ResultScores } from "./experiments/rows/given-scores.ts";
import { parseMapping, readMapping, type Mapping } from "./experiments/rows/mapping.ts";
import type { ResultRow } from "./experiments/rows/result-row.ts";
import type { SourceScore } from "./experiments/rows/source-row.ts";
import { TIME_POLICIES, type TimePolicy } from "./experiments/sending/window.ts";
import { isJsonObject } from "./files/json-object.ts";
import type { JsonObject } from "./files/json/value.ts";
import { readStatedTime, type SourceTime } from "./files/source-time.ts";
import { filesShape, readGivenFiles } from "./given-files.ts";

/** When something was: a Date, a text in ISO 8601, or the seconds or milliseconds since 1970. */
export type GivenTime = Date | string | number;

/** The results of an evaluation, given by a program: rows, or the files of a tool. */
export interface Experiment {
  /**
   * The dataset in the system that the results come from, by its name, its id or both. Required with `rows`; files may
   * name theirs.
   */
  readonly datasetName?: string | undefined;
  /** A UUID. */
  readonly datasetId?: string | undefined;
  /** What the dataset is about. */
  readonly datasetDescription?: string | undefined;
  /** The rows, which are read once, one after the other; either these or `files` are required. */
  readonly rows?: AsyncIterable<ResultRow> | Iterable<ResultRow> | undefined;
  /** Paths, directories and globs of result files, relative to the working directory; all together are one experiment. */
  readonly files?: string | readonly string[] | undefined;
  /** The format of every file; found out from the content of each when not given. */
  readonly format?: FormatName | undefined;
  /** How the columns or fields of the files are read, as YAML or as an object with its keys; by their names when not given. */
  readonly mapping?: string | Readonly<Record<string, unknown>> | undefined;
  /** Made from the current time when not given, and no file names it. */
  readonly experimentName?: string | undefined;
  /** What the experiment is about. */
  readonly experimentDescription?: string | undefined;
  /** When the experiment began and ended; from the first start of a row to the last end when not given. */
  readonly startTime?: GivenTime | undefined;
  /** The same of its end. */
  readonly endTime?: GivenTime | undefined;
  /** Facts about the run, such as its model. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Scores of the experiment as a whole, each name once; one of a file with the same name is replaced. */
  readonly summaryScores?: ResultScores | undefined;
  /** What happens to rows outside the experiment's time; `strict` when not given. */
  readonly timePolicy?: TimePolicy | undefined;
  /** What happens if the name is taken; `suffix` when not given, which adds a number. */
  readonly onNameConflict?: NamePolicy | undefined;
  /**
   * What happens after a request that is not answered, and that the service does not list: `fail` when not given; `retry`
   * sends again, only for a service that takes a name once.
   */
  readonly onUnclear?: UnclearPolicy | undefined;
  /** Accept results even if no row has a score. */
  readonly allowNoScores?: boolean | undefined;
  /** How many rows there must be; leave it out for any number, because `undefined` is an error. */
  readonly expectedRows?: number | undefined;
  /** How many files there must be; as `expectedRows`. */
  readonly expectedFiles?: number | undefined;
  /** How many rows one experiment has at most: more become numbered experiments of one dataset. */
  readonly maxRowsPerExperiment?: number | undefined;
  /** Makes one experiment of the rows with each value in this key of their metadata, or in this column, such as the model. */
  readonly splitBy?: string | undefined;
  /** How long one upload may take with all its attempts, milliseconds; ten minutes when not given. */
  readonly timeoutMilliseconds?: number | undefined;
}

const TIMEOUT_MILLISECONDS = 600_000;

const time = z.union([z.date(), z.string(), z.number()], "must be a Date, a text in ISO 8601 or a number").optional();

/** The shape of the arguments of an upload. */
export const ExperimentShape = z.strictObject({
  datasetName: someText.optional(),
  datasetId: anyText.refine((id) => uuidOf(id) !== undefined, "is not a UUID").optional(),
  datasetDescription: anyText.optional(),
  rows: z
    .custom<NonNullable<Experiment["rows"]>>(
      isIterable,
      "must be an iterable or an async iterable of rows, such as an array",
    )
    .optional(),
  files: filesShape.optional(),
  format: choice(FORMAT_NAMES).optional(),
  mapping: z.union([someText, anyObject], "must be an object, or a text of YAML").optional(),
  experimentName: someText.optional(),
  experimentDescription: anyText.optional(),
  startTime: time,
  endTime: time,
  metadata: anyObject.optional(),
  summaryScores: z
    .custom<ResultScores>((value) => typeof value === "object" && value !== null, "must be an object or a list")
    .optional(),
  timePolicy: choice(TIME_POLICIES).optional(),
  onNameConflict: choice(NAME_POLICIES).optional(),
  onUnclear: choice(UNCLEAR_POLICIES).optional(),
  allowNoScores: flag.optional(),
  expectedRows: orLeftOut(count),
  expectedFiles: orLeftOut(count),
  maxRowsPerExperiment: count.optional(),
  splitBy: someText.optional(),
  timeoutMilliseconds: milliseconds.optional(),
} satisfies ShapesOf<Experiment>);

type Given = z.infer<typeof ExperimentShape>;

/** What belongs to files alone. */
const OF_FILES = ["format", "mapping", "expectedFiles"] as const;

/**
 * The request of an upload, without what tells the call from others; undefined where there is nothing to upload. What is
 * wrong with arguments whose shapes are right is added to `faults`.
 */
export async function readExperiment(
  { value: given = {}, wrong }: ArgumentReading<Given>,
  workingDirectory: string,
  faults: string[],
): Promise<Omit<ExperimentRequest, "defaultName" | "run"> | undefined> {
  const { rows, files, datasetName, datasetId, datasetDescription, expectedRows, expectedFiles } = given;
  const isOfRows = rows !== undefined || (files === undefined && !wrong.has("files"));
  if (rows !== undefined && files !== undefined) faults.push("`rows` and `files` are both given; give one");
  else if (isOfRows && rows === undefined && !wrong.has("rows")) faults.push("`rows` is missing; give it, or `files`");
  for (const field of OF_FILES)
    if (rows !== undefined && given[field] !== undefined)
      faults.push(`\`${field}\` is for \`files\`, not for \`rows\``);
  const isNamed = datasetName !== undefined || datasetId !== undefined;
  if (isOfRows && !isNamed && !wrong.has("datasetName") && !wrong.has("datasetId"))
    faults.push("`datasetName` is missing");
  const metadata = metadataOf(given.metadata ?? {}, faults);
  const summaryScores = summaryScoresOf(given.summaryScores ?? {}, faults);
  const times = timesOf(given, faults);
  const ofFiles = rows === undefined && files !== undefined;
  const results = ofFiles ? await resultsOf(given, workingDirectory, faults) : rowsOf(rows);
  if (results === undefined) return undefined;
  return {
    results,
    name: given.experimentName,
    description: given.experimentDescription,
    datasetId,
    datasetName,
    datasetDescription,
    facts: {},
    metadata,
    summaryScores,
    times,
    timePolicy: given.timePolicy ?? "strict",
    ...(expectedRows === undefined ? {} : { expectedRows }),
    ...(expectedFiles === undefined ? {} : { expectedShards: expectedFiles }),
    allowNoScores: given.allowNoScores ?? false,
    onNameConflict: given.onNameConflict ?? "suffix",
    onUnclear: given.onUnclear ?? "fail",
    maxRows: given.maxRowsPerExperiment,
    splitBy: given.splitBy,
    timeoutMilliseconds: given.timeoutMilliseconds ?? TIMEOUT_MILLISECONDS,
  };
}

function rowsOf(rows: Given["rows"]): RowsRequest | undefined {
  return rows === undefined ? undefined : { rows };
}

async function resultsOf(
  { files = [], format, mapping }: Given,
  workspace: string,
  faults: string[],
): Promise<ResultsRequest> {
  const found = await readGivenFiles(files, workspace, faults);
  return { files: found, format, mapping: await mappingOf(mapping, faults), workspace };
}

async function mappingOf(given: Given["mapping"], faults: string[]): Promise<Mapping | undefined> {
  if (given === undefined) return undefined;
  const read = typeof given === "string" ? await parseMapping(given) : readMapping(given);
  if (read.ok) return read.mapping;
  faults.push(...read.faults.map((fault) => `\`mapping\`: ${fault}`));
  return undefined;
}

function metadataOf(given: Readonly<Record<string, unknown>>, faults: string[]): JsonObject {
  const json = givenJson(given, { file: "metadata" });
  if (json.fault === undefined) return isJsonObject(json.value) ? json.value : {};
  faults.push(`\`metadata\` ${json.fault}`);
  return {};
}

function summaryScoresOf(given: unknown, faults: string[]): readonly SourceScore[] {
  const json = givenJson(given, { file: "summaryScores" });
  const read = json.fault === undefined ? readSummaryScores(json.value) : undefined;
  if (read?.ok === true) return read.value;
  const found = read === undefined ? [json.fault ?? ""] : read.faults;
  faults.push(...found.map((fault) => `\`summaryScores\` ${fault}`));
  return [];
}

/** The times of the experiment, as texts or numbers. */
function timesOf({ startTime, endTime }: Given, faults: string[]): ExperimentRequest["times"] {
  const read = (field: string, given: GivenTime | undefined) => {
    if (given === undefined) return undefined;
    const value = given instanceof Date ? given.toISOString() : given;
    const { time: at, fault } = readStatedTime(value);
    if (at === undefined) faults.push(`\`${field}\` ${fault}`);
    return at === undefined ? undefined : { value, at };
  };
  const [start, end] = [read("startTime", startTime), read("endTime", endTime)];
  if (start !== undefined && end !== undefined && isBefore(end.at, start.at))
    faults.push("`endTime` is before `startTime`");
  return start === undefined && end === undefined ? undefined : { start: start?.value, end: end?.value };
}

function isBefore(one: SourceTime, other: SourceTime): boolean {
  return one.microseconds < other.microseconds;
}
