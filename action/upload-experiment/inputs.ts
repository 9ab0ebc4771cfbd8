import type { ExperimentRequest, ResultsRequest } from "../../src/experiments/request.ts";
import { InputReader, type Environment } from "../inputs/input-reader.ts";
import { InputsError } from "../inputs/inputs-error.ts";
import { readRunner, type RunnerFacts } from "../inputs/runner.ts";
import { distinctSecrets, withoutSecrets } from "../inputs/secrets.ts";
import { keysIn, readServiceConnection, serviceSecrets, type ServiceConnection } from "../inputs/service-connection.ts";
import { readWorkflowRun } from "../inputs/workflow-run.ts";
import { UPLOAD_INPUTS } from "./declared-inputs.ts";
import { readExperiment } from "./experiment.ts";
import { readResults } from "./results.ts";
import { defaultExperimentName, runFacts } from "./run-facts.ts";

/** The inputs, checked as far as possible without a request and without opening the result files. */
export interface UploadInputs {
  readonly task: "upload" | "dry-run";
  readonly request: ExperimentRequest & { readonly results: ResultsRequest };
  /** Undefined for a dry run without an address. */
  readonly connection: ServiceConnection | undefined;
  readonly jobSummary: boolean;
  readonly runner: RunnerFacts;
  /** The page of the run; undefined outside of a runner. */
  readonly runUrl: string | undefined;
  /** Sentences on what is allowed but seldom intended. */
  readonly warnings: readonly string[];
}

/**
 * Reads the inputs of the step from its environment, and the few files that they name; the result files are only
 * looked for. It makes no request.
 *
 * @throws InputsError with all errors.
 */
export async function readInputs(env: Environment, now = new Date()): Promise<UploadInputs> {
  const reader = new InputReader(env, UPLOAD_INPUTS);
  const runner = readRunner(env);
  const isDryRun = reader.boolean("dry-run");
  const results = await readResults(reader, runner);
  const connection = await readServiceConnection(reader, env, { runner, isDryRun });
  const experiment = readExperiment(reader, distinctSecrets(keysIn(env)));
  const jobSummary = reader.boolean("job-summary");
  const clean = withoutSecrets(serviceSecrets(env));
  if (reader.faults.length > 0 || results === undefined || (connection === undefined && !isDryRun)) {
    throw new InputsError(reader.faults.map(({ input, message }) => ({ input, message: clean(message) })));
  }
  const run = await readWorkflowRun(env);
  return {
    task: isDryRun ? "dry-run" : "upload",
    request: { results, defaultName: defaultExperimentName(run, now), facts: runFacts(run), ...experiment },
    connection,
    jobSummary,
    runner,
    runUrl: run.url,
    warnings: reader.warnings.map(clean),
  };
}

export { serviceSecrets as secretsIn };
