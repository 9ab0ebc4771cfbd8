import type { TraceRequest } from "../../src/trace-files/request.ts";
import { InputReader, type Environment } from "../inputs/input-reader.ts";
import { InputsError } from "../inputs/inputs-error.ts";
import { refuseKeysIn } from "../inputs/keys-in.ts";
import { readRunner, type RunnerFacts } from "../inputs/runner.ts";
import { distinctSecrets, withoutSecrets } from "../inputs/secrets.ts";
import { keysIn, readServiceConnection, serviceSecrets, type ServiceConnection } from "../inputs/service-connection.ts";
import { readWorkflowRun } from "../inputs/workflow-run.ts";
import { TRACE_INPUTS } from "./declared-inputs.ts";
import { readTraceFiles } from "./traces.ts";

export { serviceSecrets as secretsIn };

/** What the step was told, checked as far as it can be without a request and without a look into the trace files. */
export interface TraceInputs {
  readonly task: "upload" | "dry-run";
  readonly request: TraceRequest;
  /** Undefined for a dry run that was told no address. */
  readonly connection: ServiceConnection | undefined;
  readonly jobSummary: boolean;
  readonly runner: RunnerFacts;
  /** The page of the workflow run; undefined outside of a runner. */
  readonly runUrl: string | undefined;
  /** Sentences on what is allowed and yet seldom meant. */
  readonly warnings: readonly string[];
}

/**
 * Reads the inputs of the step from its environment; the trace files are only looked for. It makes no request.
 *
 * @throws InputsError with every fault.
 */
export async function readInputs(env: Environment): Promise<TraceInputs> {
  const reader = new InputReader(env, TRACE_INPUTS);
  const runner = readRunner(env);
  const isDryRun = reader.boolean("dry-run");
  const files = await readTraceFiles(reader, runner);
  const connection = await readServiceConnection(reader, env, { runner, isDryRun });
  refuseKeysIn(reader, ["session-name"], distinctSecrets(keysIn(env)));
  const sessionName = reader.line("session-name");
  const jobSummary = reader.boolean("job-summary");
  const clean = withoutSecrets(serviceSecrets(env));
  if (reader.faults.length > 0 || files === undefined || (connection === undefined && !isDryRun)) {
    throw new InputsError(reader.faults.map(({ input, message }) => ({ input, message: clean(message) })));
  }
  const { url: runUrl } = await readWorkflowRun(env);
  return {
    task: isDryRun ? "dry-run" : "upload",
    request: { ...files, sessionName },
    connection,
    jobSummary,
    runner,
    runUrl,
    warnings: reader.warnings.map(clean),
  };
}
