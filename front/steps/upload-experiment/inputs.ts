import { randomUUID } from "node:crypto";
import { UNCLEAR_POLICIES } from "../../../src/experiment-upload/next-step.ts";
import { type ExperimentRequest, type ResultsRequest, NAME_POLICIES } from "../../../src/experiments/request.ts";
import type { InputReader } from "../../options/input-reader.ts";
import { readUpload, type UploadOptions } from "../../options/upload-inputs.ts";
import { readNoFilesPolicy } from "../../options/found-files.ts";
import type { NeverEmpty } from "../../options/never-empty.ts";
import { readResults } from "../../options/result-files.ts";
import { refuseKeysIn } from "../../options/service-connection.ts";
import { uuidOf } from "../../../src/contract/uuid.ts";
import { TIME_POLICIES } from "../../../src/experiments/sending/window.ts";
import { TIMEOUT_BOUNDS } from "../../../src/contract/option-kinds.ts";
import { quoted } from "../../../src/text/quoted.ts";
import { presentFields } from "../../../src/files/json-object.ts";
import type { JsonObject } from "../../../src/files/json/value.ts";
import { readYamlObject } from "../../../src/files/yaml.ts";
import type { Host, Run } from "../../host.ts";

/**
 * Every input of the action that uploads an experiment, with its default; a test holds action.yml to this table.
 * An input that is not in it cannot be read: the reader takes these names only.
 */
export const EXPERIMENT_INPUTS = {
  results: "",
  format: "auto",
  mapping: "",
  "if-no-files-found": "error",
  "base-url": "",
  "api-key": "",
  "tenant-id": "",
  "experiment-name": "",
  "experiment-description": "",
  "dataset-id": "",
  "dataset-name": "",
  "dataset-description": "",
  metadata: "",
  "summary-scores": "",
  "time-policy": "strict",
  "allow-no-scores": "false",
  "on-name-conflict": "suffix",
  "on-unclear": "fail",
  "expected-shards": "none",
  "expected-rows": "none",
  "max-rows-per-experiment": "",
  "split-by": "none",
  timeout: "10m",
  "dry-run": "false",
  "job-summary": "true",
  "ca-certificate": "",
  "allow-http": "false",
} as const;

/** The name of an input of the action that uploads an experiment. */
export type UploadInputName = keyof typeof EXPERIMENT_INPUTS;

/** The inputs without which the step checks less, or sends. */
export const EXPERIMENT_NEVER_EMPTY = {
  "expected-shards": "word",
  "expected-rows": "word",
  "split-by": "word",
  "dry-run": "value",
} as const satisfies NeverEmpty<UploadInputName>;

export type ExperimentOptions = UploadOptions<ExperimentRequest & { readonly results: ResultsRequest }>;

/** Reads the options of the step, and the few files that they name. Undefined after an error, which the reader has. */
export async function readOptions(
  reader: InputReader<UploadInputName>,
  host: Host,
): Promise<ExperimentOptions | undefined> {
  return await readUpload<UploadInputName, { results: ResultsRequest }, Omit<ExperimentRequest, "results">>(
    reader,
    host,
    {
      files: async (_, { place }) => {
        const results = await readResults(reader, place, () => readNoFilesPolicy(reader));
        return results === undefined ? undefined : { results };
      },
      rest: async (_, { keys, run }) => ({
        defaultName: defaultExperimentName(run, new Date()),
        run: { id: run.id ?? randomUUID(), isRepeated: run.id !== undefined && (run.attempt ?? 1) > 1 },
        facts: runFacts(run),
        ...(await readExperiment(reader, keys)),
      }),
    },
  );
}

/** The request as the inputs describe it, apart from the files. */
type ExperimentFields = Omit<ExperimentRequest, "defaultName" | "facts" | "results" | "run">;

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
async function readExperiment(reader: Reader, keys: readonly string[]): Promise<ExperimentFields> {
  refuseKeysIn(reader, SENT, keys);
  return {
    name: reader.line("experiment-name"),
    description: textOf(reader, "experiment-description"),
    datasetId: readDatasetId(reader),
    datasetName: reader.line("dataset-name"),
    datasetDescription: textOf(reader, "dataset-description"),
    metadata: (await readYamlInput(reader, "metadata", (text) => readYamlObject(text, "model: small"))) ?? {},
    summaryScores: (await readYamlInput(reader, "summary-scores", readSummaryScores)) ?? [],
    timePolicy: reader.choice("time-policy", TIME_POLICIES),
    ...readExpected(reader),
    allowNoScores: reader.boolean("allow-no-scores"),
    onNameConflict: reader.choice("on-name-conflict", NAME_POLICIES),
    onUnclear: reader.choice("on-unclear", UNCLEAR_POLICIES),
    maxRows: reader.count("max-rows-per-experiment"),
    splitBy: reader.line("split-by"),
    timeoutMilliseconds: reader.duration("timeout", TIMEOUT_BOUNDS),
  };
}

/** How many files and rows there must be; a count that is not given is left out. */
function readExpected(reader: Reader): Pick<ExperimentFields, "expectedRows" | "expectedShards"> {
  const [shards, rows] = [reader.count("expected-shards"), reader.count("expected-rows")];
  return {
    ...(shards === undefined ? {} : { expectedShards: shards }),
    ...(rows === undefined ? {} : { expectedRows: rows }),
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

async function readYamlInput<Value>(
  reader: Reader,
  input: UploadInputName,
  read: (text: string) => Promise<YamlInputReading<Value>>,
): Promise<Value | undefined> {
  const text = reader.text(input);
  if (text === "") return undefined;
  const reading = await read(text);
  if (reading.ok) return reading.value;
  for (const fault of reading.faults) reader.fault(input, fault);
  return undefined;
}

// Most steps have no such scores, and start without the schemas that check them.
async function readSummaryScores(text: string) {
  const { parseSummaryScores } = await import("../../../src/experiments/rows/given-scores.ts");
  return await parseSummaryScores(text);
}

/** What is known of the run, as metadata of the experiment. */
export function runFacts(run: Run): JsonObject {
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

/**
 * `<workflow>-<sha7>-<run id>`, of what is known; where nothing is, a name by the time. Without the attempt, so that a
 * later one finds what an earlier one has stored.
 */
function defaultExperimentName({ workflow, commit, id }: Run, now: Date): string {
  const parts = [oneLine(workflow), commit?.slice(0, 7), id].filter((part) => part !== undefined);
  return parts.length === 0 ? `experiment-${now.toISOString().replace(/\.\d+Z$/, "Z")}` : parts.join("-");
}

function oneLine(text: string | undefined): string | undefined {
  return text?.toWellFormed().replaceAll(/\p{Cc}+/gu, " ");
}
