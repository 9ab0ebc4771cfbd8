import type { FoundFile } from "../files/find-files.ts";
import type { UnclearPolicy } from "../experiment-upload/next-step.ts";
import type { FormatName } from "./format-names.ts";
import type { JsonObject } from "../files/json/value.ts";
import type { Mapping } from "./rows/mapping.ts";
import type { ResultRow } from "./rows/result-row.ts";
import type { SourceScore, SourceTimes } from "./rows/source-row.ts";
import type { TimePolicy } from "./sending/window.ts";

/** Which files hold the results, and how they are read. */
export interface ResultsRequest {
  /** At least one; together they are one experiment. */
  readonly files: readonly FoundFile[];
  /** The format of every file; undefined detects it from the content of each. */
  readonly format: FormatName | undefined;
  /** How columns and fields are read; undefined reads them by their names. */
  readonly mapping: Mapping | undefined;
  /** Absolute: absolute paths in files become relative to it. */
  readonly workspace: string;
}

/** Rows that a program has, or makes one by one, in place of files. */
export interface RowsRequest {
  /** The rows, which are read once, one after the other. */
  readonly rows: AsyncIterable<ResultRow> | Iterable<ResultRow>;
}

/** What happens if the name is taken: a number or eight hex digits are appended, or the upload fails. */
export const NAME_POLICIES = ["suffix", "fail"] as const;
/** One of them. */
export type NamePolicy = (typeof NAME_POLICIES)[number];

/** The run that uploads: an upload is known by it, and by its rows. */
export interface UploadingRun {
  /** The same in all attempts of the run; a new one where nothing identifies it. */
  readonly id: string;
  /** True for a later attempt, which looks for what an earlier one has stored. */
  readonly isRepeated: boolean;
}

/**
 * What is uploaded, and how it is called. A field that is undefined is taken from the files; what is given here wins
 * over what they say.
 */
export interface ExperimentRequest {
  /** The files or the rows. */
  readonly results: ResultsRequest | RowsRequest;
  /** The name of the experiment. */
  readonly name: string | undefined;
  /** When neither `name` nor a file names the experiment. */
  readonly defaultName: string;
  /** What the experiment is about. */
  readonly description: string | undefined;
  /** The dataset in the system that the results come from; an id, a name or both. */
  readonly datasetId: string | undefined;
  /** The name of the dataset, as `datasetId`. */
  readonly datasetName: string | undefined;
  /** What the dataset is about. */
  readonly datasetDescription: string | undefined;
  /** What is known of the run, such as its commit; below what the files say. */
  readonly facts: JsonObject;
  /** What the user adds; above what the files say. */
  readonly metadata: JsonObject;
  /** Scores of the experiment as a whole. */
  readonly summaryScores: readonly SourceScore[];
  /** When the experiment began and ended; each end that is not given is that of the files, or of the rows. */
  readonly times?: Pick<SourceTimes, "start" | "end"> | undefined;
  /** What happens to rows outside of the experiment's time. */
  readonly timePolicy: TimePolicy;
  /** How many files there must be. Left out, any number is taken; `undefined` is an error, as of a variable that is not set. */
  readonly expectedShards?: number | undefined;
  /** How many rows there must be; as `expectedShards`. */
  readonly expectedRows?: number | undefined;
  /** True accepts results without any score; otherwise they are refused, because a column was probably misread. */
  readonly allowNoScores: boolean;
  /** What happens if the name is taken. */
  readonly onNameConflict: NamePolicy;
  /** What happens after a request without a response that the service does not list. */
  readonly onUnclear: UnclearPolicy;
  /** The run that uploads. */
  readonly run: UploadingRun;
  /** How many rows one experiment has at most: more become numbered ones of one dataset. Undefined never splits. */
  readonly maxRows: number | undefined;
  /** Makes one experiment of the rows with each value in this column; undefined makes one of all. */
  readonly splitBy?: string | undefined;
  /** How long one upload may take with all its attempts, milliseconds. */
  readonly timeoutMilliseconds: number;
}
