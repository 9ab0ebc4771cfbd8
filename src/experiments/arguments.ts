import * as z from "zod";
import {
  abortSignal,
  anyText,
  checkedBoth,
  choice,
  count,
  flag,
  functionOf,
  isIterable,
  milliseconds,
  objectOf,
  objectWith,
  orLeftOut,
  type ShapesOf,
  somePath,
} from "../contract/call-arguments.ts";
import type { ExperimentUploads } from "../experiment-upload/client.ts";
import { UNCLEAR_POLICIES } from "../experiment-upload/next-step.ts";
import { foundFiles } from "../files/found-file-shape.ts";
import { isJsonObject, type JsonObject, writeJsonValue } from "../files/json/value.ts";
import { clockShape } from "../http/call-shapes.ts";
import type { Emit } from "./events.ts";
import { FORMAT_NAMES } from "./format-names.ts";
import type { ReadingDeps } from "./reading/file-reading.ts";
import { NAME_POLICIES, type ExperimentRequest, type ResultsRequest, type RowsRequest } from "./request.ts";
import type { MappedScore, Mapping } from "./rows/mapping.ts";
import { TIME_POLICIES } from "./sending/window.ts";

/** What an upload works with. */
export interface UploadDeps extends ReadingDeps {
  /** The client of the service, as `connectUploads` returns it. */
  readonly uploads: ExperimentUploads;
}

export interface DryRunDeps extends ReadingDeps {
  /** An existing directory for the request bodies. */
  readonly requestDirectory: string;
}

// The values of files keep their digits in objects of their own, which are written as numbers.
const json = z.custom<JsonObject>(isWritable, "must be an object that JSON can represent");

function isWritable(value: unknown): boolean {
  try {
    return isJsonObject(value) && writeJsonValue(value) !== "";
  } catch {
    return false;
  }
}

const parts = z.union([anyText, z.record(z.string(), anyText)], "must be a path, or one for each key").optional();
const mapping = z.strictObject({
  rows: anyText.optional(),
  id: anyText.optional(),
  inputs: parts,
  expected: parts,
  outputs: parts,
  scores: z
    .record(
      z.string(),
      z.looseObject({ path: anyText } satisfies Pick<ShapesOf<MappedScore>, "path">, "must have a path"),
    )
    .optional(),
  startTime: anyText.optional(),
  endTime: anyText.optional(),
  repetition: anyText.optional(),
  latencySeconds: anyText.optional(),
  latencyMilliseconds: anyText.optional(),
  error: anyText.optional(),
  metadata: parts,
} satisfies ShapesOf<Mapping>);

const results = z.union(
  [
    z.looseObject({
      files: foundFiles,
      format: choice(FORMAT_NAMES).optional(),
      mapping: mapping.optional(),
      workspace: somePath,
    } satisfies ShapesOf<ResultsRequest>),
    z.looseObject({
      rows: z.custom<RowsRequest["rows"]>(isIterable, "must be an iterable of rows"),
    } satisfies ShapesOf<RowsRequest>),
  ],
  "must be an object with files and a workspace, or with rows",
);

// What a caller expects is checked: an expectation that got lost would be one that holds.
const RequestShape = z.looseObject({
  results,
  name: anyText.optional(),
  defaultName: anyText,
  description: anyText.optional(),
  datasetId: anyText.optional(),
  datasetName: anyText.optional(),
  datasetDescription: anyText.optional(),
  facts: json,
  metadata: json,
  summaryScores: z.array(
    json.and(z.looseObject({ key: anyText }, "must be a score with its key")),
    "must be a list of scores",
  ),
  times: objectOf().optional(),
  timePolicy: choice(TIME_POLICIES),
  expectedShards: orLeftOut(count),
  expectedRows: orLeftOut(count),
  allowNoScores: flag,
  onNameConflict: choice(NAME_POLICIES),
  onUnclear: choice(UNCLEAR_POLICIES),
  run: z.looseObject({ id: anyText, isRepeated: flag }, "must be an object with id and isRepeated"),
  maxRows: count.optional(),
  splitBy: anyText.optional(),
  timeoutMilliseconds: milliseconds,
} satisfies ShapesOf<ExperimentRequest>);

const READING = {
  spoolDirectory: somePath.optional(),
  clock: clockShape,
  signal: abortSignal,
  emit: functionOf<Emit>(),
} satisfies ShapesOf<ReadingDeps>;
const UploadShape = z.looseObject({
  ...READING,
  uploads: objectWith<ExperimentUploads>(["upload"], "an ExperimentUploads, as connectUploads returns it"),
} satisfies ShapesOf<UploadDeps>);
const DryRunShape = z.looseObject({ ...READING, requestDirectory: somePath } satisfies ShapesOf<DryRunDeps>);

/** Throws ArgumentsError with all that is wrong with both arguments of an upload. */
export function checkUpload(request: unknown, deps: unknown): void {
  checkedBoth("uploadResults", [RequestShape, request], [UploadShape, deps]);
}

/** The same of a dry run. */
export function checkDryRun(request: unknown, deps: unknown): void {
  checkedBoth("dryRunUpload", [RequestShape, request], [DryRunShape, deps]);
}
