import { randomUUID } from "node:crypto";
import { connectUploadsTo } from "./connection.ts";
import { readCall, type UploadOptions } from "./connection-options.ts";
import type { ExperimentEvent, SentExperiment } from "./experiments/events.ts";
import { uploadResults } from "./experiments/upload.ts";
import { EXPERIMENT, type Experiment } from "./given-experiment.ts";

/** The sent experiments: several with `splitBy` or for more rows than `maxRowsPerExperiment`, otherwise one. */
export type SentExperiments = readonly [SentExperiment, ...SentExperiment[]];

/** Checks what a program gives, connects, and uploads as the step does. */
export async function uploadExperiment(
  experiment: Experiment,
  options: UploadOptions<ExperimentEvent> = {},
): Promise<SentExperiments> {
  const call = await readCall("uploadExperiment", [experiment, options], EXPERIMENT, "GRAPH_DEPLOY_BASE_URL");
  await using service = connectUploadsTo(call.endpoint, call.connection);
  const defaultName = `experiment-${call.deps.clock
    .date()
    .toISOString()
    .replace(/\.\d+Z$/, "Z")}`;
  // Nothing tells the same program again from another one: each call is a run of its own.
  const request = { ...call.request, defaultName, run: { id: randomUUID(), isRepeated: false } };
  const [first, ...others] = await uploadResults(request, { ...service, ...call.deps });
  if (!first) throw new RangeError("An upload without rows is refused before it is sent.");
  return [first, ...others];
}
