import type { UploadOptions } from "./connection-options.ts";
import type { ExperimentEvent, SentExperiment } from "./experiments/events.ts";
import type { Experiment } from "./given-experiment.ts";

/** The sent experiments: several with `splitBy` or for more rows than `maxRowsPerExperiment`, otherwise one. */
export type SentExperiments = readonly [SentExperiment, ...SentExperiment[]];

/**
 * Uploads rows, or the files of a tool, as an experiment of a dataset: POST /datasets/upload-experiment of the contract,
 * sections 2.6 and 4.2. Each row gets an id that is the same in every run of the evaluation, and times if it has none;
 * the rows wait on the disk while they are sent. `options` have the address and the credentials of the service;
 * GRAPH_DEPLOY_BASE_URL, GRAPH_DEPLOY_API_KEY and GRAPH_DEPLOY_TENANT_ID replace missing ones. Each call is an upload of
 * its own, which is stored once. Rejects with ArgumentsError, and with ResultsError, whose `faults` name each wrong row by
 * its number or by its file, before anything is sent.
 */
export async function uploadExperiment(
  experiment: Experiment,
  options: UploadOptions<ExperimentEvent> = {},
): Promise<SentExperiments> {
  // What reads the rows and the formats of tools is loaded with the first call.
  const { callUpload } = await import("./experiment-call.ts");
  return await callUpload(experiment, options);
}
