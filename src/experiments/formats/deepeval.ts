import * as z from "zod";
import type { FormatContext, ResultFormat } from "../format.ts";
import { isJsonObject } from "../../files/json-object.ts";
import type { JsonPeek } from "../../files/json/peek.ts";
import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import type { ResultFile } from "../result-file.ts";
import type { SourceRow, SourceRun, SourceScore } from "../source-row.ts";
import { DeepevalRepeats } from "./deepeval-repeats.ts";
import { documentRest } from "./document-rest.ts";
import { knownRun } from "./known-run.ts";
import { pairedLists } from "./paired-lists.ts";
import { metadataOf } from "./row-metadata.ts";
import { ScoreKeys } from "./score-keys.ts";
import { anyField, booleanField, numberField, readShape, textField, type ShapePlace } from "./shape.ts";
import { compareCount } from "./stated-count.ts";

/** What deepeval leaves in `.deepeval` and in DEEPEVAL_RESULTS_FOLDER (4.3). */
export const deepeval: ResultFormat = {
  name: "deepeval",
  detect: ({ json }) => topOf(json) !== undefined,
  run: (file, tell) => {
    const top = topOf(file.json) ?? [];
    const run = RUN.safeParse(below(documentRest(file, [...top, CASES]) ?? null, top));
    if (run.success) tell(runOf(run.data, file.name));
  },
  rows: readRows,
};

/** Where the run stands in the document, which `.latest_test_run.json` wraps; undefined for another document. */
function topOf(json: JsonPeek | undefined): readonly string[] | undefined {
  if (json?.kind !== "object") return undefined;
  return [[], ["testRunData"]].find((path) => {
    const keys = json.keysAt(path);
    const caseKeys = json.keysAt([...path, CASES]);
    const isKnown = keys.includes("metricsScores") || keys.includes(CONVERSATIONS) || caseKeys.includes("metricsData");
    return keys.includes(CASES) && (isKnown || caseKeys.includes("actualOutput"));
  });
}

const CASES = "testCases";
const CONVERSATIONS = "conversationalTestCases";

function* readRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  context.tell({ tool: "deepeval" });
  const top = topOf(file.json) ?? [];
  const lists = { first: [...top, CASES], second: [...top, CONVERSATIONS] };
  const repeats = DeepevalRepeats.in(file, [lists.first, lists.second]);
  let run: z.infer<typeof RUN> | undefined;
  const tellRun = (document: JsonValue) => {
    const path = top.length === 0 ? undefined : top.join(".");
    run = readShape(RUN, below(document, top), { file: file.name, path }, context);
    if (run !== undefined) context.tell(runOf(run, file.name));
  };
  const found = { testPassed: 0, testFailed: 0 };
  for (const { value, place } of pairedLists(file, lists, context, tellRun)) {
    const read = readShape(CASE, value, place, context);
    if (read?.success != null) found[read.success ? "testPassed" : "testFailed"] += 1;
    if (read !== undefined) yield rowOf(read, place, repeats);
  }
  for (const name of ["testPassed", "testFailed"] as const) {
    const path = [...top, name].join(".");
    compareCount({ name: `\`${path}\``, stated: run?.[name], found: found[name] }, { file: file.name }, context);
  }
}

function below(document: JsonValue, path: readonly string[]): JsonValue {
  return path.reduce<JsonValue>((value, key) => (isJsonObject(value) ? (value[key] ?? null) : null), document);
}

const CASE = z.object({
  name: textField,
  input: anyField,
  actualOutput: anyField,
  expectedOutput: anyField,
  scenario: textField,
  turns: z.array(z.custom<JsonObject>(isJsonObject, { error: "an object" })).nullish(),
  expectedOutcome: anyField,
  success: booleanField.nullish(),
  metricsData: z
    .array(
      z.object({ name: z.string(), score: anyField, reason: textField, error: textField, evaluationModel: textField }),
    )
    .nullish(),
  runDuration: numberField,
  completionTime: numberField,
  metadata: anyField,
  additionalMetadata: anyField,
  context: anyField,
  retrievalContext: anyField,
  toolsCalled: anyField,
  expectedTools: anyField,
  userDescription: anyField,
  tags: anyField,
  comments: anyField,
  tokenCost: anyField,
  evaluationCost: anyField,
});
type Case = z.infer<typeof CASE>;

function rowOf(read: Case, place: ShapePlace, repeats: DeepevalRepeats): SourceRow {
  const seconds = read.completionTime ?? read.runDuration;
  const { context, retrievalContext, toolsCalled, expectedTools, userDescription, tags, comments } = read;
  const { tokenCost, evaluationCost } = read;
  return {
    place,
    // Tests of two files may have one name: the repetitions are counted where all rows are seen.
    id: idOf(read.name, repeats),
    inputs: inputsOf(read),
    expected: read.expectedOutput ?? read.expectedOutcome ?? undefined,
    outputs: read.actualOutput ?? undefined,
    scores: scoresOf(read),
    times: seconds === undefined ? undefined : { milliseconds: seconds * 1000 },
    metadata: metadataOf(read.metadata ?? read.additionalMetadata, {
      context,
      retrievalContext,
      toolsCalled,
      expectedTools,
      userDescription,
      tags,
      comments,
      tokenCost,
      evaluationCost,
    }),
  };
}

// What deepeval calls a case that has no name: it tells only where in the list it stood.
const COUNTED = /^(?:conversational_)?test_case_\d+$/;

function idOf(name: string | null | undefined, repeats: DeepevalRepeats): string | undefined {
  return name == null || name === "" || COUNTED.test(name) ? undefined : repeats.nameOf(name);
}

function inputsOf({ input, scenario, turns }: Case): JsonValue | undefined {
  if (turns == null) return input;
  // The order of the turns is that of the list.
  const said = turns.map((turn) => Object.fromEntries(Object.entries(turn).filter(([key]) => key !== "order")));
  return scenario == null ? { turns: said } : { scenario, turns: said };
}

function scoresOf({ metricsData, success }: Case): readonly SourceScore[] {
  const keys = new ScoreKeys(["success"]);
  const scores = (metricsData ?? []).map(({ name, score, reason, error, evaluationModel }): SourceScore => {
    const by = evaluationModel == null ? "code" : "model";
    return { key: keys.next(name), value: score, comment: reason ?? error ?? undefined, by };
  });
  return success == null ? scores : [...scores, { key: "success", value: success, by: "code" }];
}

const RUN = z.object({
  testFile: textField,
  identifier: textField,
  datasetAlias: textField,
  datasetId: textField,
  hyperparameters: anyField,
  runDuration: numberField,
  // Of both lists, without the cases that no metric judged.
  testPassed: numberField,
  testFailed: numberField,
});

function runOf(run: z.infer<typeof RUN>, file: string): SourceRun {
  const { testFile, identifier, datasetAlias, datasetId, hyperparameters, runDuration } = run;
  const end = savedAt(file);
  const milliseconds = runDuration === undefined ? undefined : runDuration * 1000;
  return knownRun({
    datasetName: datasetAlias ?? undefined,
    times: end === undefined && milliseconds === undefined ? undefined : { end, milliseconds },
    // The id of the dataset is one of another service, and no uuid.
    metadata: metadataOf(undefined, { identifier, testFile, hyperparameters, datasetId }),
  });
}

/** The only time of a run, from the name of its file: the local one of the machine, without a zone. */
function savedAt(file: string): string | undefined {
  const match = /(?:^|\/)test_run_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)\.json$/.exec(file);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second] = match.map(String);
  return `${year ?? ""}-${month ?? ""}-${day ?? ""}T${hour ?? ""}:${minute ?? ""}:${second ?? ""}`;
}
