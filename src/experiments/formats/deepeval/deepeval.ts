import * as z from "zod";
import type { FormatContext, ResultFormat } from "../shared/format.ts";
import { isJsonList, isJsonObject } from "../../../files/json-object.ts";
import type { JsonPeek } from "../../../files/json/peek.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceRun } from "../../rows/source-row.ts";
import { DEEPEVAL_CASE, deepevalRow } from "./case.ts";
import { DeepevalRepeats } from "./repeats.ts";
import { documentRest } from "../shared/document-rest.ts";
import { knownRun } from "../shared/known-run.ts";
import { pairedLists } from "../shared/paired-lists.ts";
import { listedValues } from "../shared/listed-values.ts";
import { metadataOf } from "../shared/row-metadata.ts";
import { anyField, numberField, readShape, textField } from "../shared/shape.ts";
import { compareCount } from "../shared/stated-count.ts";

/** What deepeval leaves in `.deepeval` and in DEEPEVAL_RESULTS_FOLDER, and what its `evaluate()` gives (4.3). */
export const deepeval: ResultFormat = {
  name: "deepeval",
  detect: ({ json }) => topOf(json) !== undefined || isEvaluated(json),
  run: (file, tell) => {
    const top = topOf(file.json) ?? [];
    const run = RUN.safeParse(below(documentRest(file, [...top, CASES]) ?? null, top));
    if (run.success) tell(runOf(run.data, file.name));
  },
  rows: (file, context) => (isEvaluated(file.json) ? evaluatedRows(file, context) : readRows(file, context)),
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

const EVALUATED = ["test_results"];

/** `EvaluationResult` of Python, whose names are those of the reports in Python's way. */
function isEvaluated(json: JsonPeek | undefined): boolean {
  return json?.kind === "object" && json.keysAt(EVALUATED).includes("metrics_data");
}

function* evaluatedRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  context.tell({ tool: "deepeval" });
  for (const { value, place } of listedValues(file, EVALUATED, context)) {
    const read = readShape(DEEPEVAL_CASE, inCamelCase(value), place, context);
    if (read !== undefined) yield deepevalRow(read, place, (name) => name);
  }
}

/** With the names of the reports, in a case and in its metrics; what a user wrote stays as it is. */
function inCamelCase(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, field]): [string, JsonValue] => [camelCase(name), field]);
  const metrics = value["metrics_data"];
  const renamed = isJsonList(metrics) ? { metricsData: metrics.map(inCamelCase) } : {};
  return { ...Object.fromEntries(entries), ...renamed };
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

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
    const read = readShape(DEEPEVAL_CASE, value, place, context);
    if (read?.success != null) found[read.success ? "testPassed" : "testFailed"] += 1;
    if (read !== undefined) yield deepevalRow(read, place, (name) => repeats.nameOf(name));
  }
  for (const name of ["testPassed", "testFailed"] as const) {
    const path = [...top, name].join(".");
    compareCount({ name: `\`${path}\``, stated: run?.[name], found: found[name] }, { file: file.name }, context);
  }
}

function below(document: JsonValue, path: readonly string[]): JsonValue {
  return path.reduce<JsonValue>((value, key) => (isJsonObject(value) ? (value[key] ?? null) : null), document);
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
