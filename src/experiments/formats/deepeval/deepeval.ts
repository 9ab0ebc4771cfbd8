import type { FormatContext, ResultFormat } from "../shared/format.ts";
import { type JsonValue, objectIn } from "../../../files/json/value.ts";
import type { JsonPeek } from "../../../files/json/peek.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceRun } from "../../rows/source-row.ts";
import { DeepevalNames, deepevalRow, LEFT_OUT_OF_CASE } from "./case.ts";
import { documentRest, elementsAhead, listedFields } from "../shared/listed-values.ts";
import { Fields } from "../shared/fields.ts";
import { factsOf } from "../shared/tool-values.ts";
import { compareCount } from "../shared/stated-count.ts";
import { createHash } from "node:crypto";
import { canonicalJson } from "../../../text/canonical-json.ts";

/** What deepeval leaves in `.deepeval` and in DEEPEVAL_RESULTS_FOLDER, and what its `evaluate()` gives (4.3). */
export const deepeval: ResultFormat = {
  tool: "deepeval",
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
  const names = new DeepevalNames();
  const tests = listedFields(file, context, {
    path: EVALUATED,
    leftOut: LEFT_OUT_OF_CASE.map(inPython),
    leftOutAround: ["confident_link", "test_run_id"],
  });
  const how = { names, nameOf: (name: string) => name, spelling: inPython };
  for (const test of tests) yield* test.checked(deepevalRow(test, how));
  names.warn(file, context);
}

function inPython(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function* readRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const top = topOf(file.json) ?? [];
  const [path, second] = [[...top, CASES] as const, [...top, CONVERSATIONS] as const];
  const stated = new Map<string, number | undefined>();
  const tests = listedFields(file, context, {
    path,
    second,
    leftOut: LEFT_OUT_OF_CASE,
    leftOutAround: top.length === 0 ? LEFT_OUT_OF_RUN : ["testRunLink"],
    runOf: (document) => {
      const run = runIn(document, top);
      for (const name of COUNTS) stated.set(name, run.number(name));
      return runOf(run, file.name);
    },
  });
  const found = { testPassed: 0, testFailed: 0 };
  const names = new DeepevalNames();
  const how = { names, nameOf: namesWithoutRepeats(file, [path, second]), spelling: (name: string) => name };
  for (const test of tests) {
    const row = deepevalRow(test, how);
    const success = test.flag("success");
    if (!test.end()) continue;
    if (success !== undefined) found[success ? "testPassed" : "testFailed"] += 1;
    yield row;
  }
  names.warn(file, context);
  for (const name of COUNTS) {
    const count = { name: `\`${[...top, name].join(".")}\``, stated: stated.get(name), found: found[name] };
    compareCount(count, { file: file.name }, context);
  }
}

// Of both lists, without the cases that no metric judged.
const COUNTS = ["testPassed", "testFailed"] as const;
// What is made of the metrics of all cases, and what all cost.
const LEFT_OUT_OF_RUN = [
  ...[CONVERSATIONS, "metricsScores", "evaluationCost", "official", "prompts", "traceMetricsScores"],
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
    metadata: factsOf({
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
  const [name] = /(?<=^|\/)test_run_\d{8}_\d{6}\.json$/.exec(file) ?? [];
  return name?.replace(/^test_run_(....)(..)(..)_(..)(..)(..).*$/, "$1-$2-$3T$4:$5:$6");
}

/**
 * Distinguishes the repeats of deepeval, whose tests pytest names `test_x[2-3]` and `test_x[spain-2-3]`, from tests
 * with two numbers as parameters, which it names alike: of repeats each case is there as often as the second number
 * says, once for each first number. Gives the name as without `-r`, where it is that of a repeat in these lists.
 */
function namesWithoutRepeats(file: ResultFile, lists: readonly (readonly string[])[]): (name: string) => string {
  const groups = new Map<number, Map<number, number>>();
  // Parsing is dear, and few files have repeats.
  const mayRepeat = (bytes: Buffer) => MAY_REPEAT.test(bytes.toString("latin1"));
  const add = (test: JsonValue) => {
    const { name, input, expectedOutput, scenario, expectedOutcome } = objectIn(test);
    const match = typeof name === "string" ? matchOf(name) : undefined;
    if (!match) return;
    const content = [match.name, input, expectedOutput, scenario, expectedOutcome].map((part) => part ?? null);
    const sums = groups.get(match.of) ?? new Map<number, number>();
    const hash = createHash("sha1").update(canonicalJson(content)).digest().readUIntBE(0, 6);
    sums.set(match.number, ((sums.get(match.number) ?? 0) + hash) % HASHES);
    groups.set(match.of, sums);
  };
  for (const path of lists) for (const test of elementsAhead(file, path, mayRepeat)) add(test);
  return (name) => {
    const match = matchOf(name);
    if (!match || match.of < 2) return name;
    const sums = [...(groups.get(match.of)?.values() ?? [])];
    return sums.length === match.of && sums.every((sum) => sum === sums[0]) ? match.name : name;
  };
}

const MAY_REPEAT = /[[-]\d{1,3}-\d{1,3}\]"/;
const NUMBERS = /([[-])(\d{1,3})-(\d{1,3})\]$/;

function matchOf(name: string) {
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
