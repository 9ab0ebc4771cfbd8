import type { FormatContext, ResultFormat } from "../shared/format.ts";
import { isJsonObject } from "../../../files/json-object.ts";
import type { JsonPeek } from "../../../files/json/peek.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceRun } from "../../rows/source-row.ts";
import { DeepevalNames, deepevalRow, LEFT_OUT_OF_CASE } from "./case.ts";
import { documentRest, pairedLists, listedValues } from "../shared/listed-values.ts";
import { Fields } from "../shared/fields.ts";
import { metadataOf } from "../shared/row-metadata.ts";
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
    const document = Fields.quiet(documentRest(file, [...top, CASES]));
    const run = runOf(runIn(document, top), file.name);
    if (document.end()) describeRun(run);
  },
  rows: (file, context) => (isEvaluated(file.json) ? evaluatedRows(file, context) : readRows(file, context)),
};

/** Where the run stands in the document, which `.latest_test_run.json` wraps; undefined for another document. */
function topOf(json: JsonPeek): readonly string[] | undefined {
  if (json.kind !== "object") return undefined;
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
function isEvaluated(json: JsonPeek): boolean {
  return json.kind === "object" && json.keysAt(EVALUATED).includes("metrics_data");
}

function* evaluatedRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  context.describeRun({ tool: "deepeval" });
  const rest = (document: JsonValue) => {
    Fields.of(document, { file: file.name }, context, [...EVALUATED, "confident_link", "test_run_id"]).end();
  };
  const names = new DeepevalNames();
  for (const { value, place } of listedValues(file, EVALUATED, context, { rest })) {
    const test = Fields.of(value, place, context, LEFT_OUT_OF_CASE.map(inPython));
    const row = deepevalRow(test, place, { names, nameOf: (name) => name, spelling: inPython });
    if (test.end()) yield row;
  }
  warnOf(names, file, context);
}

function inPython(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function* readRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  context.describeRun({ tool: "deepeval" });
  const top = topOf(file.json) ?? [];
  const lists = { first: [...top, CASES], second: [...top, CONVERSATIONS] };
  const repeats = DeepevalRepeats.in(file, [lists.first, lists.second]);
  const stated = new Map<string, number | undefined>();
  const describe = (document: JsonValue) => {
    const whole = Fields.of(
      document,
      { file: file.name },
      context,
      top.length === 0 ? LEFT_OUT_OF_RUN : ["testRunLink"],
    );
    const run = runIn(whole, top);
    const facts = runOf(run, file.name);
    for (const name of COUNTS) stated.set(name, run.number(name));
    if (whole.end()) context.describeRun(facts);
  };
  const found = { testPassed: 0, testFailed: 0 };
  const names = new DeepevalNames();
  for (const { value, place } of pairedLists(file, lists, context, describe)) {
    const test = Fields.of(value, place, context, LEFT_OUT_OF_CASE);
    const row = deepevalRow(test, place, { names, nameOf: (name) => repeats.nameOf(name), spelling: (name) => name });
    const success = test.flag("success");
    if (!test.end()) continue;
    if (success !== undefined) found[success ? "testPassed" : "testFailed"] += 1;
    yield row;
  }
  warnOf(names, file, context);
  for (const name of COUNTS) {
    const path = [...top, name].join(".");
    compareCount({ name: `\`${path}\``, stated: stated.get(name), found: found[name] }, { file: file.name }, context);
  }
}

function warnOf({ sentence }: DeepevalNames, { name }: ResultFile, context: FormatContext): void {
  if (sentence !== undefined) context.warn(`${name}: ${sentence}`);
}

// Of both lists, without the cases that no metric judged.
const COUNTS = ["testPassed", "testFailed"] as const;
// What is made of the metrics of all cases, and what all cost.
const LEFT_OUT_OF_RUN = [
  ...[CASES, CONVERSATIONS, "metricsScores", "evaluationCost", "official", "prompts", "traceMetricsScores"],
];

/** The run in a document, which may wrap it. */
function runIn(document: Fields, [wrapping]: readonly string[]): Fields {
  return wrapping === undefined ? document : document.someObject(wrapping, LEFT_OUT_OF_RUN);
}

function runOf(run: Fields, file: string): SourceRun {
  const [end, milliseconds] = [savedAt(file), run.milliseconds("runDuration")];
  return {
    datasetName: run.text("datasetAlias"),
    times: end === undefined && milliseconds === undefined ? undefined : { end, milliseconds },
    metadata: metadataOf(undefined, {
      identifier: run.text("identifier"),
      testFile: run.text("testFile"),
      hyperparameters: run.value("hyperparameters"),
      // That of the dataset is one of another service, and no uuid.
      datasetId: run.text("datasetId"),
    }),
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
    if (!match || match.of < 2) return name;
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
    if (!match) return;
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
