import type { ExperimentRequest, ResultsRequest } from "../../src/experiments/request.ts";
import type { Environment } from "../inputs/input-reader.ts";
import { readUploadInputs, type UploadInputs as InputsOf } from "../inputs/upload-inputs.ts";
import { UPLOAD_INPUTS, type UploadInputName } from "./declared-inputs.ts";
import { readExperiment, defaultExperimentName, runFacts } from "./experiment.ts";
import { readNoFilesPolicy } from "../inputs/found-files.ts";
import { readResults } from "../inputs/result-files.ts";

export type UploadInputs = InputsOf<ExperimentRequest & { readonly results: ResultsRequest }>;

/** Reads the inputs of the step from its environment, and the few files that they name. */
export async function readInputs(env: Environment, now = new Date()): Promise<UploadInputs> {
  return await readUploadInputs<UploadInputName, { results: ResultsRequest }, Omit<ExperimentRequest, "results">>(
    env,
    UPLOAD_INPUTS,
    {
      files: async (reader, runner) => {
        const results = await readResults(reader, runner, () => readNoFilesPolicy(reader));
        return results === undefined ? undefined : { results };
      },
      rest: (reader, { keys, run }) => ({
        defaultName: defaultExperimentName(run, now),
        facts: runFacts(run),
        ...readExperiment(reader, keys),
      }),
    },
  );
}
