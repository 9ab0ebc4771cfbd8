import * as z from "zod";
import type { FormatContext, ResultFormat } from "../shared/format.ts";
import { isJsonList, isJsonObject } from "../../../files/json-object.ts";
import type { JsonPeek } from "../../../files/json/peek.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceRun } from "../../rows/source-row.ts";
import { DEEPEVAL_CASE, DEEPEVAL_METRIC, DeepevalNames, deepevalRow } from "./case.ts";
import { documentRest, pairedLists, listedValues } from "../shared/listed-values.ts";
import { isKnown, LEFT_OUT } from "../shared/ledger.ts";
import { metadataOf } from "../shared/row-metadata.ts";
import { anyField, numberField, readShape, textField } from "../shared/shape.ts";
import { compareCount } from "../shared/stated-count.ts";
import { createHash } from "node:crypto";
import { jsonListElements } from "../../../files/json/array-split.ts";
import { DataFileError } from "../../../files/json/errors.ts";
import { parseJsonValue } from "../../../files/json/parsed-value.ts";
import { canonicalJson } from "../../../text/canonical-json.ts";

/** What deepeval leaves in `.deepeval` and in DEEPEVAL_RESULTS_FOLDER, and what its `evaluate()` gives (4.3). */
export const deepeval: ResultFormat = {
  name: "deepeval",
  detect: ({ json }) => topOf(json) !== undefined || isEvaluated(json),
  run: (file, describeRun) => {
    const top = topOf(file.json) ?? [];
    const run = RUN.safeParse(below(documentRest(file, [...top, CASES]) ?? null, top));
    if (run.success) describeRun(runOf(run.data, file.name));
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
  context.describeRun({ tool: "deepeval" });
  const rest = (document: JsonValue) => {
    context.ledger.look(EVALUATION, document);
  };
  const names = new DeepevalNames();
  for (const { value, place } of listedValues(file, EVALUATED, context, { rest })) {
    const read = readShape(DEEPEVAL_CASE, inCamelCase(value, DEEPEVAL_CASE), place, context);
    if (read !== undefined) yield deepevalRow(read, place, { names, nameOf: (name) => name });
  }
  warnOf(names, file, context);
}

/** With the names of the reports, in a case and in its metrics; what they do not have stays as it is. */
function inCamelCase(value: JsonValue, schema: z.ZodObject): JsonValue {
  if (!isJsonObject(value)) return value;
  const named = (name: string) => (isKnown(schema, camelCase(name)) ? camelCase(name) : name);
  const entries = Object.entries(value).map(([name, field]): [string, JsonValue] => [named(name), field]);
  const metrics = value["metrics_data"];
  const renamed = isJsonList(metrics)
    ? { metricsData: metrics.map((metric) => inCamelCase(metric, DEEPEVAL_METRIC)) }
    : {};
  return { ...Object.fromEntries(entries), ...renamed };
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function* readRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  context.describeRun({ tool: "deepeval" });
  const top = topOf(file.json) ?? [];
  const lists = { first: [...top, CASES], second: [...top, CONVERSATIONS] };
  const repeats = DeepevalRepeats.in(file, [lists.first, lists.second]);
  let run: z.infer<typeof RUN> | undefined;
  const describe = (document: JsonValue) => {
    const place = top.length === 0 ? { file: file.name } : { file: file.name, path: top.join(".") };
    if (top.length > 0) context.ledger.look(WRAPPING, document);
    run = readShape(RUN, below(document, top), place, context);
    if (run !== undefined) context.describeRun(runOf(run, file.name));
  };
  const found = { testPassed: 0, testFailed: 0 };
  const names = new DeepevalNames();
  for (const { value, place } of pairedLists(file, lists, context, describe)) {
    const read = readShape(DEEPEVAL_CASE, value, place, context);
    if (read?.success != null) found[read.success ? "testPassed" : "testFailed"] += 1;
    if (read !== undefined) yield deepevalRow(read, place, { names, nameOf: (name) => repeats.nameOf(name) });
  }
  warnOf(names, file, context);
  for (const name of ["testPassed", "testFailed"] as const) {
    const path = [...top, name].join(".");
    compareCount({ name: `\`${path}\``, stated: run?.[name], found: found[name] }, { file: file.name }, context);
  }
}

function warnOf({ sentence }: DeepevalNames, { name }: ResultFile, context: FormatContext): void {
  if (sentence !== undefined) context.warn(`${name}: ${sentence}`);
}

function below(document: JsonValue, path: readonly string[]): JsonValue {
  return path.reduce<JsonValue>((value, key) => (isJsonObject(value) ? (value[key] ?? null) : null), document);
}

/** What `.latest_test_run.json` wraps the run in. */
const WRAPPING = z.object({ testRunData: anyField }).register(LEFT_OUT, ["testRunLink"]);
const RUN = z
  .object({
    testFile: textField,
    identifier: textField,
    datasetAlias: textField,
    datasetId: textField,
    hyperparameters: anyField,
    runDuration: numberField,
    // Of both lists, without the cases that no metric judged.
    testPassed: numberField,
    testFailed: numberField,
  })
  // What is made of the metrics of all cases, and what all cost.
  .register(LEFT_OUT, [
    CASES,
    CONVERSATIONS,
    "metricsScores",
    "evaluationCost",
    "official",
    "prompts",
    "traceMetricsScores",
  ]);

const EVALUATION = z.object({}).register(LEFT_OUT, [...EVALUATED, "confident_link", "test_run_id"]);

function runOf(run: z.infer<typeof RUN>, file: string): SourceRun {
  const { testFile, identifier, datasetAlias, datasetId, hyperparameters, runDuration } = run;
  const end = savedAt(file);
  const milliseconds = runDuration === undefined ? undefined : runDuration * 1000;
  return {
    datasetName: datasetAlias ?? undefined,
    times: end === undefined && milliseconds === undefined ? undefined : { end, milliseconds },
    // The id of the dataset is one of another service, and no uuid.
    metadata: metadataOf(undefined, { identifier, testFile, hyperparameters, datasetId }),
  };
}

/** The only time of a run, from the name of its file: the local one of the machine, without a zone. */
function savedAt(file: string): string | undefined {
  const match = /(?:^|\/)test_run_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)\.json$/.exec(file);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second] = match.map(String);
  return `${year ?? ""}-${month ?? ""}-${day ?? ""}T${hour ?? ""}:${minute ?? ""}:${second ?? ""}`;
}

/**
 * Distinguishes the repeats of deepeval, whose tests pytest names `test_x[2-3]` and `test_x[spain-2-3]`, from tests
 * with two numbers as parameters, which it names alike: of repeats each case is there as often as the second number
 * says, once for each first number.
 */
class DeepevalRepeats {
  readonly #groups = new Map<number, Map<number, number>>();

  /** Looks through lists of cases. */
  static in(file: ResultFile, lists: readonly (readonly string[])[]): DeepevalRepeats {
    const repeats = new DeepevalRepeats();
    for (const path of lists) repeats.#look(file, path);
    return repeats;
  }

  /** The name as without `-r`, where it is that of a repeat. */
  nameOf(name: string): string {
    const match = matchOf(name);
    if (match === undefined || match.of < 2) return name;
    const sums = [...(this.#groups.get(match.of)?.values() ?? [])];
    return sums.length === match.of && sums.every((sum) => sum === sums[0]) ? match.name : name;
  }

  #look(file: ResultFile, path: readonly string[]): void {
    try {
      for (const { bytes, line } of jsonListElements(file.bytes, path)) {
        // Parsing is dear, and few files have repeats.
        if (!MAY_REPEAT.test(bytes.toString("latin1"))) continue;
        this.#add(parseJsonValue(bytes, { file: file.name, line }));
      }
    } catch (error) {
      // Reading the rows reports where the file breaks.
      if (!(error instanceof DataFileError)) throw error;
    }
  }

  #add(value: JsonValue): void {
    if (!isJsonObject(value)) return;
    const { name, input, expectedOutput, scenario, expectedOutcome } = value;
    const match = typeof name === "string" ? matchOf(name) : undefined;
    if (match === undefined) return;
    const content = [match.name, input, expectedOutput, scenario, expectedOutcome].map((part) => part ?? null);
    const sums = this.#groups.get(match.of) ?? new Map<number, number>();
    const hash = createHash("sha1").update(canonicalJson(content)).digest().readUIntBE(0, 6);
    sums.set(match.number, ((sums.get(match.number) ?? 0) + hash) % HASHES);
    this.#groups.set(match.of, sums);
  }
}

const MAY_REPEAT = /[[-]\d{1,3}-\d{1,3}\]"/;
const NUMBERS = /([[-])(\d{1,3})-(\d{1,3})\]$/;

interface Match {
  readonly name: string;
  readonly number: number;
  readonly of: number;
}

function matchOf(name: string): Match | undefined {
  const numbers = NUMBERS.exec(name);
  if (numbers === null) return undefined;
  const { 1: mark, 2: number, 3: of, index } = numbers;
  // By hand: an expression for all of the name tries each bracket with each hyphen behind it.
  const bracket = name.lastIndexOf("[", index);
  if (bracket === -1) return undefined;
  const parameters = mark === "[" ? "" : `[${name.slice(bracket + 1, index)}]`;
  return { name: name.slice(0, bracket) + parameters, number: Number(number), of: Number(of) };
}

// Sums of them are alike in whatever order the cases come, and exact in a double.
const HASHES = 2 ** 48;
