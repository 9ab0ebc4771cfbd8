import { InputReader, type Environment } from "./input-reader.ts";
import { InputsError } from "./inputs-error.ts";
import type { DeclaredInputs } from "./never-empty.ts";
import { readRunner, type RunnerFacts } from "../../action/runner.ts";
import { distinctSecrets } from "./secrets.ts";
import {
  keysIn,
  readServiceConnection,
  serviceSecrets,
  type ServiceInputName,
  type ServiceConnection,
} from "./service-connection.ts";
import { readWorkflowRun, type WorkflowRun } from "../../action/github/workflow-run.ts";

/** The inputs of a step that uploads files, checked as far as possible without a request and without reading the files. */
export interface UploadInputs<Request> {
  readonly task: "upload" | "dry-run";
  readonly request: Request;
  /** Undefined for a dry run without an address. */
  readonly connection: ServiceConnection | undefined;
  readonly jobSummary: boolean;
  readonly runner: RunnerFacts;
  /** The page of the workflow run; undefined outside of a runner. */
  readonly runUrl: string | undefined;
  /** Sentences on what is allowed but seldom intended. */
  readonly warnings: readonly string[];
  /** Sentences on what is good to know. */
  readonly notices: readonly string[];
}

type CommonInputName = ServiceInputName | "dry-run" | "job-summary";

/** What one step reads besides. Errors go to the reader; undefined stands for files that cannot be found out. */
interface UploadReading<Name extends string, Files, Rest, Extra> {
  readonly files: (reader: InputReader<CommonInputName | Name>, runner: RunnerFacts) => Promise<Files | undefined>;
  readonly rest: (
    reader: InputReader<CommonInputName | Name>,
    known: { readonly keys: readonly string[]; readonly run: WorkflowRun },
  ) => Promise<Rest> | Rest;
  /** Reads the inputs that are not part of the request. */
  readonly extra: (
    reader: InputReader<CommonInputName | Name>,
    known: { readonly runner: RunnerFacts; readonly connection: ServiceConnection | undefined },
  ) => Promise<Extra>;
}

/**
 * Reads the inputs of a step that uploads files. It sends no request.
 *
 * @throws InputsError with all errors.
 */
export async function readUploadInputs<
  Name extends string,
  Files extends object,
  Rest extends object,
  Extra extends object,
>(
  env: Environment,
  declared: DeclaredInputs<CommonInputName | Name>,
  { files: readFiles, rest: readRest, extra: readExtra }: UploadReading<Name, Files, Rest, Extra>,
): Promise<Extra & UploadInputs<Files & Rest>> {
  const reader = new InputReader(env, declared, serviceSecrets(env));
  const runner = readRunner(env);
  const isDryRun = reader.boolean("dry-run");
  const files = await readFiles(reader, runner);
  const connection = await readServiceConnection(reader, env, { runner, isDryRun });
  const run = await readWorkflowRun(env);
  const rest = await readRest(reader, { keys: distinctSecrets(keysIn(env)), run });
  const extra = await readExtra(reader, { runner, connection });
  const jobSummary = reader.boolean("job-summary");
  if (reader.faults.length > 0 || files === undefined || (connection === undefined && !isDryRun)) {
    throw new InputsError(reader.faults);
  }
  return {
    ...extra,
    task: isDryRun ? "dry-run" : "upload",
    request: { ...files, ...rest },
    connection,
    jobSummary,
    runner,
    runUrl: run.url,
    warnings: reader.warnings,
    notices: reader.notices,
  };
}
