import { relative } from "node:path";
import { flag, line, path, patterns, text } from "../../../src/contract/option-kinds.ts";
import { setFields } from "../../../src/contract/set-fields.ts";
import { option, without, type Option, type OptionTable } from "../../../src/contract/options.ts";
import { CONNECTION_OPTIONS } from "../../../src/control-plane/options.ts";
import { TRACE_OPTIONS } from "../../../src/deployment/options.ts";
import { readDefinition, type Definition } from "../../../src/evaluation/definition.ts";
import type { EvaluationRequest } from "../../../src/evaluation/evaluation.ts";
import {
  DEFINITION_OPTIONS,
  EVALUATION_NAMES,
  RUN_OPTIONS,
  spelling,
  STRUCTURED,
} from "../../../src/evaluation/options.ts";
import type { ScoredBy } from "../../../src/scoring/scorer.ts";
import { findFiles, type FoundFile } from "../../../src/files/find-files.ts";
import { readYaml } from "../../../src/files/yaml.ts";
import type { Host } from "../../host.ts";
import type { Connection } from "../../options/endpoint.ts";
import type { Given, InputReader } from "../../options/input-reader.ts";
import { reportPatterns, readWorkspace, readWorkspaceFile } from "../../options/workspace.ts";
import { inputsOf, type InputNames } from "../../options/never-empty.ts";
import { readConnection, refuseKeysIn, SERVICE_OPTIONS, serviceSecrets } from "../../options/service-connection.ts";
import { readTrace, secretsOfTrace, type TraceOptions } from "../../options/trace.ts";
import { readWrittenPath } from "../../options/written-path.ts";
import { readYamlInput } from "../../options/yaml-input.ts";
import { quoted, quotedName } from "../../../src/text/quoted.ts";
import { withFullStop } from "../../../src/text/reasons.ts";

const { apiKey, tenantId, caCertificate, allowHttp } = SERVICE_OPTIONS;

const OPTIONS = {
  agentUrl: {
    ...CONNECTION_OPTIONS.url,
    about:
      "Address of the agent server, such as the output `url` of a deploy; `local` asks the agent that an earlier step deployed to a local service. Default: the variable GRAPH_DEPLOY_AGENT_URL.",
  },
  apiKey: {
    ...apiKey,
    about: "API key of the agent server. It is sent to `agentUrl` only. Default: the variable GRAPH_DEPLOY_API_KEY.",
  },
  tenantId,
  evaluation: option(path, {
    about:
      "File of the evaluation, such as `evaluation.yaml`, relative to the workspace: YAML with the names of inputs as keys. An input beside it replaces its key.",
    word: "none",
  }),
  ...besideFile(DEFINITION_OPTIONS),
  ...RUN_OPTIONS,
  results: option(path, {
    about: "Path of the results to write, relative to the workspace: rows that an upload and a judgement read.",
    default: "evaluation.results.jsonl",
  }),
  rescore: option(path, {
    about:
      "Path of results of an earlier evaluation, relative to the workspace: their answers are scored again by `scorers`, and the file is replaced. The agent is not asked.",
    word: "none",
  }),
  dryRun: option(flag, {
    about: "Read and check everything, look at the agent server, show what would be asked, and begin no run.",
    default: "false",
    mayBeEmpty: false,
  }),
  baseline: option(patterns, {
    about:
      "Snapshots of earlier judgements, as `baseline` of judge: the newest says before the first run how many tokens and what cost to expect. Without a file, nothing is expected.",
    word: "none",
  }),
  traceSession: option(line, {
    about:
      "Name of the project to trace the evaluation to, with a run for each trial. Default: no trace. If the trace cannot be sent, the step still succeeds.",
  }),
  traceUrl: option(text, { about: TRACE_OPTIONS.traceUrl.about }),
  traceApiKey: option(text, {
    about: "API key for `traceUrl`. The key of the agent server is never sent there.",
    secret: true,
  }),
  showOutputs: option(flag, { about: "Show the outputs of the agent in the log.", default: "false" }),
  jobSummary: option(flag, { about: "Add the scores to the job summary.", default: "true" }),
  ...{ caCertificate, allowHttp },
};

export type EvaluateInputName = InputNames<typeof OPTIONS, typeof EVALUATION_NAMES>;
type Reader = InputReader<EvaluateInputName>;

export const EVALUATE_INPUTS = inputsOf(OPTIONS, EVALUATION_NAMES);

const ADDRESS = { input: "agent-url", variable: "GRAPH_DEPLOY_AGENT_URL" } as const;
export const secretsIn = (given: Given) => [...serviceSecrets(given, ADDRESS), ...secretsOfTrace(given)];

/** The file may hold these too: an input without a text leaves it to the file, and then to the default. */
function besideFile<Table extends OptionTable>(table: Table): { readonly [Name in keyof Table]: Option<unknown> } {
  const beside: { [Name in keyof Table]: Option<unknown> } = { ...table };
  for (const [name, { default: fallback, ...rest }] of Object.entries(table)) {
    const about = fallback === undefined ? rest.about : `${rest.about} Default: \`${fallback}\`.`;
    const parse = (text: string) => (text === "" ? { value: undefined } : rest.parse(text));
    Object.assign(beside, { [name]: { ...rest, about, parse } });
  }
  return beside;
}

export interface RescoreTask {
  readonly type: "rescore";
  readonly file: FoundFile;
  readonly by: ScoredBy;
}

export interface AskTask {
  readonly type: "ask";
  readonly connection: Connection;
  readonly request: EvaluationRequest;
  /** Snapshots that say what to expect. */
  readonly baseline: readonly FoundFile[];
  readonly trace: TraceOptions | undefined;
}

export interface EvaluateOptions {
  /** Undefined where no agent is asked. */
  readonly connection: Connection | undefined;
  readonly workspace: string;
  readonly showsOutputs: boolean;
  readonly runUrl: string | undefined;
  readonly task: AskTask | RescoreTask;
}

export async function readOptions(reader: Reader, host: Host): Promise<EvaluateOptions | undefined> {
  const { place } = host;
  const kept = reader.read(OPTIONS, "rescore");
  const connection = await readConnection(reader, host, { ...ADDRESS, isNeeded: kept === undefined });
  refuseKeysIn(reader, host, ["dataset-name", "input", "run", "scorers"]);
  const workspace = await readWorkspace(reader, "results", place);
  const definition = await readParts(reader, workspace);
  const resultsPath = await readWrittenPath(reader, "results", place);
  const run = await host.run();
  const more = reader.readAll({ ...RUN_OPTIONS, dryRun: OPTIONS.dryRun, showOutputs: OPTIONS.showOutputs });
  if (workspace === undefined || !definition || resultsPath === undefined) return undefined;
  const settings = { connection, workspace, showsOutputs: more.showOutputs, runUrl: run.url };
  const { dataset, ...how } = definition;
  const file = await readFileOf(reader, kept === undefined ? "dataset" : "rescore", kept ?? dataset.path, workspace);
  if (file && kept !== undefined) return { ...settings, task: { type: "rescore", file, by: how } };
  const trace = await readTrace(reader, host, { connection, input: "agent-url" });
  const baseline = await readBaseline(reader, workspace);
  if (!file || !connection) return undefined;
  if (file.path === resultsPath) {
    reader.fault("results", "is the file of `dataset`, which would be replaced; choose another path");
  }
  const { shard, resume, revisionId, dryRun } = more;
  const request = {
    ...how,
    dataset: { ...dataset, file, shard },
    ...{ resultsPath, resume, revisionId, dryRun },
    // Two jobs of a workflow run may evaluate the same at once.
    nonce: run.id === undefined ? undefined : `${run.id} ${relative(workspace, resultsPath)}`,
    expected: { tokens: undefined, cost: undefined },
  };
  return { ...settings, task: { type: "ask", connection, request, baseline, trace } };
}

/** The snapshots that there are: before the first judgement there is none. */
async function readBaseline(reader: Reader, workspace: string): Promise<readonly FoundFile[]> {
  const named = reader.read(OPTIONS, "baseline") ?? [];
  if (named.length === 0) return [];
  const { files, absent, ...wrong } = await findFiles(named, workspace);
  reportPatterns(reader, "baseline", wrong, "ignore");
  for (const fault of absent) reader.warn(`baseline: ${withFullStop(fault)}`);
  return files;
}

/** What the file and the inputs beside it say together; undefined after an error, which the reader has. */
async function readParts(reader: Reader, workspace: string | undefined): Promise<Definition | undefined> {
  const text = await readFile(reader, workspace);
  const own = setFields({
    ...reader.readAll(besideFile(without(DEFINITION_OPTIONS, STRUCTURED))),
    input: await readYamlInput(reader, "input", readYaml),
    run: await readYamlInput(reader, "run", readYaml),
    scorers: await readYamlInput(reader, "scorers", readYaml),
    prices: await readYamlInput(reader, "prices", readYaml),
  });
  const { definition, ofFile, faults } = await readDefinition(text ?? "", own);
  for (const fault of ofFile) reader.fault("evaluation", fault);
  for (const { path, message } of faults) {
    const [name = "", ...below] = path;
    reader.fault(spelling(name), below.length === 0 ? message : `${quotedName(below.join("."))} ${message}`);
  }
  // What a file that cannot be read lacks is not known.
  return text === undefined ? undefined : definition;
}

/** The text of the file, empty where none is named; undefined after an error, which the reader has. */
async function readFile(reader: Reader, workspace: string | undefined): Promise<string | undefined> {
  const name = reader.read(OPTIONS, "evaluation");
  if (name === undefined || workspace === undefined) return "";
  const file = await readWorkspaceFile(name, workspace);
  if (file?.text !== undefined) return file.text;
  reader.fault("evaluation", `${quoted(name)} ${file?.fault ?? "is not a file of the workspace"}`);
  return undefined;
}

/** The one file that a path names; undefined after an error, which the reader has. */
async function readFileOf(
  reader: Reader,
  input: "dataset" | "rescore",
  path: string,
  workspace: string,
): Promise<FoundFile | undefined> {
  if (path === "") {
    reader.fault(input, "is missing; name the file of the cases, here or in the file of `evaluation`");
    return undefined;
  }
  const { files, faults } = await findFiles([path], workspace);
  for (const fault of faults) reader.fault(input, fault);
  const [file] = files;
  if (files.length > 1) reader.fault(input, `${quoted(path)} names ${String(files.length)} files; name one`);
  return files.length === 1 ? file : undefined;
}
