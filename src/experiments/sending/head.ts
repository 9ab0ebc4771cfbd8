import type { Reason } from "../../contract/error-reasons.ts";
import { formatInstant } from "../../contract/instant.ts";
import { checkHead, type ExperimentWindow } from "../../contract/experiment-rules.ts";
import { describeValidationError } from "../../contract/validation-error.ts";
import { VERSION } from "../../version.ts";
import type { Evaluation } from "../reading/evaluation.ts";
import { decodeJson } from "../../files/json/parsed-value.ts";
import { isJsonObject, type JsonObject, receivedValue, writeJsonValue } from "../../files/json/value.ts";
import type { Mapping } from "../rows/mapping.ts";
import { setFields } from "../../contract/set-fields.ts";
import type { ExperimentRequest } from "../request.ts";
import { readScore } from "../rows/score.ts";
import { storableJson, storableText } from "../rows/storable-json.ts";
import type { SourceScore } from "../rows/source-row.ts";

/** What is wrong with an experiment as a whole, as a clause, and what would have to change. */
export interface WholeFault {
  readonly message: string;
  readonly reason: Reason;
  readonly advice?: string;
}

/** All of an experiment but its rows: what is given, and where nothing is given what the files say. */
export type CheckedHead = ReturnType<typeof experimentHead>;

/** Builds the head and checks it by the rules of an upload. */
export function experimentHead(
  request: ExperimentRequest,
  { run, files, part }: Pick<Evaluation, "files" | "part" | "run">,
  { window, suffix = "" }: { readonly window: ExperimentWindow; readonly suffix: string | undefined },
) {
  const name = storableText(`${request.name ?? run.first("name") ?? request.defaultName}${suffix}`);
  // The files' dataset only where the request names none: the two may differ.
  const isOfFiles = request.datasetId === undefined && request.datasetName === undefined;
  const dataset = isOfFiles
    ? { id: run.first("datasetId"), name: run.first("datasetName") }
    : { id: request.datasetId, name: request.datasetName };
  // Scores of all rows are not those of the rows with one value.
  const summary = summaryOf(part ? [] : run.summaryScores.scores, request.summaryScores);
  const given = setFields({
    experiment_description: request.description ?? run.first("description"),
    experiment_start_time: formatInstant(window.start),
    experiment_end_time: formatInstant(window.end),
    dataset_id: dataset.id,
    dataset_name: dataset.name,
    dataset_description: request.datasetDescription ?? run.first("datasetDescription"),
    experiment_metadata: {
      ...request.facts,
      ...("rows" in request.results ? {} : directionsOf(request.results.mapping)),
      ...run.metadata,
      ...setFields({
        tool: joined(run.all("tool")),
        tool_version: joined(run.all("toolVersion")),
        uploaded_with: `graph-deploy ${VERSION}`,
        result_files:
          files.length === 0
            ? undefined
            : files.map((file) => ({ name: file.name, format: file.format, rows: file.rows, digest: file.digest })),
      }),
      ...request.metadata,
      ...(part ? { split_by: part.column, split_value: part.value } : {}),
    },
    summary_experiment_scores: summary.feedback.length === 0 ? undefined : summary.feedback,
  });
  const { text, replaced } = storableJson(writeJsonValue(given));
  const stored = replaced === 0 ? given : decodeJson(Buffer.from(text));
  const fields = isJsonObject(stored) ? stored : given;
  const { faults } = checkHead(receivedValue({ experiment_name: name, ...fields }));
  const isDivided = isOfFiles && (run.all("datasetId").length > 1 || run.all("datasetName").length > 1);
  return {
    name,
    dataset,
    fields,
    replaced,
    faults: [...(isDivided ? [DIVIDED] : []), ...summary.faults, ...faults.map(wholeFault)],
  };
}

const DIVIDED: WholeFault = { message: "the files name more than one dataset", reason: "DATASET_UNCLEAR" };

/**
 * Whether higher or lower is better for a score: the number alone does not show it to someone who compares experiments.
 */
function directionsOf(mapping: Mapping | undefined): JsonObject {
  const known = Object.entries(mapping?.scores ?? {}).flatMap(([key, { direction }]) =>
    direction === undefined ? [] : [[key, direction] as const],
  );
  return known.length === 0 ? {} : { score_directions: Object.fromEntries(known) };
}

function joined(words: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : words.join(", ");
}

/** A given score replaces that of the files with the same key. */
function summaryOf(ofFiles: readonly SourceScore[], given: readonly SourceScore[]) {
  const kept = ofFiles.filter(({ key }) => !given.some((score) => score.key === key));
  const feedback: JsonObject[] = [];
  const faults: WholeFault[] = [];
  for (const score of [...kept, ...given]) {
    const reading = readScore(score);
    if (!reading.score) {
      const message = `the summary score ${JSON.stringify(score.key)} ${reading.fault}`;
      faults.push({ message, reason: "REQUEST_INVALID" });
    } else if (reading.score.feedback) feedback.push(reading.score.feedback);
  }
  return { feedback, faults };
}

function wholeFault({ loc, ...error }: Parameters<typeof describeValidationError>[0]): WholeFault {
  if (loc.length === 1 && loc[0] === "dataset_name") {
    return { message: "neither the request nor the files name a dataset", reason: "DATASET_MISSING" };
  }
  return { message: describeValidationError({ loc, ...error }), reason: "REQUEST_INVALID" };
}
