import { randomUUID } from "node:crypto";
import { connectUploads } from "./connection.ts";
import { CallOptionsShape, readCall, type UploadOptions } from "./connection-options.ts";
import { ArgumentsError, readArgument } from "./contract/call-arguments.ts";
import { surroundings, warnIfUnchecked } from "./environment.ts";
import type { ExperimentEvent, SentExperiment } from "./experiments/events.ts";
import { faultsOfList } from "./experiments/reading/row-reader.ts";
import { uploadResults } from "./experiments/upload.ts";
import { ExperimentShape, readExperiment, type Experiment } from "./given-experiment.ts";

/** The sent experiments: several with `splitBy` or for more rows than `maxRowsPerExperiment`, otherwise one. */
export type SentExperiments = readonly [SentExperiment, ...SentExperiment[]];

/** Checks what a program gives, connects, and uploads as the step does. */
export async function uploadExperiment(
  experiment: Experiment,
  options: UploadOptions<ExperimentEvent> = {},
): Promise<SentExperiments> {
  const around = surroundings();
  const shaped = readArgument(ExperimentShape, experiment, "the first argument");
  const read = readArgument(CallOptionsShape, options, "the second argument");
  const faults = [...shaped.faults, ...read.faults];
  const given = await readExperiment(shaped, around.workingDirectory, faults);
  const call = readCall(read, "GRAPH_DEPLOY_BASE_URL", around, faults);
  if (faults.length > 0 || !given) {
    const ofRows = faultsOfList(shaped.value?.rows).map((fault) => `\`rows\`: ${fault}`);
    throw new ArgumentsError("uploadExperiment", [...faults, ...ofRows]);
  }
  warnIfUnchecked(around, call.deps.emit);
  const { fieldNames, ...connection } = call.connection;
  const service = connectUploads(connection);
  const defaultName = `experiment-${call.deps.clock
    .date()
    .toISOString()
    .replace(/\.\d+Z$/, "Z")}`;
  try {
    // Nothing tells the same program again from another one: each call is a run of its own.
    const request = { ...given, defaultName, run: { id: randomUUID(), isRepeated: false } };
    const [first, ...others] = await uploadResults(request, { ...service, ...call.deps });
    if (!first) throw new RangeError("An upload without rows is refused before it is sent.");
    return [first, ...others];
  } finally {
    await service.close();
  }
}
