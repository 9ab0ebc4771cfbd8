import { refuseKeysIn } from "../inputs/service-connection.ts";
import { uuidOf } from "../../src/contract/uuid.ts";
import { readYamlObject } from "../../src/files/yaml.ts";
import { NAME_POLICIES, type ExperimentRequest } from "../../src/experiments/request.ts";
import { parseSummaryScores } from "../../src/experiments/rows/summary-scores.ts";
import { TIME_POLICIES } from "../../src/experiments/sending/window.ts";
import { TIMEOUT_BOUNDS } from "../inputs/quantity.ts";
import type { InputReader } from "../inputs/input-reader.ts";
import { quoted } from "../../src/text/quoted.ts";
import type { UploadInputName } from "./declared-inputs.ts";
import { presentFields } from "../../src/files/json-object.ts";
import type { JsonObject } from "../../src/files/json/value.ts";
import type { WorkflowRun } from "../inputs/workflow-run.ts";

/** The request as the inputs describe it, apart from the files. */
export type ExperimentInputs = Omit<ExperimentRequest, "defaultName" | "facts" | "results">;

type Reader = InputReader<UploadInputName>;

/** The inputs whose text is sent. */
const SENT = [
  "experiment-name",
  "experiment-description",
  "dataset-name",
  "dataset-description",
  "metadata",
  "summary-scores",
] as const satisfies readonly UploadInputName[];

/** What is uploaded, its names, and the checks on it. `keys` are the keys of the step. */
export function readExperiment(reader: Reader, keys: readonly string[]): ExperimentInputs {
  refuseKeysIn(reader, SENT, keys);
  return {
    name: reader.line("experiment-name"),
    description: textOf(reader, "experiment-description"),
    datasetId: readDatasetId(reader),
    datasetName: reader.line("dataset-name"),
    datasetDescription: textOf(reader, "dataset-description"),
    metadata: readYamlInput(reader, "metadata", (text) => readYamlObject(text, "model: small")) ?? {},
    summaryScores: readYamlInput(reader, "summary-scores", parseSummaryScores) ?? [],
    timePolicy: reader.choice("time-policy", TIME_POLICIES),
    expectedShards: reader.count("expected-shards"),
    expectedRows: reader.count("expected-rows"),
    allowNoScores: reader.boolean("allow-no-scores"),
    onNameConflict: reader.choice("on-name-conflict", NAME_POLICIES),
    maxRows: reader.count("max-rows-per-experiment"),
    timeoutMilliseconds: reader.duration("timeout", TIMEOUT_BOUNDS),
  };
}

function textOf(reader: Reader, input: UploadInputName): string | undefined {
  const text = reader.text(input);
  return text === "" ? undefined : text;
}

function readDatasetId(reader: Reader): string | undefined {
  const text = textOf(reader, "dataset-id");
  if (text === undefined) return undefined;
  const id = uuidOf(text);
  if (id !== undefined) return id;
  reader.fault("dataset-id", `${quoted(text)} is not a valid UUID; write a name in \`dataset-name\``);
  return undefined;
}

type YamlInputReading<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly faults: readonly string[] };

function readYamlInput<Value>(
  reader: Reader,
  input: UploadInputName,
  parse: (text: string) => YamlInputReading<Value>,
): Value | undefined {
  const reading = parse(reader.text(input));
  if (reading.ok) return reading.value;
  for (const fault of reading.faults) reader.fault(input, fault);
  return undefined;
}

/** What is known of the run, as metadata of the experiment. */
export function runFacts(run: WorkflowRun): JsonObject {
  return presentFields({
    commit: run.commit,
    ref: run.ref,
    pull_request: run.pullRequest,
    repository: run.repository,
    workflow: run.workflow,
    job: run.job,
    actor: run.actor,
    run_url: run.url,
    run_id: run.id,
    run_attempt: run.attempt,
  });
}

/** `<workflow>-<sha7>-<run id>-<attempt>`, of what is known; where nothing is, a name by the time. */
export function defaultExperimentName({ workflow, commit, id, attempt }: WorkflowRun, now: Date): string {
  const parts = [oneLine(workflow), commit?.slice(0, 7), id, attempt?.toString()].filter((part) => part !== undefined);
  return parts.length === 0 ? `experiment-${now.toISOString().replace(/\.\d+Z$/, "Z")}` : parts.join("-");
}

function oneLine(text: string | undefined): string | undefined {
  return text?.toWellFormed().replaceAll(/\p{Cc}+/gu, " ");
}
