import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { findFiles, type FoundFile } from "../../src/files/find-files.ts";
import { TRACE_FORMATS, type TraceRequest } from "../../src/trace-files/request.ts";
import { UNSENT_PREFIX } from "../../src/trace-files/sending/runs-file.ts";
import { InputReader, type Environment } from "../inputs/input-reader.ts";
import { InputsError } from "../inputs/inputs-error.ts";
import { refuseKeysIn } from "../inputs/keys-in.ts";
import { reportPatterns } from "../inputs/missing-files.ts";
import { readRunner, type RunnerFacts } from "../inputs/runner.ts";
import { distinctSecrets, withoutSecrets } from "../inputs/secrets.ts";
import { keysIn, readServiceConnection, serviceSecrets, type ServiceConnection } from "../inputs/service-connection.ts";
import { readWorkflowRun } from "../inputs/workflow-run.ts";
import { readWorkspace } from "../inputs/workspace.ts";
import { TRACE_INPUTS, type TraceInputName } from "./declared-inputs.ts";

export { serviceSecrets as secretsIn };

/** The inputs of the step, checked as far as possible without a request and without reading the trace files. */
export interface TraceInputs {
  readonly task: "upload" | "dry-run";
  readonly request: TraceRequest;
  /** Undefined for a dry run without an address. */
  readonly connection: ServiceConnection | undefined;
  readonly jobSummary: boolean;
  readonly runner: RunnerFacts;
  /** The page of the workflow run; undefined outside of a runner. */
  readonly runUrl: string | undefined;
  /** Sentences about inputs that are valid but rarely intended. */
  readonly warnings: readonly string[];
}

/**
 * Reads the inputs of the step from its environment and finds the trace files. It sends no request.
 *
 * @throws InputsError with all invalid inputs.
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

/** The files that the inputs name; undefined after an error, which the reader has. */
async function readTraceFiles(
  reader: InputReader<TraceInputName>,
  runner: RunnerFacts,
): Promise<Pick<TraceRequest, "files" | "format"> | undefined> {
  const format = reader.choice("format", ["auto", ...TRACE_FORMATS]);
  const patterns = reader.lines("traces").map((line) => line.trim());
  if (patterns.length === 0) reader.fault("traces", "is missing: list paths or globs of trace files, one a line");
  const workspace = await readWorkspace(reader, "traces", runner);
  if (workspace === undefined) return undefined;
  const unsent = await Promise.all(patterns.map((pattern) => unsentFile(pattern, runner.temp)));
  const others = patterns.filter((_, index) => unsent[index] === undefined);
  const { files, ...wrong } = await findFiles(others, workspace);
  reportPatterns(reader, "traces", wrong);
  const all = [...unsent.filter((file) => file !== undefined), ...files];
  return { files: all, format: format === "auto" ? undefined : format };
}

/** The `unsent-path` of an earlier step, the one file that may be outside of the workspace. */
async function unsentFile(path: string, temp: string): Promise<FoundFile | undefined> {
  if (!isAbsolute(path)) return undefined;
  const [real, root] = await Promise.all([path, temp].map((each) => realpath(each).catch(() => undefined)));
  if (real === undefined || root === undefined) return undefined;
  const [directory = "", ...rest] = relative(root, real).split(sep);
  return directory.startsWith(UNSENT_PREFIX) && rest.length === 1 ? { path: real, name: path } : undefined;
}
