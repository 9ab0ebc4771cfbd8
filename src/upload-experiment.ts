import { randomUUID } from "node:crypto";
import * as z from "zod";
import { connectUploads } from "./connection.ts";
import { UploadOptionsShape, readCall, type UploadOptions } from "./connection-options.ts";
import {
  anyObject,
  anyText,
  choice,
  count,
  flag,
  milliseconds,
  orLeftOut,
  type ShapesOf,
  someText,
  isIterable,
} from "./contract/argument-shapes.ts";
import { ArgumentsError, readArgument } from "./contract/call-arguments.ts";
import { uuidOf } from "./contract/uuid.ts";
import { surroundings, warnIfUnchecked } from "./environment.ts";
import { UNCLEAR_POLICIES, type UnclearPolicy } from "./experiment-upload/next-step.ts";
import type { ExperimentEvent, SentExperiment } from "./experiments/events.ts";
import { givenJson } from "./experiments/rows/given-json.ts";
import { NAME_POLICIES, type ExperimentRequest, type NamePolicy } from "./experiments/request.ts";
import type { ResultRow } from "./experiments/rows/result-row.ts";
import { uploadResults } from "./experiments/upload.ts";
import { TIME_POLICIES, type TimePolicy } from "./experiments/sending/window.ts";
import { isJsonObject } from "./files/json-object.ts";
import type { JsonObject } from "./files/json/value.ts";

/** The results of an evaluation, given by a program. */
export interface Experiment {
  /** The dataset in the system that the results come from, by its name, its id or both. */
  readonly datasetName?: string | undefined;
  /** A UUID. */
  readonly datasetId?: string | undefined;
  readonly datasetDescription?: string | undefined;
  /** The rows, which are read once, one after the other. */
  readonly rows: AsyncIterable<ResultRow> | Iterable<ResultRow>;
  /** Made from the current time when not given. */
  readonly experimentName?: string | undefined;
  readonly experimentDescription?: string | undefined;
  /** Facts about the run, such as its model. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
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
  readonly expectedRows?: number;
  /** Splits more rows than this into numbered experiments of one dataset. */
  readonly maxRowsPerExperiment?: number | undefined;
  /** Makes one experiment of the rows with each value in this key of their metadata, such as the model. */
  readonly splitBy?: string | undefined;
  /** How long one upload may take with all its attempts, milliseconds; ten minutes when not given. */
  readonly timeoutMilliseconds?: number | undefined;
}

/** The sent experiments: several with `splitBy` or for more rows than `maxRowsPerExperiment`, otherwise one. */
export type SentExperiments = readonly [SentExperiment, ...SentExperiment[]];

const TIMEOUT_MILLISECONDS = 600_000;

/** The shape of the arguments of an upload. */
export const ExperimentShape = z.strictObject({
  datasetName: someText.optional(),
  datasetId: anyText.refine((id) => uuidOf(id) !== undefined, "is not a UUID").optional(),
  datasetDescription: anyText.optional(),
  // Required: what is right of other arguments is kept where it is missing.
  rows: z
    .custom<Experiment["rows"]>(isIterable, "must be an iterable or an async iterable of rows, such as an array")
    .optional(),
  experimentName: someText.optional(),
  experimentDescription: anyText.optional(),
  metadata: anyObject.optional(),
  timePolicy: choice(TIME_POLICIES).optional(),
  onNameConflict: choice(NAME_POLICIES).optional(),
  onUnclear: choice(UNCLEAR_POLICIES).optional(),
  allowNoScores: flag.optional(),
  expectedRows: orLeftOut(count),
  maxRowsPerExperiment: count.optional(),
  splitBy: someText.optional(),
  timeoutMilliseconds: milliseconds.optional(),
} satisfies ShapesOf<Experiment>);

/** The upload of rows that a program gives. */
export async function uploadExperiment(
  experiment: Experiment,
  options: UploadOptions<ExperimentEvent> = {},
): Promise<SentExperiments> {
  const around = surroundings();
  const shaped = readArgument(ExperimentShape, experiment, "the first argument");
  const read = readArgument(UploadOptionsShape, options, "the second argument");
  const faults = [...shaped.faults, ...read.faults];
  const { value = {}, wrong } = shaped;
  const { rows, datasetName, datasetId } = value;
  if (rows === undefined && !wrong.has("rows")) faults.push("`rows` is missing");
  const isNamed = datasetName !== undefined || datasetId !== undefined;
  if (!isNamed && !wrong.has("datasetName") && !wrong.has("datasetId")) faults.push("`datasetName` is missing");
  const call = readCall(read, "GRAPH_DEPLOY_BASE_URL", around, faults);
  const metadata = metadataOf(value.metadata ?? {}, faults);
  if (faults.length > 0 || rows === undefined) throw new ArgumentsError("uploadExperiment", faults);
  warnIfUnchecked(around, call.deps.emit);
  const service = connectUploads(call.connection);
  try {
    const request = requestOf(value, { rows, metadata, now: call.deps.clock.date() });
    const [first, ...others] = await uploadResults(request, { ...service, ...call.deps });
    if (first === undefined) throw new RangeError("An upload without rows is refused before it is sent.");
    return [first, ...others];
  } finally {
    await service.close();
  }
}

function metadataOf(given: Readonly<Record<string, unknown>>, faults: string[]): JsonObject {
  const json = givenJson(given, { file: "metadata" });
  if (json.fault === undefined) return isJsonObject(json.value) ? json.value : {};
  faults.push(`\`metadata\` ${json.fault}`);
  return {};
}

function requestOf(
  experiment: z.infer<typeof ExperimentShape>,
  { rows, metadata, now }: Pick<Experiment, "rows"> & { readonly metadata: JsonObject; readonly now: Date },
): ExperimentRequest {
  const { experimentName: name, experimentDescription: description, maxRowsPerExperiment: maxRows } = experiment;
  const { datasetId, datasetName, datasetDescription, expectedRows, splitBy } = experiment;
  return {
    results: { rows },
    name,
    defaultName: `experiment-${now.toISOString().replace(/\.\d+Z$/, "Z")}`,
    description,
    datasetId,
    datasetName,
    datasetDescription,
    facts: {},
    metadata,
    summaryScores: [],
    timePolicy: experiment.timePolicy ?? "strict",
    ...(expectedRows === undefined ? {} : { expectedRows }),
    allowNoScores: experiment.allowNoScores ?? false,
    onNameConflict: experiment.onNameConflict ?? "suffix",
    onUnclear: experiment.onUnclear ?? "fail",
    // Nothing tells the same program again from another one: each call is a run of its own.
    run: { id: randomUUID(), isRepeated: false },
    maxRows,
    splitBy,
    timeoutMilliseconds: experiment.timeoutMilliseconds ?? TIMEOUT_MILLISECONDS,
  };
}
