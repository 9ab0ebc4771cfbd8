// `npm run docs` writes this file from options.ts.

import type { FormatName } from "./format-names.ts";
import type { ResultScores } from "./rows/given-scores.ts";

/** What a program may say of an upload of results, by the names of the options. */
export interface GivenExperimentOptions {
  /**
   * Result files, as paths, directories and globs relative to the working directory; `!pattern` takes files out.
   * Together they are one experiment. Either these or `rows` are required.
   */
  readonly files?: string | readonly string[] | undefined;
  /** Format of every file. Default: detected by the content of each. */
  readonly format?: FormatName | undefined;
  /**
   * Which columns or keys hold the parts of a row: an object, or YAML. Default: by the names of the columns. Only for
   * `csv` and `jsonl`.
   */
  readonly mapping?: string | Readonly<Record<string, unknown>> | undefined;
  /** Name of the experiment. Default: the name in a native file, else one by the current time. */
  readonly experimentName?: string | undefined;
  /** Description of the experiment. Default: that of the files. */
  readonly experimentDescription?: string | undefined;
  /** Id of the dataset in the system that the results come from, a UUID. Default: that of the files. */
  readonly datasetId?: string | undefined;
  /**
   * Name of the dataset. Experiments of one dataset can be compared row by row. A dataset that does not exist is
   * created; one that the service itself manages takes no uploads. Required unless `datasetId` or the files name one.
   */
  readonly datasetName?: string | undefined;
  /** Description of the dataset. Default: that of the files. */
  readonly datasetDescription?: string | undefined;
  /** Metadata of the experiment, such as its model, in addition to that of the files. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Scores of the experiment as a whole, each name once; one of a file with the same name is replaced. */
  readonly summaryScores?: ResultScores | undefined;
  /**
   * What to do with a row outside the time of the experiment: `strict` rejects it, `expand` widens the experiment,
   * `clamp` cuts the row. Default: `strict`.
   */
  readonly timePolicy?: "strict" | "expand" | "clamp" | undefined;
  /**
   * Accept results without any score. Otherwise they are an error, since a column was probably misread. Default:
   * `false`.
   */
  readonly allowNoScores?: boolean | undefined;
  /**
   * What to do if the name is taken: `suffix` adds the next free number (after `-9`, eight hex digits), `fail` fails.
   * Default: `suffix`.
   */
  readonly onNameConflict?: "suffix" | "fail" | undefined;
  /**
   * What to do if the service does not answer the upload and does not list experiments either: `fail` is an error,
   * `retry` sends it again. Use `retry` only for a service that takes a name once; any other one may store the
   * experiment twice. Default: `fail`.
   */
  readonly onUnclear?: "fail" | "retry" | undefined;
  /**
   * Expected number of result files; any other number is an error. Leave it out for any number: `undefined` is an
   * error.
   */
  readonly expectedFiles?: number | undefined;
  /** Expected number of rows; any other number is an error. Leave it out for any number: `undefined` is an error. */
  readonly expectedRows?: number | undefined;
  /**
   * How many rows one experiment has at most: more become numbered experiments of one dataset. Default: any number.
   */
  readonly maxRowsPerExperiment?: number | undefined;
  /**
   * Makes one experiment of the rows with each value in this key of their metadata, or in this column, such as `model`:
   * its name is that of the upload with the value behind it. Scores of several models are never one mean.
   */
  readonly splitBy?: string | undefined;
  /** Timeout of one upload with all its attempts, in milliseconds. Default: `600000`. */
  readonly timeoutMilliseconds?: number | undefined;
}
