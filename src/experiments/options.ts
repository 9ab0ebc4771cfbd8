import { setFields } from "../contract/set-fields.ts";
import * as z from "zod";
import { anyObject, someText } from "../contract/call-arguments.ts";
import {
  choice,
  choiceOrAuto,
  count,
  duration,
  flag,
  label,
  looseUuid,
  mapping,
  patterns,
  prose,
  text,
  TIMEOUT_BOUNDS,
} from "../contract/option-kinds.ts";
import { option, type Kind, type OptionValues } from "../contract/options.ts";
import { UNCLEAR_POLICIES } from "../experiment-upload/next-step.ts";
import { listed } from "../text/quoted.ts";
import { FORMAT_NAMES } from "./format-names.ts";
import { NAME_POLICIES, type ExperimentRequest } from "./request.ts";
import type { ResultScores } from "./rows/given-scores.ts";
import { TIME_POLICIES } from "./sending/window.ts";

const columns: Kind<string, string | Readonly<Record<string, unknown>>> = {
  ...text,
  type: "string | Readonly<Record<string, unknown>>",
  shape: () => z.union([someText, anyObject], "must be an object, or a text of YAML"),
};

const scores: Kind<string, ResultScores> = {
  ...text,
  type: "ResultScores",
  shape: () =>
    z.custom<ResultScores>((value) => typeof value === "object" && value !== null, "must be an object or a list"),
};

/** Which files hold results, and how they are read, also of those that are judged. */
export const READING_OPTIONS = {
  files: option(patterns, {
    about:
      "Result files, as paths, directories and globs relative to the workspace, one per line; `!pattern` takes files out. Together they are one experiment.",
    inPrograms:
      "Result files, as paths, directories and globs relative to the working directory; `!pattern` takes files out. Together they are one experiment. Either these or `rows` are required.",
  }),
  format: option(
    { ...choiceOrAuto(FORMAT_NAMES), type: "FormatName" },
    {
      about: `${listed(FORMAT_NAMES.map((name) => `\`${name}\``))}; \`auto\` detects it by the content of each file.`,
      inPrograms: "Format of every file. Default: detected by the content of each.",
      default: "auto",
    },
  ),
  mapping: option(columns, {
    about:
      "Which columns or keys hold the parts of a row: YAML, or the path of a YAML file, relative to the workspace. Default: by the names of the columns. Only for `csv` and `jsonl`.",
    inPrograms:
      "Which columns or keys hold the parts of a row: an object, or YAML. Default: by the names of the columns. Only for `csv` and `jsonl`.",
  }),
};

/** How an experiment is called, what is said of it, and how it is checked and sent. */
export const EXPERIMENT_OPTIONS = {
  experimentName: option(label, {
    about:
      "Name of the experiment. Default: the name in a native file, else the workflow, the commit and the id of the run, as in `Evaluate-4f1c09a-77`: the same in each attempt of a run, so that none stores the results twice.",
    inPrograms: "Name of the experiment. Default: the name in a native file, else one by the current time.",
  }),
  experimentDescription: option(prose, { about: "Description of the experiment. Default: that of the files." }),
  datasetId: option(looseUuid, {
    about: "Id of the dataset in the system that the results come from, a UUID. Default: that of the files.",
  }),
  datasetName: option(label, {
    about:
      "Name of the dataset. Experiments of one dataset can be compared row by row. A dataset that does not exist is created; one that the service itself manages takes no uploads. Required unless `datasetId` or the files name one.",
  }),
  datasetDescription: option(prose, { about: "Description of the dataset. Default: that of the files." }),
  metadata: option(mapping, {
    about: "Metadata of the experiment as a YAML mapping, in addition to the commit, the run and the files.",
    inPrograms: "Metadata of the experiment, such as its model, in addition to that of the files.",
  }),
  summaryScores: option(scores, {
    about: "Scores of the experiment as a whole: YAML lines such as `accuracy: 0.91`, or feedback objects.",
    inPrograms: "Scores of the experiment as a whole, each name once; one of a file with the same name is replaced.",
  }),
  timePolicy: option(choice(TIME_POLICIES), {
    about:
      "What to do with a row outside the time of the experiment: `strict` rejects it, `expand` widens the experiment, `clamp` cuts the row.",
    default: "strict",
  }),
  allowNoScores: option(flag, {
    about: "Accept results without any score. Otherwise they are an error, since a column was probably misread.",
    default: "false",
  }),
  onNameConflict: option(choice(NAME_POLICIES), {
    about:
      "What to do if the name is taken: `suffix` adds the next free number (after `-9`, eight hex digits), `fail` fails.",
    default: "suffix",
  }),
  onUnclear: option(choice(UNCLEAR_POLICIES), {
    about:
      "What to do if the service does not answer the upload and does not list experiments either: `fail` ends as `uncertain`, `retry` sends it again. Use `retry` only for a service that takes a name once; any other one may store the experiment twice.",
    inPrograms:
      "What to do if the service does not answer the upload and does not list experiments either: `fail` is an error, `retry` sends it again. Use `retry` only for a service that takes a name once; any other one may store the experiment twice.",
    default: "fail",
  }),
  expectedFiles: option(count("none"), {
    about: "Expected number of result files; any other number is an error.",
    inPrograms:
      "Expected number of result files; any other number is an error. Leave it out for any number: `undefined` is an error.",
    word: "none",
  }),
  expectedRows: option(count("none"), {
    about: "Expected number of rows; any other number is an error.",
    inPrograms:
      "Expected number of rows; any other number is an error. Leave it out for any number: `undefined` is an error.",
    word: "none",
  }),
  maxRowsPerExperiment: option(count(), {
    about: "Splits more rows than this into numbered experiments of one dataset. Default: never.",
    inPrograms:
      "How many rows one experiment has at most: more become numbered experiments of one dataset. Default: any number.",
  }),
  splitBy: option(label, {
    about:
      "Makes one experiment of the rows with each value in this column, such as `model`: its name is that of the upload with the value behind it. Scores of several models are never one mean.",
    inPrograms:
      "Makes one experiment of the rows with each value in this key of their metadata, or in this column, such as `model`: its name is that of the upload with the value behind it. Scores of several models are never one mean.",
    word: "none",
  }),
  timeoutMilliseconds: option(duration(TIMEOUT_BOUNDS), {
    about: "Timeout of one upload with all its attempts, {form}.",
    default: "10m",
  }),
};

/** What the values of these options make of a request; what is said in YAML or as objects is read by the door. */
export function experimentOf({
  experimentName,
  experimentDescription,
  expectedFiles,
  expectedRows,
  maxRowsPerExperiment,
  metadata: _,
  summaryScores: __,
  ...same
}: OptionValues<typeof EXPERIMENT_OPTIONS>): Omit<
  ExperimentRequest,
  "defaultName" | "facts" | "metadata" | "results" | "run" | "summaryScores"
> {
  return {
    ...same,
    name: experimentName,
    description: experimentDescription,
    maxRows: maxRowsPerExperiment,
    ...setFields({ expectedShards: expectedFiles, expectedRows }),
  };
}
