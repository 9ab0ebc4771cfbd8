import { isMissing, writeJsonValue, type JsonObject, type JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { nameList, quotedName } from "../../../text/quoted.ts";
import type { FormatContext } from "../shared/format.ts";
import type { Fields } from "../shared/fields.ts";
import { factsOf, metadataOf, ScoreKeys } from "../shared/tool-values.ts";

/** In which spelling a file has the names of the reports: as they are there, or in Python's way. */
export type Spelling = (name: string) => string;

/** What is not read of a case. */
export const LEFT_OUT_OF_CASE = [
  ...["order", "index", "flaky", "conversational", "multimodal", "imagesMapping", "expectations", "classifications"],
];
const LEFT_OUT_OF_METRIC = [
  ...["strictMode", "flaky", "evaluationCost", "verboseLogs", "inputTokens", "outputTokens", "expectationsData"],
  ...["inputTokenCount", "outputTokenCount", "cacheReadInputTokenCount", "cacheCreationInputTokenCount"],
];
const LEFT_OUT_OF_SPAN = [
  ...["uuid", "status", "type", "parentUuid", "startTime", "endTime", "metadata", "input", "output", "error"],
  ...["retrievalContext", "context", "expectedOutput", "toolsCalled", "expectedTools", "availableTools"],
  ...["agentHandoffs", "description", "embedder", "topK", "chunkSize", "model", "provider", "prompt"],
  ...["inputTokenCount", "outputTokenCount", "costPerInputToken", "costPerOutputToken", "tokenIntervals"],
  ...["metricCollection", "promptAlias", "promptVersion", "promptLabel", "promptCommitHash", "integration"],
];
/** Of a trace only the metrics of its spans are read. */
const LEFT_OUT_OF_TRACE = [
  ...["uuid", "startTime", "endTime", "name", "metadata", "tags", "environment", "threadId", "userId", "input"],
  ...["output", "status", "testCaseId", "testRunId", "turnId", "retrievalContext", "context", "expectedOutput"],
  ...["toolsCalled", "expectedTools", "metricCollection", "attachments"],
];
const SPANS = ["agentSpans", "llmSpans", "retrieverSpans", "toolSpans", "baseSpans"];

// Of no file; a hostile one may name others in each case.
const MOST_NAMES = 1_000;

/** The names of the scores of all cases, to find one that a metric of cases and one of spans have. */
export class DeepevalNames {
  readonly #of = { case: new Set<string>(), span: new Set<string>() };

  add(name: string, of: "case" | "span"): void {
    if (this.#of[of].size < MOST_NAMES) this.#of[of].add(name);
  }

  /** Warns of names that mean two things. */
  warn(file: ResultFile, context: FormatContext): void {
    const names = [...this.#of.case].filter((name) => this.#of.span.has(name));
    if (names.length === 0) return;
    const [are, have] = names.length === 1 ? ["is the name", "has"] : ["are names", "have"];
    const what = `${are} of a metric of cases and of a metric of spans, and ${have} one mean`;
    context.warn(`${file.name}: ${nameList(names.map(quotedName))} ${what}. Rename the span or the metric.`);
  }
}

interface CaseOptions {
  readonly names: DeepevalNames;
  /** Gives the name of a repeat as that of what is repeated. */
  readonly nameOf: (name: string) => string;
  readonly spelling: Spelling;
}

/** The row of a case as deepeval writes it into its reports. */
export function deepevalRow(test: Fields, options: CaseOptions): SourceRow {
  const { nameOf, spelling } = options;
  const name = test.text("name") ?? "";
  const [completion, duration] = ["completionTime", "runDuration"].map((key) => test.milliseconds(spelling(key)));
  const replies = test.records("turns").filter(isReply);
  const usage = ["inputTokenCount", "outputTokenCount"].map((key) => [key, test.number(spelling(key))] as const);
  const facts = [
    ...["context", "retrievalContext", "toolsCalled", "expectedTools", "userDescription", "tags", "comments"],
    ...["tokenCost", "evaluationCost"],
  ].map((key) => [key, test.value(spelling(key))] as const);
  return {
    place: test.place,
    // Tests of two files may have one name: the repetitions are counted where all rows are seen.
    id: name === "" || COUNTED.test(name) ? undefined : nameOf(name),
    inputs: inputsOf(test),
    expected: test.given(spelling("expectedOutput"), spelling("expectedOutcome")),
    // Of a conversation what the model said, with the places of the turns in it.
    outputs: test.given(spelling("actualOutput")) ?? (replies.length === 0 ? undefined : { turns: replies }),
    scores: scoresOf(test, options),
    usage: factsOf(Object.fromEntries(usage)),
    times: { milliseconds: completion ?? duration },
    metadata: metadataOf(test.given("metadata", spelling("additionalMetadata")), Object.fromEntries(facts)),
  };
}

// What deepeval calls a case without a name: only its place in the list.
const COUNTED = /^(?:conversational_)?test_case_\d+$/;

/** What is given: what the model said in a conversation is not, and differs in each run. */
function inputsOf(test: Fields): JsonValue | undefined {
  const [input, scenario] = [test.value("input"), test.text("scenario")];
  if (test.given("turns") === undefined) return input;
  // The order of the turns is that of the list; a number shifts when the model says more in between.
  const turns = test
    .records("turns")
    .filter((turn) => !isReply(turn))
    .map((turn) => Object.fromEntries(Object.entries(turn).filter(([key]) => key !== "order")));
  return scenario === undefined ? { turns } : { scenario, turns };
}

function isReply({ role }: JsonObject): boolean {
  return role === "assistant";
}

function scoresOf(test: Fields, options: CaseOptions): readonly SourceScore[] {
  const { names, spelling } = options;
  const keys = new ScoreKeys(["success"]);
  const metrics = metricsOf(test, spelling);
  const ofCase = metrics.map((metric) => scoreOf(metric, keys.next(metric.name)));
  for (const { name } of metrics) names.add(name, "case");
  const scores = [...ofCase, ...traceScores(test, metrics, keys, options)];
  const success = test.flag("success");
  if (success === undefined) return scores;
  const failed = success ? [] : metrics.filter((metric) => !metric.hasPassed).map(failureOf);
  const comment = failed.length === 0 ? undefined : failed.join("\n");
  return [...scores, { key: "success", value: success, comment, by: "code" }];
}

type Metric = ReturnType<typeof metricsOf>[number];

function metricsOf(fields: Fields, spelling: Spelling) {
  return fields.list(spelling("metricsData"), LEFT_OUT_OF_METRIC.map(spelling)).map((metric) => ({
    name: metric.someText("name"),
    score: metric.value("score"),
    hasPassed: metric.flag("success") === true,
    threshold: metric.number("threshold"),
    reason: metric.text("reason"),
    error: metric.text("error"),
    by: metric.text(spelling("evaluationModel")) === undefined ? ("code" as const) : ("model" as const),
  }));
}

function scoreOf(metric: Metric, key: string): SourceScore {
  const { score, reason, by } = metric;
  return { key, value: score, comment: reason ?? (isMissing(score) ? whyMissing(metric) : undefined), by };
}

/**
 * The metrics of a trace, which the case may have, too, and those of its spans, as `span.metric`. Spans of one name are
 * calls of one part of the program: their scores have one key, whatever the number of calls.
 */
function traceScores(
  test: Fields,
  ofCase: readonly Metric[],
  keys: ScoreKeys,
  { names, spelling }: CaseOptions,
): readonly SourceScore[] {
  const trace = test.object("trace", LEFT_OUT_OF_TRACE.map(spelling));
  const own = metricsOf(trace, spelling).filter(({ name }) => !ofCase.some((metric) => metric.name === name));
  const keyOf = new Map<string, string>();
  const spans = SPANS.flatMap((kind) => trace.list(spelling(kind), LEFT_OUT_OF_SPAN.map(spelling)));
  const ofSpans = spans.flatMap((span) => {
    const spanName = span.text("name") ?? "span";
    return metricsOf(span, spelling).map((metric) => {
      const name = `${spanName}.${metric.name}`;
      names.add(name, "span");
      const key = keyOf.get(name) ?? keys.next(name);
      keyOf.set(name, key);
      return scoreOf(metric, key);
    });
  });
  return [...own.map((metric) => scoreOf(metric, keys.next(metric.name))), ...ofSpans];
}

function failureOf(metric: Metric): string {
  const { name, score, threshold, reason } = metric;
  if (isMissing(score)) return `${name}: ${whyMissing(metric)}`;
  const limit = threshold === undefined ? "" : `, and its threshold is ${String(threshold)}`;
  return `${name}: the score is ${writeJsonValue(score)}${limit}${reason === undefined ? "" : `: ${reason}`}`;
}

/** A metric that broke has an error, unless the run ended with it: then deepeval writes nothing of it. */
function whyMissing({ error }: Metric): string {
  return error ?? "deepeval wrote no score and no error of this metric";
}
