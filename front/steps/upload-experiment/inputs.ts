import { randomUUID } from "node:crypto";
import { EXPERIMENT_OPTIONS, experimentOf, READING_OPTIONS } from "../../../src/experiments/options.ts";
import type { ExperimentRequest, ResultsRequest } from "../../../src/experiments/request.ts";
import { setFields } from "../../../src/contract/set-fields.ts";
import type { JsonObject } from "../../../src/files/json/value.ts";
import { readYamlObject } from "../../../src/files/yaml.ts";
import type { Host, Run } from "../../host.ts";
import type { InputReader } from "../../options/input-reader.ts";
import { inputsOf, type InputNames } from "../../options/never-empty.ts";
import { readResults } from "../../options/result-files.ts";
import { BASE_URL, readConnection, refuseKeysIn } from "../../options/service-connection.ts";
import { UPLOAD_OPTIONS, type UploadOptions } from "../../options/upload-options.ts";
import { readYamlInput } from "../../options/yaml-input.ts";

const { dryRun, jobSummary, caCertificate, allowHttp, ...upload } = UPLOAD_OPTIONS;
const OPTIONS = {
  ...READING_OPTIONS,
  files: { ...READING_OPTIONS.files, required: true },
  ...upload,
  ...EXPERIMENT_OPTIONS,
  ...{ dryRun, jobSummary, caCertificate, allowHttp },
};
const SPELLING = {
  files: "results",
  url: "base-url",
  expectedFiles: "expected-shards",
  timeoutMilliseconds: "timeout",
} as const;

export type ExperimentInputName = InputNames<typeof OPTIONS, typeof SPELLING>;

export const EXPERIMENT_INPUTS = {
  ...inputsOf(OPTIONS, SPELLING),
  remedies: { "dataset-id": "write a name in `dataset-name`" },
};

export type ExperimentOptions = UploadOptions<ExperimentRequest & { readonly results: ResultsRequest }>;

/** The inputs whose text is sent. */
const SENT = [
  "experiment-name",
  "experiment-description",
  "dataset-name",
  "dataset-description",
  "metadata",
  "summary-scores",
] as const satisfies readonly ExperimentInputName[];

export async function readOptions(
  reader: InputReader<ExperimentInputName>,
  host: Host,
  now = new Date(),
): Promise<ExperimentOptions | undefined> {
  const isDryRun = reader.read(OPTIONS, "dryRun");
  const results = await readResults(reader, host.place, reader.read(OPTIONS, "ifNoFilesFound"));
  const connection = await readConnection(reader, host, { ...BASE_URL, isNeeded: !isDryRun });
  refuseKeysIn(reader, host, SENT);
  const given = experimentOf(reader.readAll(EXPERIMENT_OPTIONS));
  const metadata = await readYamlInput(reader, "metadata", (text) => readYamlObject(text, "model: small"));
  const summaryScores = await readYamlInput(reader, "summary-scores", async (text) => {
    // Most steps have no such scores, and start without the schemas that check them.
    const { parseSummaryScores } = await import("../../../src/experiments/rows/given-scores.ts");
    return await parseSummaryScores(text);
  });
  const run = await host.run();
  if (!results || (!connection && !isDryRun)) return undefined;
  const request = {
    results,
    ...given,
    metadata: metadata ?? {},
    summaryScores: summaryScores ?? [],
    defaultName: defaultExperimentName(run, now),
    run: { id: run.id ?? randomUUID(), isRepeated: run.id !== undefined && (run.attempt ?? 1) > 1 },
    facts: runFacts(run),
  };
  return { task: isDryRun ? "dry-run" : "upload", request, connection, runUrl: run.url };
}

/** What is known of the run, as metadata of the experiment. */
export function runFacts(run: Run): JsonObject {
  return setFields({
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
  const name = workflow?.toWellFormed().replaceAll(/\p{Cc}+/gu, " ");
  const parts = [name, commit?.slice(0, 7), id].filter((part) => part !== undefined);
  return parts.length === 0 ? `experiment-${now.toISOString().replace(/\.\d+Z$/, "Z")}` : parts.join("-");
}
